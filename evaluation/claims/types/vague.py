"""A statement that no record can decide."""

from __future__ import annotations

from typing import ClassVar, Literal

from evaluation.claims.claim import Kind
from evaluation.claims.judging.finding import Finding, uncheckable
from evaluation.claims.types.base import Measured
from evaluation.record.known import Known


class Vague(Measured):
    """A result is called good, bad, high or the like, and nothing more: "the model performs well"."""

    kind: ClassVar[Kind] = Kind.RESULT
    type: Literal["vague"] = "vague"

    def judge(self, _known: Known) -> Finding:
        """Never to be checked."""
        return uncheckable("no measure is given")


class VagueDeed(Vague):
    """Something done of which rules can't say which events would show it."""

    kind: ClassVar[Kind] = Kind.EXECUTION
