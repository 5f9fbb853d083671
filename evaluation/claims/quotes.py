"""What a quote is but for what it asserts: the task's own text, an item of a list, called confirmed, called clear."""

from __future__ import annotations

import re

_CONFIRMED = re.compile(r"\b(?:directly\s+)?confirmed\b", re.IGNORECASE)
_UNCONFIRMED = re.compile(r"\b(?:not|un|yet to be|to be)\s*-?\s*(?:directly\s+)?confirmed\b|\bguess", re.IGNORECASE)
NUMBERING = re.compile(r"(?:\(?\d{1,2}[.)]\s+(?:\**(?:[Dd]irectly )?[Cc]onfirmed\**:\**\s+)?|[Cc]onfirmed\**:\**\s+)$")
"""In front of an item of a list that is checked: "4. Confirmed: "."""
_CLEAR = re.compile(
    r"\b(?:clear(?:ly)?|consistent(?:ly)?|significant(?:ly)?|decisive(?:ly)?|robust(?:ly)?|reliab(?:le|ly)|real)\b",
    re.I,
)
_UNCLEAR = re.compile(
    r"\b(?:not|no|nor|never|hardly|without|less|neither|un\w*|if|whether)\b|n't\b|\?|\b(?:may|might|could|would|seem)",
    re.IGNORECASE,
)
_SHORTEST = 15
"""Characters from which words that stand in the task are quoted from there."""


def is_of_task(quote: str, task_text: str) -> bool:
    """Whether a quote repeats the task's text word for word."""
    words = " ".join(quote.strip(" .*`\"'").split()).lower()
    return len(words) > _SHORTEST and words in " ".join(task_text.split()).lower()


def with_number(quote: str, start: int, prose: str) -> tuple[str, int]:
    """A quote with the number of the list item that it begins, as it stands in the prose, and where that begins."""
    before = prose[:start].rpartition("\n")[2]
    found = NUMBERING.search(before)
    number = found.group() if found and not before[: found.start()].strip(" \t-*+•>#") else ""
    return f"{number}{quote}", start - len(number)


def is_self_confirmed(quote: str, start: int, field: str, prose: str) -> bool:
    """Whether the agent's fact check calls the claim confirmed: in its line there, else in the quote."""
    context = _line_at(start, prose) if "fact" in field.lower() else quote
    return bool(_CONFIRMED.search(context)) and not _UNCONFIRMED.search(context)


def _line_at(start: int, prose: str) -> str:
    end = prose.find("\n", start)
    return prose[prose.rfind("\n", 0, start) + 1 : end if end >= 0 else len(prose)]


def is_called_clear(quote: str) -> bool:
    """Whether a quote calls a difference clear, consistent or real, and denies or doubts nothing."""
    return bool(_CLEAR.search(quote)) and not _UNCLEAR.search(quote)
