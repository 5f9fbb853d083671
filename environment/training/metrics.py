"""Reads the measured values out of a script's output: every metric, with its split, epoch, step and line."""

from __future__ import annotations

import builtins
import re
from collections import Counter, deque
from collections.abc import Iterator
from typing import NamedTuple

from environment.records import MetricPoint
from environment.training.line_context import EpochHeader, Key, LineContext, Section
from environment.training.metric_fields import Field, line_fields
from environment.training.metric_names import Split
from environment.training.metric_tables import TableReader
from environment.training.output_lines import output_lines

MAX_POINTS = 20_000
_TEXT = 500
_VALUE_LIKE = re.compile(r"\d|\bnan\b|\binf\b", re.IGNORECASE)
_NOT_OUTPUT = ('File "', "[LightGBM] [")
_ERROR = re.compile(r"^(?:[\w.]+\.|[^\s:]+:\d+: )?(\w*(?:Error|Exception|Warning|Interrupt))\b")


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


class _Reader:
    """Carries what a line means for the lines after it: epoch headers, section headings, tables, tracebacks."""

    def __init__(self) -> None:
        self.header = EpochHeader()
        self.section = Section()
        self.in_traceback = False
        self.table = TableReader()
        self.seen: Counter[Key] = Counter()

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
                yield self._found(
                    field, line, number, self._epoch_above(field) if row.epoch is None else row.epoch, row.step
                )
            return
        if not _VALUE_LIKE.search(line):
            self.section.read(line)
            return
        context = LineContext.of(line)
        any_field = False
        for field in line_fields(line, self.section.metric):
            any_field = True
            epoch = context.epoch_at(field.start)
            if epoch is None and not context.is_whole_run:
                epoch = self._epoch_above(field)
            yield self._found(field, line, number, epoch, context.step)
        if not any_field:
            self.section.read(line)
            self.header.read(line)

    def _epoch_above(self, field: Field) -> float | None:
        return self.header.epoch_for((field.name, field.split or self.section.split))

    def _found(self, field: Field, line: str, number: int, epoch: float | None, step: int | None) -> _Found:
        split = field.split or self.section.split
        key = (field.name, split)
        count = self.seen[key]
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


def _excerpt(line: str, position: int) -> str:
    if position < _TEXT - 40:
        return line[:_TEXT]
    return line[position - _TEXT // 2 : position + _TEXT // 2]
