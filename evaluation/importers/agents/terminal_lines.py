"""Lines as a terminal wraps them: those that were one are joined again, since a claim may go over its end."""

from __future__ import annotations

import re
from collections.abc import Iterable

_OF_TABLE = re.compile(r"\s*[│┌├└|╭╰]")
_BEGINS_LINE = re.compile(r"\s*(?:[-*+#>]+ |[•▪◦›✅❌✓✔✗✘⚠→│┌├└|╭╰\[]|\d{1,3}[.)] )")
"""What begins a line of its own: items of lists, headings, rows of tables."""
_ENDS_LINE = re.compile(r"<<-?\s*['\"]?\w+['\"]?$|[|│┤┘]$")
"""What ends one: a shell's here document begins below, a row of a table is over."""
_NARROWEST, _WIDEST = 60, 250
"""Columns of a terminal; a text whose longest line is none of so many was not wrapped by one."""


def width_of(texts: Iterable[str]) -> int:
    """The columns at which texts were wrapped; zero where none were."""
    lengths = (len(line) for text in texts for line in text.splitlines() if not _OF_TABLE.match(line))
    longest = max(lengths, default=0)
    return longest if _NARROWEST <= longest <= _WIDEST else 0


def unwrapped(text: str, width: int) -> str:
    """A text in which each line that had to end, since the next one's first word found no place, goes on.

    Args:
        text: The text as the terminal shows it.
        width: The columns that it has, as ``width_of`` tells.
    """
    lines: list[str] = []
    room = width
    for line in text.splitlines():
        word = line.split(None, 1)[:1]
        goes_on = bool(lines and word and lines[-1]) and len(word[0]) >= room
        if goes_on and not _BEGINS_LINE.match(line) and not _ENDS_LINE.search(lines[-1]):
            lines[-1] += f" {line.strip()}"
        else:
            lines.append(line)
        room = width - len(line)
    return "\n".join(lines) if width else text
