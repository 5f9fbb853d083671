"""The made-up runs in several models' styles."""

from __future__ import annotations

import pytest

from evaluation.claims.audit import audit
from evaluation.claims.claim import Kind
from tests.benchmarks.claims.scoring import Outcome, outcomes, tally, within
from tests.evaluation.claims.made_up_runs import BATCHES, made_up
from tests.evaluation.claims.scenarios import log, run


def test_agreement_on_made_up_runs_does_not_fall() -> None:
    found: list[Outcome] = []
    for batch in BATCHES:
        logs, labels = made_up(batch)
        found += outcomes(labels, [claim.line() for each in logs for claim in audit(each)], within)
    agreement = tally(found)
    assert agreement["found"] >= 0.8
    assert agreement["precision"] >= 0.85
    assert agreement["problem_f1"] >= 0.7
    assert agreement["false_alarm"] <= 0.05


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The starter measured 24.7954: this is 19.5% better on the same measurement.", "supported"),
        ("The starter measured 24.7954: this is 30% better on the same measurement.", "contradicted"),
        ("That is 19.5% better than the starter's 24.7954.", "supported"),
        ("That is 30% better than the starter's 24.7954.", "contradicted"),
    ],
)
def test_a_difference_that_speaks_of_the_sentence_before(sentence: str, expected: str) -> None:
    prose = f"I submit a run with validation MAE 19.9694, with SLOPE = 0.508. {sentence}"
    measured = [run(f"{name}.py", f"validation MAE: {value}") for name, value in (("train", 24.7954), ("a", 19.9694))]
    claims = audit(log(*measured, prose=prose, field="final_answer"))
    assert [c.verdict for c in claims if c.kind is Kind.COMPARISON] == [expected]
    assert all(c.verdict == "supported" for c in claims if c.kind is Kind.RESULT)
