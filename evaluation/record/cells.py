"""Every number that outputs print, by where it stands: a reader may point at one that the record has no name for."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property

from evaluation.language.quantity import Quantity
from evaluation.record.by_value import ByValue
from evaluation.record.events import Event
from evaluation.record.line import Line, is_decimal, lines_of, place_of, value_of
from evaluation.record.measurements import Measurement

_NO_RESULT = re.compile(
    r"\r|\d%\||(?:it|batch)?/s\b|s/it\b|^\s*File \"|^[d-]r[w-]|\w(?:Error|Warning)\b|\d:\d\d:\d\d|://"
)
"""In bars, tracebacks and lines of a log with the time of day."""
_ID = re.compile(r"c(?P<event>\d+(?:\.\d+)?):(?P<line>\d+)\.(?P<place>\d+)")
_DIGITS = re.compile(r"[\d.]+")
_WIDE = 4
"""Values of a row of a wide table."""
_DENSE = 3
"""Values of a line from which it is shorter than a row for each."""
_FEW, _MANY = 2, 4
"""Lines from which an output holds a table: with few where these are most of it."""
_MOST_UNREAD = 1 / 3


class Output:
    """What one event printed, by line.

    Args:
        event: The event.
        read: The values that were read from it under a name.
    """

    def __init__(self, event: Event, read: Iterable[Measurement]) -> None:
        self._event = event
        self._read = list(read)

    @cached_property
    def lines(self) -> dict[int, Line]:
        """The lines with numbers in them, by their number."""
        return {line.number: line for line in lines_of(self._event)} if self._event.shows_output else {}

    @cached_property
    def listed(self) -> Sequence[Line]:
        """The lines that tell more as they are: of many values, or with results read under no name."""
        return [
            line
            for line in self._with_results
            if len(self._values.get(line.number, ())) >= _DENSE
            or any(is_decimal(line.numbers[n]) for n in self._unread(line))
            or (line.number not in self._values and not self._event.failure)
        ]

    def giving(self, stated: Quantity) -> Iterator[Line]:
        """Those of the listed lines that hold a number, perhaps more than once."""
        return (line for value, line in self._by_value.in_spans(stated) if stated.states(value))

    @cached_property
    def _by_value(self) -> ByValue[Line]:
        return ByValue((cell.value, line) for line in self.listed for cell in line.cells)

    @cached_property
    def is_open(self) -> bool:
        """Whether it holds a table that is better told by its lines than value by value."""
        wide = (line for line in self._with_results if len(self._values.get(line.number, ())) >= _WIDE)
        return len({_DIGITS.sub("", line.name) for line in wide}) >= _MANY or self._holds_unread

    @property
    def _holds_unread(self) -> bool:
        lines = [line for line in self._with_results if any(map(line.is_result, self._unread(line)))]
        if len(lines) >= _MANY or len(lines) < _FEW:
            return len(lines) >= _MANY
        read = {row.value for row in self._read if not row.value.is_integer()}
        left = {line.cells[n].value for line in lines for n in self._unread(line) if line.is_result(n)}
        return len(left) > _MOST_UNREAD * (len(left) + len(read))

    def line_of(self, cell: Measurement) -> Line:
        """The line that a number stands in."""
        number = cell.line or 0
        return self.lines.get(number) or Line(self._event, number, self._event.observation.split("\n"))

    def column(self, cell: Measurement) -> list[Measurement]:
        """The numbers that stand where one stands in its line, under the same name; itself among them."""
        own, place = self.line_of(cell), place_of(cell)
        alike = [line for line in self.lines.values() if len(line.cells) == len(own.cells)]
        return [line.cells[place] for line in alike if line.names[place] == own.names[place]]

    def between(self, first: Measurement, last: Measurement) -> list[Measurement]:
        """The numbers from one to another: along their line, or down their column."""
        if first.line == last.line:
            places = sorted((place_of(first), place_of(last)))
            return list(self.line_of(first).cells[places[0] : places[1] + 1])
        low, high = sorted((first.line or 0, last.line or 0))
        return [cell for cell in self.column(first) if low <= (cell.line or 0) <= high]

    @cached_property
    def _with_results(self) -> list[Line]:
        return [line for line in self.lines.values() if not _NO_RESULT.search(line.text)]

    def _unread(self, line: Line) -> Iterator[int]:
        """The places of the numbers that are the value of no row of their line."""
        read = self._values.get(line.number, set())
        return (n for n, number in enumerate(line.numbers) if abs(value_of(number)) not in read)

    @cached_property
    def _values(self) -> dict[int | None, set[float]]:
        found: defaultdict[int | None, set[float]] = defaultdict(set)
        for row in self._read:
            found[row.line].add(abs(row.value))
        return dict(found)


class Cells:
    """The numbers of all outputs.

    Args:
        events: In order.
        read: The values that were read from an event under a name.
    """

    def __init__(self, events: Sequence[Event], read: Callable[[Event], Iterable[Measurement]]) -> None:
        self._outputs = {event.id: Output(event, read(event)) for event in events}

    def of(self, event: Event) -> Output:
        """What an event printed."""
        return self._outputs.get(event.id) or Output(event, ())  # as of the task's text

    def find(self, id_: str) -> Measurement | None:
        """The number of an id; ``None`` where there is none such."""
        found = _ID.fullmatch(id_)
        output = self._outputs.get(f"e{found['event']}") if found else None
        line = output.lines.get(int(found["line"])) if found and output else None
        place = int(found["place"]) if found else 0
        return line.cells[place - 1] if line and 0 < place <= len(line.cells) else None
