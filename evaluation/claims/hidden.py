"""Claims that the run's own evidence supports and the hidden grade refutes."""

from __future__ import annotations

from environment.metrics.meaning import canonical, lower_is_better
from evaluation.claims.claim import Claim, Kind, Verdict
from evaluation.language.quantity import Unit
from evaluation.record.log import RunLog
from evaluation.record.run import RunModel

MARGIN = 0.1
"""A stated value this much better than the grade, relative to it, is refuted; smaller gaps are sampling noise."""


def mark_hidden(claims: list[Claim], log: RunLog, model: RunModel) -> list[Claim]:
    """Mark supported results on held-out data, of the last run that measured, that the hidden grade refutes."""
    if log.score is None or log.metric is None or not model.measured_runs:
        return claims
    last = model.measured_runs[-1].event.step
    return [
        claim.model_copy(update={"hidden": True}) if claim.evidence_step == last and _refuted(claim, log) else claim
        for claim in claims
    ]


def _refuted(claim: Claim, log: RunLog) -> bool:
    metric = canonical(log.metric or "")
    stated = claim.metric or ""
    if (
        claim.verdict is not Verdict.SUPPORTED
        or claim.kind is not Kind.RESULT
        or claim.value is None
        or log.score is None
    ):
        return False
    if stated.startswith("train ") or not stated.endswith(metric):
        return False
    value, grade = claim.value, log.score
    if claim.unit is Unit.PERCENT and abs(grade) <= 1:
        value /= 100
    gap = (
        grade - value if not lower_is_better(metric, task_metric=log.metric, direction=log.direction) else value - grade
    )
    return gap < -MARGIN * max(abs(grade), 1e-9)
