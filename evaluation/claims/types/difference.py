"""A stated difference or factor between two results."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from evaluation.claims.claim import Kind
from evaluation.claims.types.base import Measured, Operand, Relation, Stated
from evaluation.language.quantity import Quantity


class Difference(Measured):
    """Two results differ by an amount or a factor: "improved by 4 points", "21 % lower", "twice as fast"."""

    kind: ClassVar[Kind] = Kind.COMPARISON
    type: Literal["difference"] = "difference"
    relation: Relation
    amount: Stated
    is_factor: bool = Field(default=False, description="the amount is a factor (14x faster, halved)")
    left: Operand = Field(description="the result spoken of, usually the newer")
    right: Operand = Field(description="what it is held against")

    @property
    def quantity(self) -> Quantity:
        """The stated difference."""
        return self.amount
