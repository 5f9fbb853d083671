"""Reads the measured values out of a script's output: every metric, with its split, epoch, step and line."""

from __future__ import annotations

import builtins
import re
from collections import deque
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from environment.metrics.context import EpochHeader, Key, LineContext, Section
from environment.metrics.fields import line_fields
from environment.metrics.lines import output_lines
from environment.metrics.listed import may_list
from environment.metrics.names import Split
from environment.metrics.nesting import Nesting, keys_at, part_of, split_of
from environment.metrics.numerals import Numerals
from environment.metrics.parts import distinguished, sets_of
from environment.metrics.tables import Row, TableReader
from environment.metrics.value import Field
from environment.metrics.wrapped import unwrapped
from environment.records import MetricPoint

MAX_POINTS = 20_000
_TEXT = 500
_VALUE_LIKE = re.compile(r"\d|\bnan\b|\binf\b", re.IGNORECASE)
_TRACEBACK = "Traceback (most recent call last)"
_NOT_OUTPUT = ('File "', "[LightGBM] [")
_ERROR = re.compile(r"^(?:[\w.]+\.|[^\s:]+:\d+: )?(\w*(?:Error|Exception|Warning|Interrupt))\b")
_NO_DIGITS = str.maketrans("123456789", "000000000")
_OTHER_DIGITS = str.maketrans("0123456789", "1234567890")
_DIGIT = re.compile(r"[0-9]")
_DIGITS_OF_WORDS = re.compile(r"[0-9](?<=[^\W0-9].|\^.)[0-9]*")
_NUMBER = re.compile(r"(?<![\w^])[0-9]+")
_LONGEST_KNOWN = 300
_MAX_FORMS = 4_096


class ParsedMetrics(NamedTuple):
    """The points of one output, in the order of its lines, and how many were left out of the middle."""

    points: list[MetricPoint]
    dropped: int


def parse_metrics(text: str) -> list[MetricPoint]:
    """Read every metric of a script's output; of more than ``MAX_POINTS`` the first and last halves."""
    return read_metrics(text).points


def read_metrics(text: str, limit: int = MAX_POINTS) -> ParsedMetrics:
    """Like ``parse_metrics``, and says how many points were dropped.

    Time is linear in the text, of which no more is read than ``output_lines`` gives. Lines that differ only in
    their numbers, as nearly all lines of a long output do, are read by the names found in the first of them.
    """
    head: list[_Found] = []
    tail: deque[_Found] = deque(maxlen=limit - limit // 2)
    total = 0
    for found in _Reader().read(text):
        total += 1
        if len(head) < limit // 2:
            head.append(found)
        else:
            tail.append(found)
    points = distinguished(found.point() for found in (*head, *tail))
    return ParsedMetrics(points, total - len(points))


class _Source:
    """One line of the output; what it says about epochs and steps is read where a kept point needs it."""

    __slots__ = ("_context", "number", "shown", "text")

    def __init__(self, number: int, text: str, shown: str) -> None:
        self.number = number
        self.text = text
        self.shown = shown
        self._context: LineContext | None = None

    @property
    def context(self) -> LineContext:
        if self._context is None:
            self._context = LineContext.of(self.text)
        return self._context


class _Found(NamedTuple):
    """A point that is not built yet, since most points of a long output are dropped.

    Attributes:
        epoch: The epoch, unless the line itself names one.
        earlier: How many values of the same name and split stand before it.
        step: The step, where a table gives it.
    """

    field: Field
    source: _Source
    split: Split | None
    epoch: float | None
    earlier: int
    step: int | None
    is_row: bool
    part: str

    def point(self) -> MetricPoint:
        field, source = self.field, self.source
        epoch, step = self.epoch, self.step
        if not self.is_row:
            named = source.context.epoch_at(field.start)
            epoch, step = epoch if named is None else named, source.context.step_at(field.start)
        return MetricPoint(
            name=field.name,
            value=field.value_in(source.text),
            unit=field.unit,
            split=self.split,
            part=self.part,
            epoch=epoch,
            step=self.earlier if step is None else step,
            line=source.number,
            text=_excerpt(source.shown.partition("\n")[0], field.start),
        )


class _Form:
    """What holds for every line that differs from one only in the digits of its numbers.

    Digits within a word belong to the word ("l1", "top_5"); all others only make numbers, so that
    what is a value, what a setting and what a name is found once for all lines of a form.
    """

    def __init__(self, line: str) -> None:
        self.is_error = line.startswith(_TRACEBACK) or _is_error_message(line)
        """Whether the line begins a traceback, is an error message or names the place of one."""
        table = TableReader()
        self.is_of_table = table.read(line) is not None or table.is_open
        self.has_value = _VALUE_LIKE.search(line) is not None
        self._fields: dict[str, tuple[Field, ...] | None] = {}
        self._headings: set[str] = set()
        self._context: LineContext | None = None

    def context(self, source: _Source) -> LineContext:
        """What a line of the form says; only whether it names epochs and the whole run holds for the others."""
        if self._context is None:
            self._context = source.context
        return self._context

    def fields(self, line: str, heading: str) -> Sequence[Field]:
        """The fields of a line of the form; values are those of ``Field.value_in``."""
        if heading in self._fields:
            known = self._fields[heading]
        elif heading in self._headings:
            known = self._fields[heading] = self._of_all(line, heading)
        else:  # Most forms of a text without repetition are met only once.
            self._headings.add(heading)
            known = None
        return list(line_fields(line, heading)) if known is None else known

    def _of_all(self, line: str, heading: str) -> tuple[Field, ...] | None:
        """The fields that all lines of the form have, or ``None`` where a line's numbers are part of a name."""
        if line.lstrip().startswith("{") or may_list(line):
            return None
        fields = tuple(line_fields(line, heading))
        if any(field.number is None for field in fields):
            return None
        if any(_DIGIT.search(field.name) for field in fields):
            other = tuple(line_fields(_NUMBER.sub(_with_other_digits, line), heading))
            if [field.name for field in fields] != [field.name for field in other]:
                return None
        return fields


def _with_other_digits(match: re.Match[str]) -> str:
    return match.group().translate(_OTHER_DIGITS)


class _Forms:
    """The forms of the lines of one output."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, ...], _Form] = {}

    def of(self, line: str) -> _Form:
        """The form of a line."""
        if len(line) > _LONGEST_KNOWN:
            return _Form(line)
        key = (line.translate(_NO_DIGITS), *_DIGITS_OF_WORDS.findall(line))
        form = self._known.get(key)
        if form is None:
            if len(self._known) >= _MAX_FORMS:
                self._known.clear()
            form = self._known[key] = _Form(line)
        return form


class _Reader:
    """Carries what a line means for the lines after it: epoch headers, section headings, tables, tracebacks."""

    def __init__(self) -> None:
        self.header = EpochHeader()
        self.section = Section()
        self.in_traceback = False
        self.table = TableReader()
        self.nesting = Nesting()
        self.forms = _Forms()
        self.seen: dict[Key, int] = {}

    def read(self, text: str) -> Iterator[_Found]:
        numerals = Numerals(text)
        for number, shown in unwrapped(output_lines(text)):
            line = numerals.plain(shown)
            if not line and not self.table.is_open and not self.in_traceback:
                self.section.leave(line)
                continue
            form = self.forms.of(line)
            if (form.is_error or self.in_traceback) and self._is_error_text(form, line):
                continue
            self.section.leave(line)
            self.header.leave(line)
            if form.is_of_table or self.table.is_open:
                row = self.table.read(line)
                if row is not None:
                    yield from self._row(row, _Source(number, line, shown))
                    continue
            if form.has_value:
                yield from self._values(form, number, line, shown)
            else:
                self.nesting.read(line)
                self.section.read(line)

    def _row(self, row: Row, source: _Source) -> Iterator[_Found]:
        for field in row.fields:
            key = (field.name, field.split or self.section.split, self.section.part)
            epoch = self.header.epoch_for(key) if row.epoch is None else row.epoch
            yield _Found(field, source, key[1], epoch, self._count(key), row.step, True, key[2])

    def _values(self, form: _Form, number: int, line: str, shown: str) -> list[_Found]:
        fields = form.fields(line, self.section.metric)
        if not fields:
            self.nesting.read(line)
            self.section.read(line)
            self.header.read(line)
            return []
        source = _Source(number, line, shown)
        around = self.nesting.read(line)
        context = form.context(source)
        is_above = not context.epochs and not context.is_whole_run
        found = []
        sets = sets_of(line, fields)
        for field, of_set in zip(fields, sets, strict=True):
            keys = keys_at(around, field.start)
            split = field.split or split_of(keys) or self.section.split
            key = (field.name, split, part_of(keys) or of_set or _within(self.section.part, field.part))
            epoch = self.header.epoch_for(key) if is_above else None
            found.append(_Found(field, source, key[1], epoch, self._count(key), None, False, key[2]))
        return found

    def _count(self, key: Key) -> int:
        """How many values of a name and split there were before."""
        earlier = self.seen.get(key, 0)
        self.seen[key] = earlier + 1
        return earlier

    def _is_error_text(self, form: _Form, line: str) -> bool:
        """Whether the line belongs to a traceback, is an error message or names the place of one."""
        if line.startswith(_TRACEBACK):
            self.in_traceback = True
        elif self.in_traceback and line[:1] not in ("", " ", "\t"):
            self.in_traceback = False
            return _ERROR.match(line) is not None
        return self.in_traceback or form.is_error


def _within(part: str, smaller: str) -> str:
    """A seed or fold of a data set, model or run."""
    return f"{part} {smaller}".strip()


def _is_error_message(line: str) -> bool:
    return _is_exception(line) or line.lstrip().startswith(_NOT_OUTPUT)


def _is_exception(line: str) -> bool:
    named = _ERROR.match(line)
    return named is not None and hasattr(builtins, named.group(1))


def _excerpt(line: str, position: int) -> str:
    if position < _TEXT - 40:
        return line[:_TEXT]
    return line[position - _TEXT // 2 : position + _TEXT // 2]
