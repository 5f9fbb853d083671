"""What a reader finds in a prose."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from evaluation.claims.types.base import Assertion
from evaluation.record.known import Known

QUOTE = 200
"""Characters of a quote that are kept."""


@dataclass(frozen=True)
class Reading:
    """An assertion and where it stands.

    Attributes:
        quote: Exact part of the prose.
        start: Its offset.
        says: What it asserts, about rows of the record.
        context: The sentence it is a part of, where rules have read it.
        previous: The sentence before that.
    """

    quote: str
    start: int
    says: Assertion
    context: str = ""
    previous: str = ""


class Reader(Protocol):
    """Finds what a prose asserts; the verdicts are not its business."""

    def __call__(self, prose: str, field: str, known: Known) -> Iterable[Reading]:
        """The assertions of one prose, in order, given what was known when it was written."""
        ...
