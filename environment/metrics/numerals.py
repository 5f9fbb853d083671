"""Numbers as they are written elsewhere: with a decimal comma (``loss 0,6931``), in Julia with ``f0`` (``0.41f0``)."""

from __future__ import annotations

import re

_POINT = re.compile(r"(?<![\d.])\d+\.\d+(?![\d.,])")
_COMMA = re.compile(r"(?<![\w.,(\[-])(?P<whole>\d{1,3}(?:\.\d{3})+|\d+),(?P<decimals>\d+)(?![\w,)\]])")
_FLOAT32 = re.compile(r"(?<=\d)f(?=[-+]?\d{1,2}(?!\w))")
_FEWEST = 2
_OF_THOUSANDS = 3
"""Digits behind a comma that may as well part thousands."""
_LOOKED_AT = 200_000


class Numerals:
    """How the numbers of one output are written.

    Args:
        text: The whole output.
    """

    def __init__(self, text: str) -> None:
        self._has_commas = _has_decimal_commas(text)

    def plain(self, line: str) -> str:
        """A line with points before decimals and exponents behind an ``e``; every position stays."""
        line = _FLOAT32.sub("e", line) if "f" in line else line
        return _COMMA.sub(_pointed, line) if self._has_commas else line


def _has_decimal_commas(text: str) -> bool:
    """Whether a comma stands before decimals wherever a number has them: none has a point, and several have a comma."""
    if "," not in text or _POINT.search(text):
        return False
    found = list(_COMMA.finditer(text[:_LOOKED_AT]))
    sure = [each for each in found if len(each["decimals"]) != _OF_THOUSANDS or each["whole"] == "0"]
    return len(sure) >= _FEWEST


def _pointed(found: re.Match[str]) -> str:
    return f"{found['whole'].replace('.', '')}.{found['decimals']}".rjust(len(found.group()))
