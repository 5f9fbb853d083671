"""What no record can decide."""

from __future__ import annotations

from evaluation.claims.judging.finding import Finding, uncheckable
from evaluation.claims.types.vague import Vague
from evaluation.record.known import Known


def judge_vague(_claim: Vague, _known: Known) -> Finding:
    """Never to be checked."""
    return uncheckable("no measure is given")
