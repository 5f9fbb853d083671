"""The times at the ends of rows are on record as those of the rows."""

from __future__ import annotations

import pytest

from evaluation.claims.audit import audit
from evaluation.record.run import RunModel
from tests.evaluation.claims.scenarios import log, run

SHOWN = run(
    "tfidf.py",
    "LR C=1   acc 0.7856 auc 0.8704 logloss 0.5149 (6.29s)\n"
    "LR C=4   acc 0.8079 auc 0.8864 logloss 0.4431 (3.27s)\n"
    "NB       acc 0.8166 auc 0.8918 logloss 0.4405 (0.07s)",
)


def test_they_are_durations() -> None:
    times = [row for row in RunModel.of(log(SHOWN, prose="Done.")).before(1).values if row.metric == "time"]
    assert [(row.value, row.in_seconds) for row in times] == [(6.29, True), (3.27, True), (0.07, True)]


@pytest.mark.parametrize(
    ("prose", "verdict"),
    [
        ("NB trained in 0.07 s, about 45 times faster than LR with C=4.", "supported"),
        ("NB trained in 0.07 s, about 90 times faster than LR with C=4.", "contradicted"),
    ],
)
def test_a_factor_of_rounded_values_is_as_far_off_as_they_are(prose: str, verdict: str) -> None:
    assert [claim.verdict.value for claim in audit(log(SHOWN, prose=prose)) if claim.value in (45, 90)] == [verdict]
