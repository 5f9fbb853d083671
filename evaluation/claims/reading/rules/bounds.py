"""Tells results apart by the side of a bound that they are of: "age<40" and "those over 40", "the class >60K"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from evaluation.claims.reading.rules.numbers import Result
from evaluation.language.numbers import find_numbers
from evaluation.record.known import Known
from evaluation.record.measurements import Measurement

_BOUND = re.compile(
    r"(?:(?P<above>>=?|≥|\b(?:over|above|older than|more than|greater than|at least)\b)"
    r"|(?P<below><=?|≤|\b(?:under|below|younger than|less than|fewer than|at most)\b))"
    r"\s*\$?(?P<value>\d[\d,]*(?:\.\d+)?)\s*(?P<scale>[kKmM]?)(?![\w%]|\.\d)",
    re.IGNORECASE,
)
_SCALES = {"": 1.0, "k": 1e3, "m": 1e6}


class Bound(NamedTuple):
    """A side of a number."""

    is_above: bool
    value: float


def bounds_in(text: str) -> list[Bound]:
    """The bounds that a text gives, in order."""
    return [_bound(found) for found in _BOUND.finditer(text)]


def within(rows: Iterable[Measurement], text: str, result: Result) -> list[Measurement]:
    """The rows on the side of the bound that a result is said of; none where the record has none on that side.

    The bound is the first one between the number and the next result, else the last one between it and the result
    before: "0.74 for those over 40 and 0.88 for those under 40", "the recall of >60K is 0.62".
    """
    of_bounds = {found.start("value") for found in _BOUND.finditer(text)}
    if not of_bounds:
        return []
    starts = [(number.start, number.end) for number in find_numbers(text) if number.start not in of_bounds]
    number = result.number
    behind = min((start for start, _ in starts if start >= number.end), default=len(text))
    ahead = max((end for _, end in starts if end <= number.start), default=0)
    said = bounds_in(text[number.end : behind])[:1] or bounds_in(text[ahead : number.start])[-1:]
    return [row for row in rows if said[0] in bounds_in(row.words)] if said else []


def is_bound(result: Result, text: str, known: Known) -> bool:
    """Whether a number is that of a bound by which the record tells results apart, and no value."""
    said = next((one for one in _BOUND.finditer(text) if one.start("value") == result.number.start), None)
    return said is not None and any(_bound(said) in bounds_in(row.words) for row in known.finals)


def _bound(found: re.Match[str]) -> Bound:
    value = float(found["value"].replace(",", "")) * _SCALES[found["scale"].lower()]
    return Bound(found["above"] is not None, value)
