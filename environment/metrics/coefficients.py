"""Tables of a fitted model's coefficients, which are no metrics, whatever its variables are called: statsmodels, R."""

from __future__ import annotations

import re

_HEAD = re.compile(r"\bcoef\b.*(?:std err|\bse\b|P>\||\bp\b)|\bEstimate\s+Std\. Error")
_END = re.compile(r"[\s=-]*$")
_LONGEST = 400


class Coefficients:
    """Knows whether such a table is open; fed every line in order."""

    def __init__(self) -> None:
        self.is_open = False
        self._rows = 0

    def hold(self, line: str) -> bool:
        """Whether the line is of one; it ends at a rule or blank line behind its rows."""
        if _HEAD.search(line[:_LONGEST]):
            self.is_open, self._rows = True, 0
        elif self.is_open and _END.match(line):
            self.is_open = not self._rows
        else:
            self._rows += 1
        return self.is_open
