"""How something that was done ended."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from evaluation.claims.claim import Kind
from evaluation.claims.types.base import Assertion, Ids


class Outcome(Assertion):
    """Something failed or succeeded: "the script crashed", "it timed out", "the edit was applied"."""

    kind: ClassVar[Kind] = Kind.EXECUTION
    type: Literal["outcome"] = "outcome"
    outcome: Literal["succeeded", "failed", "timed out"]
    events: Ids = Field(default=(), description="the events it speaks of; none where nothing of the kind was done")
    same_as: Ids = Field(default=(), description="earlier failures with which it is said to share the message")
    differs_from: Ids = Field(default=(), description="earlier failures from whose message it is said to differ")
    wrong_cause: Ids = Field(
        default=(), description="events whose message gives another cause than the one the text gives"
    )
