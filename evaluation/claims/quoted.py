"""What looks like a claim and is the task's own text, and what the agent itself calls confirmed."""

from __future__ import annotations

import re

from evaluation.claims.assertions import Assertion

_CONFIRMED = re.compile(r"\b(?:directly\s+)?confirmed\b", re.IGNORECASE)
_UNCONFIRMED = re.compile(r"\b(?:not|un|yet to be|to be)\s*-?\s*(?:directly\s+)?confirmed\b|\bguess", re.IGNORECASE)
_SPACE = re.compile(r"\s+")


def is_quoted(assertion: Assertion, task_text: str) -> bool:
    """Whether the quote repeats the task's text word for word."""
    if not task_text:
        return False
    quote = _SPACE.sub(" ", assertion.quote.strip(" .*`\"'")).lower()
    return len(quote) > 15 and quote in _SPACE.sub(" ", task_text).lower()


def is_self_confirmed(assertion: Assertion, field: str, prose: str) -> bool:
    """Whether the agent's fact check, of which ``prose`` is the whole text, calls the claim confirmed."""
    before = prose[: assertion.start].rpartition("\n")[2]
    context = f"{before} {assertion.context}" if "fact" in field.lower() else assertion.quote
    return bool(_CONFIRMED.search(context)) and not _UNCONFIRMED.search(context)
