"""How many of several results are so."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from evaluation.claims.claim import Kind
from evaluation.claims.types.base import Ids, Measured, Operand, Relation, Stated
from evaluation.language.quantity import Quantity


class Count(Measured):
    """So many of several results are so: "3 of 5 seeds reach 90", "no model beats the baseline"."""

    kind: ClassVar[Kind] = Kind.COMPARISON
    type: Literal["count"] = "count"
    number: Stated | None = Field(default=None, description="how many; left out for none of them")
    rows: Ids = Field(default=(), description="the results that are counted over")
    relation: Relation
    limit: Operand = Field(description="what each is held against")

    @property
    def quantity(self) -> Quantity | None:
        """The stated number."""
        return self.number
