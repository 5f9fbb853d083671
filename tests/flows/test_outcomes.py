"""Results in words."""

from __future__ import annotations

from evaluation.statistics.entries import why_ungraded
from flows.outcomes import success_of
from tests.evaluation.report.samples import sample_run


def test_a_score_that_is_measured_from_nothing_says_what_is_missing() -> None:
    graded = sample_run(0).result
    assert graded.improvement is not None
    assert success_of(graded).startswith(("yes", "no;"))
    alone = graded.model_copy(update={"baseline": None, "improvement": None})
    assert why_ungraded(alone) == "no baseline"
    assert "mlab tasks verify" in success_of(alone)
    assert success_of(alone.model_copy(update={"sandbox": "unknown"})) == "no baseline", "of a log, nobody can"
    assert success_of(alone.model_copy(update={"score": None})) == "not graded"
