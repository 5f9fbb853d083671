"""The best or worst of several results."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from evaluation.claims.claim import Kind
from evaluation.claims.types.base import Ids, Measured, Operand
from evaluation.language.quantity import Quantity


class Extreme(Measured):
    """A result is the best, worst, highest or lowest: "our best score so far", "fold 3 was the worst"."""

    kind: ClassVar[Kind] = Kind.COMPARISON
    type: Literal["extreme"] = "extreme"
    extreme: Literal["best", "worst", "highest", "lowest"]
    of: Operand = Field(description="the result that is called so")
    among: Ids = Field(default=(), description="the results it is held against; none for all measured so far")

    @property
    def quantity(self) -> Quantity | None:
        """The stated value."""
        return self.of.stated
