"""The part of a clause that states one of its results: "XGBoost reached 79.2 %" of a list of models."""

from __future__ import annotations

import re
from collections.abc import Sequence

from evaluation.claims.reading.reader import QUOTE, Reading
from evaluation.claims.reading.rules.numbers import Result
from evaluation.claims.reading.rules.prose import Clause
from evaluation.claims.types.base import Assertion

_BETWEEN = re.compile(r"\s*[,;]\s+(?:and\s+|but\s+)?|\s+(?:and|while|but)\s+")
"""What parts two results of a list."""


def reading(clause: Clause, says: Assertion) -> Reading:
    """What a whole clause asserts."""
    return Reading(clause.quote[:QUOTE], clause.quote_start, says)


def reading_of(clause: Clause, says: Assertion, result: Result, results: Sequence[Result]) -> Reading:
    """What a clause asserts of one of its results: quoted is the part between the results before and behind it."""
    text, number = clause.text, result.number
    before = max((each.number.end for each in results if each.number.end <= number.start), default=0)
    behind = min((each.number.start for each in results if each.number.start >= number.end), default=len(text))
    opening = next(_BETWEEN.finditer(text, before, number.start), None) if before else None
    closing = next(_BETWEEN.finditer(text, number.end, behind), None) if behind < len(text) else None
    start, end = opening.end() if opening else 0, closing.start() if closing else len(text)
    if start == 0 and end == len(text):
        return reading(clause, says)
    if start == 0:
        return Reading(clause.quote[: end + clause.start - clause.quote_start][:QUOTE], clause.quote_start, says)
    return Reading(text[start:end][:QUOTE], clause.start + start, says)
