"""Which kind of failure a text tells of, and whether an output shows it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from evaluation.claims.reading.rules.vocabulary import kinds_of_failures
from evaluation.record.events import Event

_ERROR = re.compile(r"\b[A-Z]\w*(?:Error|Exception)\b")
_TAIL = 3000
"""Characters of an output's end in which it says why it failed."""


@dataclass(frozen=True)
class Cause:
    """A kind of failure, by what an output would say of it.

    Attributes:
        shown: Any of these in an output that failed of it.
        is_named: It is called by its own name, not by what may lie behind it.
    """

    shown: tuple[str, ...]
    is_named: bool

    def is_of(self, event: Event) -> bool:
        """Whether an output ends with a failure of the kind."""
        told = f"{event.failure}\n{event.observation[-_TAIL:]}".lower()
        return any(form in told for form in self.shown)


def causes_in(text: str) -> list[Cause]:
    """The kinds of failures that a text names."""
    found = []
    for said, meant, shown in kinds_of_failures().values():
        is_named = said.search(text) is not None
        if is_named or meant.search(text):
            found.append(Cause(shown, is_named))
    known = {form for cause in found for form in cause.shown}
    others = {name.lower() for name in _ERROR.findall(text)}
    return found + [Cause((name,), is_named=True) for name in sorted(others) if not any(form in name for form in known)]
