"""A statement that no record can decide."""

from __future__ import annotations

from typing import ClassVar, Literal

from evaluation.claims.claim import Kind
from evaluation.claims.types.base import Measured


class Vague(Measured):
    """A result is called good, bad, high or the like, and nothing more: "the model performs well"."""

    kind: ClassVar[Kind] = Kind.RESULT
    type: Literal["vague"] = "vague"


class VagueDeed(Vague):
    """Something done of which rules can't say which events would show it."""

    kind: ClassVar[Kind] = Kind.EXECUTION
