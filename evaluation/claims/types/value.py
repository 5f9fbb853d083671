"""A metric with its measured value."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from evaluation.claims.claim import Kind
from evaluation.claims.types.base import Ids, Measured, Stated
from evaluation.language.quantity import Quantity


class Value(Measured):
    """A metric has a value: "test accuracy is 81.2 %", "it took 5.6 s"."""

    kind: ClassVar[Kind] = Kind.RESULT
    type: Literal["value"] = "value"
    stated: Stated
    rows: Ids = Field(default=(), description="the measurements whose value the text states, right or wrong")

    @property
    def quantity(self) -> Quantity:
        """The stated value."""
        return self.stated
