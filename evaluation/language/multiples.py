"""Factors and parts in words: "doubles", "twice as fast", "less than half", "about a third"."""

from __future__ import annotations

import re

from evaluation.language.quantity import Quantity, Unit

_FACTORS = {"doubl": 2, "twice": 2, "two-fold": 2, "twofold": 2, "tripl": 3, "thrice": 3, "threefold": 3, "quadrupl": 4}
_PARTS = {"half": 2, "halv": 2, "third": 3, "quarter": 4, "fifth": 5, "tenth": 10}
_MULTIPLE = re.compile(
    r"\b(?:(?P<above>more than|over|at least)|(?P<below>less than|under)"
    r"|(?P<about>about|around|roughly|almost|nearly))?"
    rf"\s*(?:an? |one |the |by )*(?P<word>{'|'.join([*_FACTORS, *_PARTS])})",
    re.IGNORECASE,
)
_NEAR = 0.02
"""How far the number given for a word may lie from it, relative to it: 33 or 33.3 for a third."""


def multiple_in(text: str, value: float) -> Quantity | None:
    """The word of a text that a number stands for: 2 for "doubled" and for "halved", 33.3 for "by a third"."""
    for match in _MULTIPLE.finditer(text):
        word = match["word"].lower()
        times = _FACTORS.get(word) or _PARTS[word]
        is_part = word in _PARTS
        readings = (times, 1 / times, 100 / times, 100 - 100 / times) if is_part else (times,)
        if any(abs(value - reading) <= _NEAR * reading for reading in readings):
            return _quantity(match, value, is_turned=is_part and value > 1 and value == times)
    return None


def _quantity(match: re.Match[str], value: float, *, is_turned: bool) -> Quantity:
    """With its hedge, which turns where a part is told as a factor: less than half is a factor of more than two."""
    above, below = bool(match["above"]), bool(match["below"])
    if is_turned:
        above, below = below, above
    return Quantity(
        value=value,
        resolution=value / 5,
        unit=Unit.PERCENT if value > max(_PARTS.values()) else Unit.NONE,
        approximate=bool(match["about"]),
        bound=">" if above else "<" if below else "",
    )
