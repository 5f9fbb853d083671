"""Whether an accusation stands where a sentence speaks of folds, seeds, splits, settings or the ends of a range."""

from __future__ import annotations

import re
from collections.abc import Sequence

from evaluation.claims.types.base import Assertion
from evaluation.claims.types.difference import Difference
from evaluation.claims.types.extreme import Extreme
from evaluation.claims.types.order import Order
from evaluation.claims.types.value import Value
from evaluation.record.measurements import Measurement
from evaluation.record.settings import settings_in, settings_of

_PARTS = re.compile(r"\b(?:fold|seed)s?\b", re.IGNORECASE)
_OF_PARTS = re.compile(
    r"\b(?:every|each|all|both|any|in|on)\s+(?:\w+ ){0,2}(?:fold|seed)s?\b|\b(?:fold|seed)s? #?\d", re.IGNORECASE
)
_AT = re.compile(r"\b(?:for|at|within|under)\s", re.IGNORECASE)
_SPLIT = r"(?:the )?(?:train(?:ing)?|val(?:idation)?|dev|cv|test|hold-?out)"
_LEADS = re.compile(rf"\b(?:from|between) {_SPLIT}\b.{{0,30}}?\b(?:to|and) {_SPLIT}\b", re.IGNORECASE)
_RANGES = re.compile(r"\brang(?:es?|ed|ing) from\b", re.IGNORECASE)


def of_parts(says: Assertion, quote: str, rows: Sequence[Measurement]) -> str:
    """Why rows that refute may be none of the parts that the words speak of; "" where they are."""
    if isinstance(says, Value) and _RANGES.search(quote):
        return "it is an end of a range"
    if not isinstance(says, Extreme | Order | Difference):
        return ""
    if _OF_PARTS.search(quote) and not all(_PARTS.search(row.label) for row in rows):
        return "it is said of folds or seeds, and those rows are of none"
    if _LEADS.search(quote) and len({row.split for row in rows}) < 2:
        return "it leads from one split to another, and those rows are of one"
    return ""


def is_of_setting(quote: str, rows: Sequence[Measurement]) -> bool:
    """Whether words say of which setting something is so ("for lr 0.001"), and not all of the results have it."""
    given = [each for found in _AT.finditer(quote) for each in settings_in(quote[found.end() :])[:1]]
    have = [
        [each.value == own.value and each.is_called(own) for own in settings_of(row)] for each in given for row in rows
    ]
    return any(map(any, have)) and not all(map(any, have))
