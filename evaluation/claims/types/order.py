"""An order between two results."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from evaluation.claims.claim import Kind
from evaluation.claims.types.base import Measured, Operand, Relation
from evaluation.language.quantity import Quantity


class Order(Measured):
    """One result stands above or below another or a goal: "better than the baseline", "rose from 0.81 to 0.83"."""

    kind: ClassVar[Kind] = Kind.COMPARISON
    type: Literal["order"] = "order"
    relation: Relation
    left: Operand = Field(description="the result spoken of, usually the newer")
    right: Operand = Field(description="what it is held against")
    every: bool = Field(default=True, description="said of every row given, not of at least one")

    @property
    def quantity(self) -> Quantity | None:
        """The newer value, else the one it is held against."""
        return self.left.stated or self.right.stated
