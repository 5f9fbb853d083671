"""The checksum in a table's footer, over all else in the file and where it lies.

So it is told without reading Parquet whether a table is whole, and this one of this run.
"""

from __future__ import annotations

import hashlib
import re

NAME = "mlab.checksum"
"""The key of the footer's entry."""
BLANK = "sha256:" + 64 * "0"
"""Its value until the rest is written; the checksum, of the same length, takes its place."""

_ENTRY = re.compile(re.escape(NAME).encode() + rb".{2}(sha256:[0-9a-f]{64})", re.DOTALL)
_FOOTER = 1 << 16
"""The entry lies in the last of the file: behind what the footer says of the columns."""


def sealed(table: bytes, key: str) -> bytes:
    """A table whose entry is blank, with the checksum for where it is to lie."""
    return _with_value(table, _checksum(table, key), *_entries(table)[-1])


def fits(table: bytes, key: str) -> bool | None:
    """Whether a table is as it was sealed for its place.

    ``None`` of one that does not tell: earlier versions wrote no checksum, or one over the content alone.
    """
    entries = _entries(table)
    if not entries:
        return None
    start, end = entries[-1]
    blank, found = _with_value(table, BLANK.encode(), start, end), table[start:end]
    return found == _checksum(blank, key) or (None if found == _checksum(blank, "") else False)


def _entries(table: bytes) -> list[tuple[int, int]]:
    """Where a value stands: in the last of them, since a column's text that looks the same stands before it."""
    return [found.span(1) for found in _ENTRY.finditer(table, max(0, len(table) - _FOOTER))]


def _with_value(table: bytes, value: bytes, start: int, end: int) -> bytes:
    return table[:start] + value + table[end:]


def _checksum(blank: bytes, key: str) -> bytes:
    return f"sha256:{hashlib.sha256(blank + key.encode()).hexdigest()}".encode()
