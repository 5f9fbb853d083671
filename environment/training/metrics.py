"""Reads the measured values out of a script's output: every metric, with its split, epoch, step and line."""

from __future__ import annotations

import builtins
import math
import re
from bisect import bisect_right
from collections import Counter, deque
from collections.abc import Iterator
from typing import NamedTuple

from environment.records import MetricPoint
from environment.training.metric_fields import Field, line_fields
from environment.training.metric_names import Split, is_metric, split_in
from environment.training.metric_tables import TableReader
from environment.training.output_lines import output_lines

MAX_POINTS = 20_000
_TEXT = 500
_LONGEST_HEADING = 80
_EPOCH = re.compile(r"""\bep(?:och)?\b["']?[\s:=#\[(]{0,40}(\d+(?:\.\d+)?)|\bafter (\d+) epochs\b""", re.IGNORECASE)
_TOTAL = re.compile(r"\s?(?:/|of)\s?(\d+)")
_STEP = re.compile(
    r"""\b(?:global_step|step|iter|iteration|batch|round|trial|fold)\b["']?[\s:=#\[(]{0,6}(\d+)""", re.IGNORECASE
)
_BRACKET = re.compile(r"^\s*\[\s*(\d+)(?:\s*,\s*(\d+))?\s*\]|^(\d+):\s")
_VALUE_LIKE = re.compile(r"\d|\bnan\b|\binf\b", re.IGNORECASE)
_WHOLE_RUN = re.compile(r"\b(?:final|best|overall|finished|total)\b", re.IGNORECASE)
_NOT_OUTPUT = ('File "', "[LightGBM] [")
_ERROR = re.compile(r"^(?:[\w.]+\.|[^\s:]+:\d+: )?(\w*(?:Error|Exception|Warning|Interrupt))\b")


_Key = tuple[str, Split | None]
"""A metric's name and split."""


class ParsedMetrics(NamedTuple):
    """The points of one output, in the order of its lines, and how many were left out of the middle."""

    points: list[MetricPoint]
    dropped: int


def parse_metrics(text: str) -> list[MetricPoint]:
    """Read every metric of a script's output; of more than ``MAX_POINTS`` the first and last halves."""
    return read_metrics(text).points


def read_metrics(text: str, limit: int = MAX_POINTS) -> ParsedMetrics:
    """Like ``parse_metrics``, and says how many points were dropped. Time is linear in the text."""
    head: list[_Found] = []
    tail: deque[_Found] = deque(maxlen=limit - limit // 2)
    total = 0
    for found in _Reader().read(text):
        total += 1
        if len(head) < limit // 2:
            head.append(found)
        else:
            tail.append(found)
    points = [found.point() for found in (*head, *tail)]
    return ParsedMetrics(points, total - len(points))


class _Found(NamedTuple):
    field: Field
    split: Split | None
    epoch: float | None
    step: int
    line: int
    text: str

    def point(self) -> MetricPoint:
        return MetricPoint(
            name=self.field.name,
            value=self.field.value,
            unit=self.field.unit,
            split=self.split,
            epoch=self.epoch,
            step=self.step,
            line=self.line,
            text=self.text,
        )


class _EpochHeader:
    """An epoch named on a line of its own ("Epoch 3/10") holds for the values below it."""

    def __init__(self) -> None:
        self._epoch: float | None = None
        self._is_last = False
        self._is_indented = False
        self._seen: set[_Key] = set()
        self._seen_before: set[_Key] = set()

    def read(self, line: str) -> None:
        match = _EPOCH.search(line)
        if match is None or match.group(1) is None:
            return
        epoch = float(match.group(1))
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

    def epoch_for(self, key: _Key) -> float | None:
        """The epoch of a value; what first appears below the last of several headers is of the whole run."""
        if self._is_last and self._seen_before and key not in self._seen_before:
            return None
        self._seen.add(key)
        return self._epoch


class _Section:
    """A heading ("Validation metrics:") tells the split or the metric of the lines below it.

    It holds for the indented lines that follow, or, where the next line is not indented, up to a blank one.
    """

    def __init__(self) -> None:
        self.split: Split | None = None
        self.metric = ""
        self._indented: bool | None = None

    def read(self, line: str) -> None:
        """Take up a line without values."""
        bare = line.strip(" \t-=*#_")
        if bare.endswith(":") or (bare and line[:1] in "=#*-"):
            self.split = split_in(bare)
            self.metric = bare.rstrip(": ") if is_metric(bare) and len(bare) < _LONGEST_HEADING else ""
            self._indented = None

    def leave(self, line: str) -> None:
        """End the section where the line is not part of it."""
        if self.split is None and not self.metric:
            return
        is_indented = line[:1] in " \t" if line else False
        if self._indented is None:
            self._indented = is_indented
        if not line or (self._indented and not is_indented):
            self.split, self.metric = None, ""


class _Reader:
    """Carries what a line means for the lines after it: epoch headers, section headings, tables, tracebacks."""

    def __init__(self) -> None:
        self.header = _EpochHeader()
        self.section = _Section()
        self.in_traceback = False
        self.table = TableReader()
        self.seen: Counter[_Key] = Counter()

    def read(self, text: str) -> Iterator[_Found]:
        for number, line in output_lines(text):
            if not self._is_error_text(line):
                yield from self._line(number, line)

    def _line(self, number: int, line: str) -> Iterator[_Found]:
        self.section.leave(line)
        self.header.leave(line)
        row = self.table.read(line)
        if row is not None:
            for field in row.fields:
                yield self._found(field, line, number, row.epoch, row.step)
            return
        if not _VALUE_LIKE.search(line):
            self.section.read(line)
            return
        context = _Context.of(line)
        any_field = False
        for field in line_fields(line, self.section.metric):
            any_field = True
            yield self._found(field, line, number, context.epoch_at(field.start), context.step)
        if not any_field:
            self.section.read(line)
            self.header.read(line)

    def _found(self, field: Field, line: str, number: int, epoch: float | None, step: int | None) -> _Found:
        split = field.split or self.section.split
        key = (field.name, split)
        count = self.seen[key]
        if epoch is None and not _WHOLE_RUN.search(line[:_TEXT]):
            epoch = self.header.epoch_for(key)
        self.seen[key] += 1
        return _Found(field, split, epoch, count if step is None else step, number, _excerpt(line, field.start))

    def _is_error_text(self, line: str) -> bool:
        """Whether the line belongs to a traceback, is an error message or names the place of one."""
        if line.startswith("Traceback (most recent call last)"):
            self.in_traceback = True
        elif self.in_traceback and line[:1] not in ("", " ", "\t"):
            self.in_traceback = False
            return _ERROR.match(line) is not None
        return self.in_traceback or _is_exception(line) or line.lstrip().startswith(_NOT_OUTPUT)


def _is_exception(line: str) -> bool:
    named = _ERROR.match(line)
    return named is not None and hasattr(builtins, named.group(1))


class _Context(NamedTuple):
    """The epochs and the step that one line names."""

    epochs: list[tuple[int, float]]
    step: int | None

    @classmethod
    def of(cls, line: str) -> _Context:
        epochs = [(match.start(), float(match.group(1) or match.group(2))) for match in _EPOCH.finditer(line)]
        step = _STEP.search(line)
        if step is not None:
            return cls(epochs, int(step.group(1)[:15]))
        bracket = _BRACKET.match(line)
        if bracket is None:
            return cls(epochs, None)
        first, second, colon = bracket.groups()
        if second is not None:
            return cls([(0, float(first)), *epochs], int(second[:15]))
        return cls(epochs, int((first or colon)[:15]))

    def epoch_at(self, position: int) -> float | None:
        """The last epoch named before the position, else the first after it."""
        if not self.epochs:
            return None
        following = bisect_right(self.epochs, (position, math.inf))
        return self.epochs[max(0, following - 1)][1]


def _excerpt(line: str, position: int) -> str:
    if position < _TEXT - 40:
        return line[:_TEXT]
    return line[position - _TEXT // 2 : position + _TEXT // 2]
