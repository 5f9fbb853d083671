"""Data frames that are wider than a line: pandas prints them as blocks of columns, one below the other."""

from __future__ import annotations

import re
from collections.abc import Sequence

from environment.metrics.cells import is_value

_GOES_ON = re.compile(r"\s+\\\s*$")
"""How the header of every block but the last ends."""


class Blocks:
    """Gives the rows of later blocks the labels that only the first block shows beside their index."""

    def __init__(self) -> None:
        self._labels: dict[str, str] = {}
        self._goes_on = False
        self._is_later = False

    def begin(self, header: str) -> None:
        """Take note of a header as it was printed."""
        self._is_later, self._goes_on = self._goes_on, _GOES_ON.search(header) is not None
        if not self._is_later:
            self._labels.clear()

    def labelled(self, index: str, columns: Sequence[str], cells: Sequence[str]) -> tuple[list[str], list[str]]:
        """The columns and cells of a row behind its index, its label in front where another block holds it."""
        own = next((cell for cell in cells if not is_value(cell)), "")
        if self._goes_on and not self._is_later:
            self._labels[index] = own
        known = self._labels.get(index, "") if self._is_later and not own else ""
        return (["", *columns], [known, *cells]) if known else ([*columns], [*cells])


def without_mark(line: str) -> str:
    """A header without the sign that more columns follow below."""
    return _GOES_ON.sub("", line) if line.rstrip().endswith("\\") else line
