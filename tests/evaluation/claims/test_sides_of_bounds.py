"""Results that a bound, a class or an "@" tells apart are never taken for each other."""

from __future__ import annotations

import pytest

from evaluation.claims.audit import audit
from tests.evaluation.claims.scenarios import log, run

PRINTED = """accuracy (age<40): 0.88
accuracy (age>40): 0.74
hit@1: 0.47
hit@5: 0.79
              precision    recall  f1-score   support

        <60K       0.91      0.94      0.92       700
        >60K       0.71      0.62      0.66       300
"""


@pytest.mark.parametrize(
    ("said", "verdicts"),
    [
        ("The accuracy is 0.74 for those over 40 and 0.88 for those under 40.", ["supported"] * 2),
        ("The accuracy is 0.88 for those over 40 and 0.74 for those under 40.", ["contradicted"] * 2),
        ("hit@1 is 0.47 and hit@5 is 0.79.", ["supported"] * 2),
        ("hit@1 is 0.79 and hit@5 is 0.47.", ["contradicted"] * 2),
        ("The recall of the class >60K is 0.62 and its precision 0.71.", ["supported"] * 2),
        ("The recall of the class >60K is 0.94.", ["contradicted"]),
    ],
)
def test_swapped_results_are_contradicted(said: str, verdicts: list[str]) -> None:
    found = audit(log(run("train.py", PRINTED), prose=said))
    assert [claim.verdict.value for claim in found] == verdicts


def test_a_best_without_a_split_speaks_of_held_out_data() -> None:
    one = run("train.py", "train accuracy: 0.8779\nvalidation accuracy: 0.8220")
    two = run("train.py", "train accuracy: 0.8225\nvalidation accuracy: 0.8181")
    (claim,) = audit(log(one, two, prose="Best so far: the first run with 0.822."))
    assert claim.verdict.value == "supported"
