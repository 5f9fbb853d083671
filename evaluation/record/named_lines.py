"""Lines of outputs that a name stands in front of, as in tables: a row a model, a setting or a part, each alike."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise, zip_longest
from statistics import fmean

from evaluation.language.quantity import Quantity
from evaluation.record.events import Event
from evaluation.record.line import EDGE, NUMBER, Line, first_value, value_of
from evaluation.record.measured_runs import words_of
from evaluation.record.measurements import Measurement

_COUNT = re.compile(r"(?<![\w./])(?P<some>\d+)(?: ?/ ?| of | out of )(?P<all>\d+)(?![\w./])")
_N = r"\s*\$?(?P<n>\d[\d,]*[a-z]{0,2})(?!\.?\d)"
_SIDES = {
    ">": re.compile(
        rf"(?:[>≥]=?|\b(?:over|above|(?:more|older|greater|larger|higher) than|at least)){_N}"
        r"|(?<![\w.])(?P<m>\d[\d,]*[a-z]{0,2})\+",
        re.IGNORECASE,
    ),
    "<": re.compile(
        rf"(?:[<≤]=?|\b(?:under|below|(?:less|younger|fewer|smaller|lower) than|at most|up to)){_N}(?P<m>)",
        re.IGNORECASE,
    ),
}
"""What lies on one side of a number: ">50K", "over 40", "65+"; and on the other."""
_BLANKS = re.compile(r"\s+")
_SEED = re.compile(r"\s+\d+$")
"""Behind a row's name, what tells those of one setting apart."""
_MOST_SEEDS = 20
_LONGEST = 300
_MOST = 400
"""Lines of one output beyond which it is a log of steps, no table."""


@dataclass(frozen=True)
class NamedLine:
    """A line whose name other lines of its shape do not have.

    Attributes:
        printed: Itself.
        name: What stands in front of its first value; of a line that is set in, in front of that of the line above.
        shape: What it is but for its name and its numbers; lines of one table have the same.
    """

    printed: Line
    name: str
    shape: str

    @property
    def event(self) -> Event:
        """What showed it."""
        return self.printed.event

    @property
    def line(self) -> int:
        """Its 1-based number in the observation."""
        return self.printed.number

    @property
    def text(self) -> str:
        """As printed."""
        return self.printed.text

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """What tells each of its values: the words right in front of it, else those that stand above it."""
        return tuple(" ".join(words_of(self.printed.names[n])) for n in self._places)

    @cached_property
    def _places(self) -> tuple[int, ...]:
        start = first_value(self.text) or 0
        return tuple(n for n, number in enumerate(self.printed.numbers) if number.start() >= start)

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words of its name."""
        return tuple(words_of(self.name))

    @cached_property
    def settings(self) -> frozenset[tuple[str, str]]:
        """The whole numbers of its name, each with the word in front of it: ``("window", "25")``."""
        own = ((one, two) for one, two in pairwise(self.words) if two.isdigit() and not one[0].isdigit())
        return frozenset(own) | sides_in(self.name)

    @cached_property
    def cells(self) -> tuple[Measurement, ...]:
        """Its values, as rows of the record."""
        return tuple(replace(self.printed.cells[n], label=self.name) for n in self._places)

    @cached_property
    def counts(self) -> tuple[tuple[int, int, Measurement], ...]:
        """How many of how many it tells of, each with the row of the record that is the first number."""
        places = {self.printed.numbers[at].start(): n for n, at in enumerate(self._places)}
        return tuple(
            (int(each["some"]), int(each["all"]), self.cells[places[each.start()]])
            for each in _COUNT.finditer(self.text)
            if each.start() in places
        )

    def bears(self, stated: Quantity, near: Collection[int]) -> int | None:
        """The place of the value that a number states, counted from the end; ``None`` where it has none.

        Args:
            stated: The number; one with a bound may be any value, another one only what is near.
            near: The places of the values that are.
        """
        cells = self.cells
        for n in range(len(cells)) if stated.bound else sorted(near):
            if stated.states(cells[n].value, recorded_percent=cells[n].percent):
                return n - len(cells)
        return None


class NamedLines:
    """The named lines of all outputs.

    Args:
        events: In order.
    """

    def __init__(self, events: Sequence[Event]) -> None:
        self._events = events

    def bearing(self, stated: Quantity, step: int) -> list[tuple[NamedLine, int]]:
        """Those before a step that hold a number, each with its place among the values, counted from the end."""
        spans = (
            (bisect_left(self._by_value, (low, -1)), bisect_right(self._by_value, (high, len(self._lines))))
            for low, high in stated.spans()
        )
        near: defaultdict[int, set[int]] = defaultdict(set)
        for start, end in spans:
            for _, n, place in self._by_value[start:end]:
                near[n].add(place)
        places = (
            (line, line.bears(stated, near[n])) for n in sorted(near) if (line := self._lines[n]).event.step < step
        )
        return [(line, place) for line, place in places if place is not None]

    def table_of(self, line: NamedLine) -> Sequence[NamedLine]:
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
            for column in zip_longest(*([cell.value for cell in line.cells[::-1]] for line in lines))
        ]

    @cached_property
    def means(self) -> list[tuple[int, float]]:
        """The mean of each column of the rows of a table that have one name but for a number behind it, with its step.

        So are the rows of a setting's seeds; very many are the steps of a run.
        """
        return [
            (rows[0].event.step, fmean(values))
            for lines in self._tables.values()
            for rows in _of_one_name(lines)
            for values in zip(*([cell.value for cell in row.cells[::-1]] for row in rows), strict=False)
        ]

    def tables(self, step: int) -> Iterator[Sequence[NamedLine]]:
        """Those of one shape and output each, before a step, the latest first."""
        return (lines for lines in reversed(self._tables.values()) if lines[0].event.step < step)

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
    def _by_value(self) -> list[tuple[float, int, int]]:
        return sorted(
            (cell.value, n, place) for n, line in enumerate(self._lines) for place, cell in enumerate(line.cells)
        )

    @cached_property
    def _tables(self) -> dict[tuple[str, str], list[NamedLine]]:
        found: defaultdict[tuple[str, str], list[NamedLine]] = defaultdict(list)
        for line in self._lines:
            found[line.event.id, line.shape].append(line)
        return found

    @cached_property
    def _others(self) -> list[tuple[float, int]]:
        named = {(line.event.id, line.line) for line in self._lines}
        return sorted(
            (abs(value_of(number)), event.step)
            for event in self._events
            for at, text in enumerate(event.observation.split("\n"), 1)
            if (event.id, at) not in named and len(text) <= _LONGEST
            for number in NUMBER.finditer(text)
        )

    def before(self, step: int) -> Iterator[NamedLine]:
        """Those that were shown before a step."""
        return (line for line in self._lines if line.event.step < step)

    def counting(self, total: int, step: int) -> list[NamedLine]:
        """Those before a step that tell how many of so many are so."""
        return [self._lines[n] for n in self._of_total.get(total, ()) if self._lines[n].event.step < step]

    @cached_property
    def _of_total(self) -> Mapping[int, list[int]]:
        found: defaultdict[int, list[int]] = defaultdict(list)
        for n, line in enumerate(self._lines):
            for total in {each[1] for each in line.counts}:
                found[total].append(n)
        return found

    @cached_property
    def cells(self) -> list[Measurement]:
        """The values of all of them."""
        return [cell for line in self._lines for cell in line.cells]

    @cached_property
    def sides(self) -> frozenset[tuple[str, str]]:
        """The sides of numbers that they are called by."""
        return frozenset(side for line in self._lines for side in sides_in(line.name))

    @cached_property
    def ids(self) -> frozenset[str]:
        """The ids of those values."""
        return frozenset(cell.id for cell in self.cells)

    @cached_property
    def _lines(self) -> list[NamedLine]:
        return [line for event in self._events if event.shows_output for line in named_lines(event)]


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


def _of_one_name(lines: Sequence[NamedLine]) -> Iterator[list[NamedLine]]:
    found: defaultdict[str, list[NamedLine]] = defaultdict(list)
    for line in lines:
        found[_SEED.sub("", line.name)].append(line)
    yield from (rows for rows in found.values() if 1 < len(rows) <= _MOST_SEEDS)


def sides_in(text: str) -> frozenset[tuple[str, str]]:
    """The sides of numbers that a text speaks of: ``(">", "40")``."""
    return frozenset(
        (side, (found["n"] or found["m"]).replace(",", "").lower())
        for side, pattern in _SIDES.items()
        for found in pattern.finditer(text)
    )


def without_sides(text: str) -> str:
    """A text without them, in which the same words say what something is held against."""
    for pattern in _SIDES.values():
        text = pattern.sub(" ", text)
    return text


def named_lines(event: Event) -> Iterator[NamedLine]:
    """The lines of an output that stand with others of their shape and have a name of their own."""
    of_shape: defaultdict[str, list[NamedLine]] = defaultdict(list)
    name = ""
    texts = event.observation.split("\n")
    for number, text in enumerate(texts, 1):
        first = first_value(text) if len(text) <= _LONGEST else None
        own = text[:first].strip(EDGE) if first is not None else ""
        name = own if words_of(own) else name if text[:1].isspace() else ""
        if first is not None and name:
            shape = _BLANKS.sub(" ", NUMBER.sub("#", text[first:])).strip()
            of_shape[shape].append(NamedLine(Line(event, number, texts), name, shape))
    for lines in of_shape.values():
        if 1 < len(lines) <= _MOST:
            names = [{*line.words, *line.settings} for line in lines]
            common = set.intersection(*names)
            yield from (line for line, name in zip(lines, names, strict=True) if name - common)
