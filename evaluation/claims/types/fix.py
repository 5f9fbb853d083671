"""A failure that is said to be mended."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from evaluation.claims.claim import Kind
from evaluation.claims.types.base import Assertion, Ids


class Fix(Assertion):
    """A failure was mended: "the shape error is fixed", "this resolved the crash"."""

    kind: ClassVar[Kind] = Kind.EXECUTION
    type: Literal["fix"] = "fix"
    failures: Ids = Field(default=(), description="the failed events that are said to be mended")
    events: Ids = Field(default=(), description="what is said to have mended them")
