"""Tables that outputs show: lines of one shape, a row a model, a setting or a part, each with a name of its own."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import zip_longest
from statistics import fmean

from evaluation.language.quantity import Quantity
from evaluation.record.by_value import ByValue
from evaluation.record.events import Event
from evaluation.record.line import LONGEST, Line, first_value, lines_of, numbers_in, value_of
from evaluation.record.measurements import Measurement
from evaluation.record.settings import sides_in

_SEED = re.compile(r"\s+\d+$")
"""Behind a row's name, what tells those of one setting apart."""
_MOST_SEEDS = 20
_MOST = 400
"""Lines of one output beyond which it is a log of steps, no table."""


class Tables:
    """The lines of all outputs that have a name which others of their shape do not have.

    Args:
        events: In order.
    """

    def __init__(self, events: Sequence[Event]) -> None:
        self._events = [event for event in events if event.shows_output]

    def bearing(self, stated: Quantity, step: int) -> Iterator[tuple[Line, int]]:
        """Those before a step that hold a number, each with its place among the values, counted from the end."""
        near: defaultdict[int, set[int]] = defaultdict(set)
        for _, (n, place) in self._by_value.in_spans(stated):
            near[n].add(place)
        for n in sorted(near):
            line = self._lines[n]
            if line.event.step >= step:
                return
            if (at := line.bears(stated, near[n])) is not None:
                yield line, at

    def table_of(self, line: Line) -> Sequence[Line]:
        """The lines of its shape in the same output."""
        return self._tables[line.event.id, line.shape]

    def differ_by(self, amount: Quantity, step: int) -> bool:
        """Whether two values in one column of a table before a step lie so far apart, in percent of one for a share."""
        return any(_lie_apart(values, amount) for at, values in self._columns if at < step)

    @cached_property
    def _columns(self) -> list[tuple[int, list[float]]]:
        """The values of each column, in order, with the step that showed its table."""
        return [
            (lines[0].event.step, sorted(value for value in column if value is not None))
            for lines in self._tables.values()
            for column in zip_longest(*([cell.value for cell in line.values[::-1]] for line in lines))
        ]

    def means(self, stated: Quantity, step: int) -> Iterator[float]:
        """The means before a step that a number can be, each of a column of rows of one name but for a number behind.

        So are the rows of a setting's seeds; very many are the steps of a run.
        """
        return (mean for mean, at in self._means.near(stated) if at < step)

    @cached_property
    def _means(self) -> ByValue[int]:
        return ByValue(
            (fmean(values), rows[0].event.step)
            for lines in self._tables.values()
            for rows in _of_one_name(lines)
            for values in zip(*([cell.value for cell in row.values[::-1]] for row in rows), strict=False)
        )

    def is_elsewhere(self, stated: Quantity, step: int) -> bool:
        """Whether a line before a step that has no such name holds a number."""
        stated = replace(stated, value=abs(stated.value))
        slack = stated.resolution + 1e-9 * max(1.0, stated.value)
        for scale in (1, 100)[: 1 + stated.percent_like]:
            low = bisect_left(self._others, ((stated.value - slack) / scale, -1))
            high = bisect_right(self._others, ((stated.value + slack) / scale, step))
            if any(at < step and stated.is_near(number * scale) for number, at in self._others[low:high]):
                return True
        return False

    @cached_property
    def _by_value(self) -> ByValue[tuple[int, int]]:
        return ByValue(
            (cell.value, (n, place)) for n, line in enumerate(self._lines) for place, cell in enumerate(line.values)
        )

    @cached_property
    def _tables(self) -> dict[tuple[str, str], list[Line]]:
        found: defaultdict[tuple[str, str], list[Line]] = defaultdict(list)
        for line in self._lines:
            found[line.event.id, line.shape].append(line)
        return found

    @cached_property
    def _others(self) -> list[tuple[float, int]]:
        named = {(line.event.id, line.number) for line in self._lines}
        return sorted(
            (abs(value_of(number)), event.step)
            for event in self._events
            for at, text in enumerate(event.observation.split("\n"), 1)
            if (event.id, at) not in named and len(text) <= LONGEST
            for number in numbers_in(text)
        )

    @cached_property
    def cells(self) -> list[Measurement]:
        """The values of all of them."""
        return [cell for line in self._lines for cell in line.values]

    @cached_property
    def sides(self) -> frozenset[tuple[str, str]]:
        """The sides of numbers that they are called by."""
        return frozenset(side for line in self._lines for side in sides_in(line.name))

    @cached_property
    def ids(self) -> frozenset[str]:
        """The ids of those values."""
        return frozenset(cell.id for cell in self.cells)

    @cached_property
    def _lines(self) -> list[Line]:
        return [line for event in self._events for line in _named(lines_of(event, len(event.observation)))]


def _lie_apart(values: Sequence[float], amount: Quantity) -> bool:
    """Whether two of some values, in order, lie so far apart, in percent of one for a share."""
    least, most = abs(amount.value) - 2 * amount.resolution, abs(amount.value) + 2 * amount.resolution
    widest = values[-1] - values[0] if values else 0.0
    for one in values:
        for unit in (1.0, abs(one) / 100)[: 1 + amount.percent_like]:
            if least * unit > widest:
                continue
            for low, high in ((one + least * unit, one + most * unit), (one - most * unit, one - least * unit)):
                near = values[bisect_left(values, low) : bisect_right(values, high)]
                if unit and any(amount.is_near(abs(other - one) / unit) for other in near):
                    return True
    return False


def _of_one_name(lines: Sequence[Line]) -> Iterator[list[Line]]:
    found: defaultdict[str, list[Line]] = defaultdict(list)
    for line in lines:
        found[_SEED.sub("", line.name)].append(line)
    yield from (rows for rows in found.values() if 1 < len(rows) <= _MOST_SEEDS)


def _named(lines: Iterable[Line]) -> Iterator[Line]:
    """Those that stand with others of their shape and have a name of their own."""
    of_shape: defaultdict[str, list[Line]] = defaultdict(list)
    for line in lines:
        if first_value(line.text) is not None and line.words:
            of_shape[line.shape].append(line)
    for alike in of_shape.values():
        if 1 < len(alike) <= _MOST:
            common = set.intersection(*({*line.words, *line.settings} for line in alike))
            yield from (line for line in alike if {*line.words, *line.settings} - common)
