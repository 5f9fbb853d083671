"""Lines of outputs that a name stands in front of, as in tables: a row a model, a setting or a part, each alike."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from evaluation.language.quantity import Quantity
from evaluation.record.events import Event
from evaluation.record.line import NUMBER, value_of
from evaluation.record.measured_runs import words_of
from evaluation.record.measurements import UNNAMED, Measurement

_FIRST = re.compile(r"(?<![\w.])[-+]?\d*\.\d+(?:e[-+]?\d+)?|(?<![\w.])\d+(?: ?%| ?/ ?\d+| of \d+\b)")
"""The first value of a line: what stands before it is a name, whole numbers in it are settings."""
_OWN_CELL = re.compile(r"\s*(?=\S*[A-Za-z])\S+(?: \S+)* {2,}(?=(?:[-+]?\d[\d.]* {2,})[-+]?\d)")
"""A name in a cell of its own in front of two values or more; decimals in it are settings: "dropout 0.3   0.91"."""
_PARTS = re.compile(r" {2,}|[,;|{}\[\]()]")
"""What parts the name of a value from what stands in front of it."""
_PHRASE = re.compile(r"[^\s|]+(?: [^\s|]+)*")
_COUNT = re.compile(r"(?<![\w./])(?P<some>\d+)(?: ?/ ?| of | out of )(?P<all>\d+)(?![\w./])")
_EDGE = " \t|:[]{}\"'=,"
_BLANKS = re.compile(r"\s+")
_LONGEST = 300
_MOST = 400
"""Lines of one output beyond which it is a log of steps, no table."""


@dataclass(frozen=True)
class NamedLine:
    """A line whose name other lines of its shape do not have.

    Attributes:
        event: What showed it.
        line: 1-based line in the observation.
        text: As printed.
        name: What stands in front of its first value; of a line that is set in, in front of that of the line above.
        shape: What it is but for its name and its numbers; lines of one table have the same.
        head: The part above it of the line that may tell what the values of its table are.
    """

    event: Event
    line: int
    text: str
    name: str
    shape: str
    head: str = ""

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """What tells each of its values: the words right in front of it, else those that stand above it."""
        own_cell = _OWN_CELL.match(self.text)
        found, end = [], own_cell.end() if own_cell else 0
        above = list(_PHRASE.finditer(self.head))
        for number in NUMBER.finditer(self.text, _first_value(self.text) or 0):
            before = self.text[end : number.start()]
            own = " ".join(words_of(_PARTS.split(before.rstrip(" :=\"'"))[-1]))
            heads = [each.group() for each in above if each.start() < number.end() and number.start() < each.end()]
            found.append(own or (heads[0] if len(heads) == 1 else ""))
            end = number.end()
        return tuple(found)

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words of its name."""
        return tuple(words_of(self.name))

    @cached_property
    def settings(self) -> frozenset[tuple[str, str]]:
        """The whole numbers of its name, each with the word in front of it: ``("window", "25")``."""
        return frozenset((one, two) for one, two in pairwise(self.words) if two.isdigit() and not one[0].isdigit())

    @cached_property
    def cells(self) -> tuple[Measurement, ...]:
        """Its values, as rows of the record."""
        start = _first_value(self.text) or 0
        numbers = enumerate(NUMBER.finditer(self.text), 1)
        return tuple(self._cell(n, number) for n, number in numbers if number.start() >= start)

    @cached_property
    def counts(self) -> tuple[tuple[int, int, Measurement], ...]:
        """How many of how many it tells of, each with the row of the record that is the first number."""
        start = _first_value(self.text) or 0
        places = {number.start(): n for n, number in enumerate(NUMBER.finditer(self.text, start))}
        return tuple(
            (int(each["some"]), int(each["all"]), self.cells[places[each.start()]])
            for each in _COUNT.finditer(self.text, start)
            if each.start() in places
        )

    def bears(self, stated: Quantity) -> int | None:
        """The place of the value that a number states, counted from the end; ``None`` where it has none."""
        cells = self.cells
        found = [n for n, cell in enumerate(cells) if stated.states(cell.value, recorded_percent=cell.percent)]
        return found[0] - len(cells) if found else None

    def _cell(self, n: int, number: re.Match[str]) -> Measurement:
        return Measurement(
            event=self.event,
            metric=UNNAMED,
            name=UNNAMED,
            split=None,
            value=value_of(number),
            percent=bool(number["percent"]),
            epoch=None,
            is_baseline=False,
            is_official=False,
            text=self.text,
            line=self.line,
            label=self.name,
            id=f"c{self.event.id[1:]}:{self.line}.{n}",
        )


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
        near = sorted({n for start, end in spans for _, n in self._by_value[start:end]})
        lines = (line for n in near if (line := self._lines[n]).event.step < step)
        return [(line, place) for line in lines if (place := line.bears(stated)) is not None]

    def table_of(self, line: NamedLine) -> Sequence[NamedLine]:
        """The lines of its shape in the same output."""
        return self._tables[line.event.id, line.shape]

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
    def _by_value(self) -> list[tuple[float, int]]:
        return sorted((cell.value, n) for n, line in enumerate(self._lines) for cell in line.cells)

    @cached_property
    def _tables(self) -> Mapping[tuple[str, str], list[NamedLine]]:
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
    def ids(self) -> frozenset[str]:
        """The ids of those values."""
        return frozenset(cell.id for cell in self.cells)

    @cached_property
    def _lines(self) -> list[NamedLine]:
        return [line for event in self._events if event.shows_output for line in named_lines(event)]


def named_lines(event: Event) -> Iterator[NamedLine]:
    """The lines of an output that stand with others of their shape and have a name of their own."""
    of_shape: defaultdict[str, list[NamedLine]] = defaultdict(list)
    name = head = ""
    for number, text in enumerate(event.observation.split("\n"), 1):
        first = _first_value(text) if len(text) <= _LONGEST else None
        own = text[:first].strip(_EDGE) if first is not None else ""
        name = own if words_of(own) else name if text[:1].isspace() else ""
        if first is not None and name:
            shape = _BLANKS.sub(" ", NUMBER.sub("#", text[first:])).strip()
            above = head[len(text) - len(text.lstrip()) :]
            of_shape[shape].append(NamedLine(event, number, text.strip(), name, shape, above))
        elif first is None and len(_PHRASE.findall(text)) > 1:
            head = text
    for lines in of_shape.values():
        if 1 < len(lines) <= _MOST:
            common = set.intersection(*(set(line.words) for line in lines))
            yield from (line for line in lines if set(line.words) - common)


def _first_value(text: str) -> int | None:
    """Where the values of a line begin, behind its name; ``None`` where it has none."""
    own = _OWN_CELL.match(text)
    if own:
        return own.end()
    first = _FIRST.search(text)
    return first.start() if first else None
