"""Gives a claim the metric and the split that its run has for those it names."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

from evaluation.claims.assertions import Assertion
from evaluation.language.splits import TIMES, Split
from evaluation.record.known import SCHEMES, Known
from evaluation.record.measurements import UNNAMED

Claimed = TypeVar("Claimed", bound=Assertion)


def settle(claim: Claimed, known: Known) -> Claimed:
    """The claim in the run's own terms."""
    meant: dict[str, Any] = {"metric": _metric(claim.metric, known)}
    for name in ("split", "other_split"):
        if hasattr(claim, name):
            meant[name] = None if claim.metric in TIMES else _split(getattr(claim, name), known)
    return replace(claim, **meant)


def _metric(named: str | None, known: Known) -> str | None:
    """A deviation is that of the metric it is printed for; values without a name may be any metric's."""
    if named is None or named == "time" or named in known.measured_names:
        return named
    if named in (*TIMES, "steps"):
        return "time"
    if named == "std":
        return next((name for name in sorted(known.measured_names) if name.endswith(" std")), named)
    return UNNAMED if UNNAMED in known.measured_names else named


def _split(named: Split | None, known: Known) -> Split | None:
    if named not in SCHEMES or named in known.measured_splits:
        return named
    if named == "validation":
        return None if known.measured_splits.intersection(SCHEMES) else named
    return "validation"
