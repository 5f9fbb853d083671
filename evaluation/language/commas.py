"""Whether a comma between digits stands in a decimal number ("51,2 %") or parts two of a list ("64,32")."""

from __future__ import annotations

import re

DECIMAL = r"0,\d+|\d+,\d{1,2}(?!\d)"
"""A number with a decimal comma; behind more digits the comma rather parts thousands."""
_DECIMAL = re.compile(rf"[+\-−]?\s?(?:{DECIMAL})")
_BEHIND = re.compile(r"\d,")
_CLEAR = 3
"""Digits from which a number without a unit is rather one than two."""
_BACK = 24
_THINGS = re.compile(r"[a-z]{3,}(?<!s)s\s+$", re.IGNORECASE)
"""In front of a list: "widths 64,32"."""


def is_of_list(text: str, start: int, end: int, *, has_unit: bool) -> bool:
    """Whether a number is parted by a comma alone from another, or may be: no such number is clear."""
    number = text[start:end]
    if _BEHIND.fullmatch(text[max(0, start - 2) : start]) and "." not in number:
        return True
    if has_unit or not _DECIMAL.match(number):
        return False
    is_in_brackets = text[max(0, start - 1) : start] in ("(", "[") and text[end : end + 1] in (")", "]")
    is_short = sum(character.isdigit() for character in number) < _CLEAR
    return is_in_brackets or is_short or _THINGS.search(text[max(0, start - _BACK) : start]) is not None
