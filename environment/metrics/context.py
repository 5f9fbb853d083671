"""What a line of output says about the values on it and below it: epochs, steps, splits, headings."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from operator import itemgetter
from typing import NamedTuple, TypeVar

from environment.metrics.names import Split, is_metric, split_in
from environment.metrics.parts import part_of_fitting, part_of_heading, rule_of

Key = tuple[str, Split | None, str]
"""A metric's name, split and part."""
_Number = TypeVar("_Number", int, float)


_EPOCH = re.compile(
    r"""(?<!\Wn/)\bep(?:och)?\b(?:\((?:train|val|test)\))?["']?[\s:：=#\[("']{0,40}(\d+(?:\.\d+)?)"""
    r"""|\bafter (\d+) epochs\b"""
    r"""|第\s?(\d+)\s?轮|\b(\d+)epoch\b""",
    re.IGNORECASE,
)
_TOTAL = re.compile(r"\s?(?:/|of)\s?(\d+)")
_STEP = re.compile(
    r"""(?<!/)\b(global_step|step|iters?|iteration|batch|round|trial|fold)\b["']?[\s:：=#\[("']{0,20}(\d+)(?!\.?\d)""",
    re.IGNORECASE,
)
_BRACKET = re.compile(r"^\s*\[\s*(\d+)(?:\s*,\s*(\d+))?\s*\]|^(\d+):\s")
_WHOLE_RUN = re.compile(r"\b(?:final|best|overall|finished|total)\b", re.IGNORECASE)
_LONGEST_HEADING = 80


class LineContext(NamedTuple):
    """What one line names.

    Attributes:
        epochs: Positions and epochs.
        steps: Positions and training steps, all named by one word ("Fold 1 … | Fold 2 …").
        is_whole_run: The line speaks of the whole run ("final", "best"), not of the epoch above it.
    """

    epochs: list[tuple[int, float]]
    steps: list[tuple[int, int]]
    is_whole_run: bool

    @classmethod
    def of(cls, line: str) -> LineContext:
        """Read a line."""
        epochs = [(match.start(), _epoch(match)) for match in _EPOCH.finditer(line)]
        is_whole_run = _WHOLE_RUN.search(line) is not None
        steps = list(_STEP.finditer(line))
        if steps:
            named = [(step.start(), _step(step[2])) for step in steps if step[1] == steps[0][1]]
            return cls(epochs, named, is_whole_run)
        bracket = _BRACKET.match(line)
        if bracket is None:
            return cls(epochs, [], is_whole_run)
        first, second, colon = bracket.groups()
        if second is not None:
            return cls([(0, float(first)), *epochs], [(0, _step(second))], is_whole_run)
        return cls(epochs, [(0, _step(first or colon))], is_whole_run)

    def epoch_at(self, position: int) -> float | None:
        """The last epoch named before the position, else the first after it."""
        return _named_at(self.epochs, position)

    def step_at(self, position: int) -> int | None:
        """The last step named before the position, else the first after it."""
        return _named_at(self.steps, position)


class EpochHeader:
    """An epoch named on a line of its own ("Epoch 3/10") holds for the values below it."""

    def __init__(self) -> None:
        self._epoch: float | None = None
        self._is_last = False
        self._is_indented = False
        self._seen: set[Key] = set()
        self._seen_before: set[Key] = set()

    def read(self, line: str) -> None:
        """Take up a line without values."""
        match = _EPOCH.search(line)
        if match is None or match.group(2) is not None:
            return
        epoch = _epoch(match)
        self._is_indented = line[:1] in " \t"
        if epoch != self._epoch:
            self._epoch = epoch
            self._seen_before = set(self._seen)
            total = _TOTAL.match(line, match.end())
            self._is_last = total is not None and float(total.group(1)) <= epoch

    def leave(self, line: str) -> None:
        """End an epoch that was one of several indented lines at the first that is not."""
        if self._is_indented and line[:1] not in ("", " ", "\t"):
            self._epoch, self._is_indented = None, False

    def epoch_for(self, key: Key) -> float | None:
        """The epoch of a value; what first appears below the last of several headers is of the whole run."""
        if self._is_last and self._seen_before and key not in self._seen_before:
            return None
        self._seen.add(key)
        return self._epoch


class Section:
    """A heading ("Validation metrics:") tells the split or the metric of the lines below it.

    A data set, model or run that a line announces ("Dataset: cora") holds up to the next such line. All else holds
    for the indented lines that follow, or, where the next line is not indented, up to a blank one; one directly below
    the heading is none.
    """

    def __init__(self) -> None:
        self.split: Split | None = None
        self.metric = ""
        self.part = ""
        self._indented: bool | None = None
        self._rule = ""

    def read(self, line: str) -> None:
        """Take up a line without values."""
        part = part_of_heading(line) if len(line) < _LONGEST_HEADING else part_of_fitting(line)
        rule = rule_of(line)
        if part:
            self._rule = rule
        elif part is None and rule and rule == self._rule:  # "=== Training ===" behind "=== Environment ==="
            part = ""
        self.part = self.part if part is None else part
        bare = line.strip(" \t-=*#_")
        if bare.endswith(":") or (bare and line[:1] in "=#*-"):
            self.split = None if part else split_in(bare)
            self.metric = bare.rstrip(": ") if is_metric(bare) and len(bare) < _LONGEST_HEADING else ""
            self._indented = None

    def leave(self, line: str) -> None:
        """End the section where the line is not part of it."""
        if (self.split is None and not self.metric) or (not line and self._indented is None):
            return
        is_indented = line[:1] in " \t" if line else False
        if self._indented is None:
            self._indented = is_indented
        if not line or (self._indented and not is_indented):
            self.split, self.metric = None, ""


def _named_at(named: Sequence[tuple[int, _Number]], position: int) -> _Number | None:
    if not named:
        return None
    following = bisect_right(named, position, key=itemgetter(0))
    return named[max(0, following - 1)][1]


def _epoch(match: re.Match[str]) -> float:
    return float(match.group(match.lastindex or 1))


def _step(digits: str) -> int:
    """A step that fits into 64 bits, whatever was printed."""
    return int(digits[:15])
