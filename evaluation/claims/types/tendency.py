"""How a series of values goes."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from evaluation.claims.claim import Kind
from evaluation.claims.types.base import Ids, Measured


class Tendency(Measured):
    """A series goes up, down or nowhere over the epochs or steps of one run: "the loss kept falling"."""

    kind: ClassVar[Kind] = Kind.COMPARISON
    type: Literal["tendency"] = "tendency"
    tendency: Literal["rises", "falls", "improves", "worsens", "stays"]
    rows: Ids = Field(default=(), description="the first and the last measurement of the series")
    is_steady: bool = Field(default=False, description="said of every step of the series, not of its ends")
