"""Lines of code, read once for every claim that names and numbers are looked up for in them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?:e-?\d+)?")


class Line(NamedTuple):
    """A line of code, as it is written and as names are looked up in it."""

    text: str
    plain: str


@lru_cache(maxsize=512)
def lines_of(code: str) -> tuple[Line, ...]:
    """The different lines of a text."""
    return tuple(Line(line, plain(line)) for line in dict.fromkeys(code.splitlines()))


def plain(text: str) -> str:
    """A text in lower case, with identifiers taken apart."""
    return text.lower().replace("_", " ").strip()


def holds_number(code: str, value: float) -> bool:
    """Whether code holds a value, as a number or as "zero"."""
    return any(abs(found - value) < 1e-12 for found in _numbers_in(code)) or (value == 0 and "zero" in code)


@lru_cache(maxsize=8192)
def _numbers_in(code: str) -> frozenset[float]:
    return frozenset(float(found) for found in _NUMBER.findall(code))
