"""Every number that outputs print, by where it stands: a reader may point at one that the record has no name for."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from environment.metrics.names import is_counter, is_setting
from evaluation.record.columns import heads_of, names_over
from evaluation.record.events import Event
from evaluation.record.measured_runs import words_of
from evaluation.record.measurements import UNNAMED, Measurement

NUMBER = re.compile(
    r"(?<!\w)(?<!\w\.)[-+]?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d*\.\d+|\d+)(?:e[-+]?\d+)?(?P<percent> ?%)?(?!\d|\.\d)"
)
_NO_RESULT = re.compile(
    r"\r|\d%\||(?:it|batch)?/s\b|s/it\b|^\s*File \"|^[d-]r[w-]|\w(?:Error|Warning)\b|\d:\d\d:\d\d|://"
)
"""In bars, tracebacks and lines of a log with the time of day."""
_NO_METRIC = re.compile(r"lr|grad|norm", re.IGNORECASE)
_ID = re.compile(r"c(?P<event>\d+(?:\.\d+)?):(?P<line>\d+)\.(?P<place>\d+)")
_PARTS = re.compile(r"\s{2,}|[|:,;=()\[\]{}\"']")
_OF = ("/", "of", "out of")
_LETTER = re.compile(r"[^\W\d_]")
_LONGEST = 300
_DENSE = 3
"""Values of a line from which it is shorter than a row for each."""
_NEAR = 10
"""Lines above one that is set in, among which is the one that it belongs to."""
_MOST = 1_000
"""Lines of an output, from its end, that can be pointed at."""
_FEW, _MANY = 2, 4
"""Lines of unread results from which an output holds a table: with few where that is most of it."""
_MOST_UNREAD = 1 / 3


@dataclass(frozen=True)
class Line:
    """A line of an output with numbers in it.

    Attributes:
        event: What showed it.
        number: 1-based line in the observation.
        texts: All lines of the observation.
    """

    event: Event
    number: int
    texts: Sequence[str] = field(repr=False)

    @property
    def text(self) -> str:
        """As printed."""
        return self.texts[self.number - 1]

    @property
    def id(self) -> str:
        """What it is called in the record (``c12:5``: line 5 of what step 12 showed)."""
        return f"c{self.event.id[1:]}:{self.number}"

    @cached_property
    def numbers(self) -> tuple[re.Match[str], ...]:
        """Its numbers."""
        return tuple(NUMBER.finditer(self.text))

    @cached_property
    def name(self) -> str:
        """What stands in front of its first value; of a line that is set in, what stands so in the line above it."""
        return self.above or _name(self.text)

    @cached_property
    def above(self) -> str:
        """The name of the line that it is set in under, where it has none of its own."""
        if not self.text[:1].isspace() or words_of(_name(self.text)):
            return ""
        outer = (text for text in reversed(self.texts[max(0, self.number - _NEAR) : self.number - 1]))
        return next((_name(text) for text in outer if text[:1].strip()), "")

    @cached_property
    def heads(self) -> dict[int, str]:
        """The lines above its table that name the columns, by their number."""
        return {n + 1: self.texts[n] for n in heads_of(self.texts, self.number - 1)}

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """What a header above calls the numbers, where it stands over them; else ""."""
        return names_over([number.span() for number in self.numbers], list(self.heads.values()))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What each number is called: right in front of it, else by its column; "" where by neither."""
        ends = [0, *(number.end() for number in self.numbers)]
        before = [self.text[end : number.start()] for end, number in zip(ends, self.numbers, strict=False)]
        is_row = [bool(self.columns[0]), *(text.endswith("  ") for text in before[1:])]
        return tuple(map(_called, before, self.columns, is_row))

    def is_total(self, n: int) -> bool:
        """Whether a number only tells of how many another is counted: "11 of 15", "12/15"."""
        return n > 0 and self.text[self.numbers[n - 1].end() : self.numbers[n].start()].strip() in _OF

    @cached_property
    def cells(self) -> tuple[Measurement, ...]:
        """Its numbers as rows of the record."""
        return tuple(self._cell(n, number) for n, number in enumerate(self.numbers))

    def _cell(self, n: int, number: re.Match[str]) -> Measurement:
        return Measurement(
            event=self.event,
            metric=UNNAMED,
            name=self.names[n] or UNNAMED,
            split=None,
            value=value_of(number),
            percent=bool(number["percent"]),
            epoch=None,
            is_baseline=False,
            is_official=False,
            text=self.text.strip(),
            line=self.number,
            label=self.name,
            id=f"{self.id}.{n + 1}",
        )


class Cells:
    """The numbers of all outputs, by line.

    Args:
        events: In order.
        read: The values that were read from an event under a name.
    """

    def __init__(self, events: Sequence[Event], read: Callable[[Event], Iterable[Measurement]]) -> None:
        self._events = {event.id: event for event in events if event.shows_output}
        self._read = read
        self._lines: dict[str, dict[int, Line]] = {}

    def find(self, id_: str) -> Measurement | None:
        """The number of an id; ``None`` where there is none such."""
        found = _ID.fullmatch(id_)
        event = self._events.get(f"e{found['event']}") if found else None
        line = self.lines(event).get(int(found["line"])) if found and event else None
        place = int(found["place"]) if found else 0
        return line.cells[place - 1] if line and 0 < place <= len(line.cells) else None

    def lines(self, event: Event) -> dict[int, Line]:
        """The lines of an output with numbers in them, by their number."""
        if event.id not in self._lines:
            self._lines[event.id] = {line.number: line for line in _lines_of(event)} if event.shows_output else {}
        return self._lines[event.id]

    def listed(self, event: Event) -> list[Line]:
        """The lines of an output that tell more as they are: of many values, or with results read under no name."""
        found = [line for line in self.lines(event).values() if not _NO_RESULT.search(line.text)]
        read = self._values_of(event)
        return [
            line
            for line in found
            if len(read.get(line.number, ())) >= _DENSE
            or any("." in line.numbers[n].group() for n in self._unread(line))
            or (line.number not in read and not event.failure)
        ]

    def _open_lines(self, event: Event) -> list[Line]:
        """The lines of an output that hold results which were read under no name."""
        found = [line for line in self.lines(event).values() if not _NO_RESULT.search(line.text)]
        return [line for line in found if any(_is_result(line, n) for n in self._unread(line))]

    def is_open(self, event: Event) -> bool:
        """Whether an output holds results that were read under no name, as tables do."""
        return event.id in self._open

    def line_of(self, cell: Measurement) -> Line:
        """The line that a number stands in."""
        return self.lines(cell.event)[cell.line or 0]

    def column(self, cell: Measurement) -> list[Measurement]:
        """The numbers of its output that stand where it stands in its line, under the same name; itself among them."""
        own, place = self.line_of(cell), place_of(cell)
        alike = [line for line in self.lines(cell.event).values() if len(line.cells) == len(own.cells)]
        return [line.cells[place] for line in alike if line.names[place] == own.names[place]]

    def between(self, first: Measurement, last: Measurement) -> list[Measurement]:
        """The numbers from one to another of the same output: along their line, or down their column."""
        if first.line == last.line:
            places = sorted((place_of(first), place_of(last)))
            return list(self.line_of(first).cells[places[0] : places[1] + 1])
        low, high = sorted((first.line or 0, last.line or 0))
        return [cell for cell in self.column(first) if low <= (cell.line or 0) <= high]

    def namesakes(self, cell: Measurement, step: int) -> list[Measurement]:
        """The numbers before a step in lines and columns of the same names as those of one, the latest first."""
        name = _key(cell.label)
        lines = [line for line in self._by_name[name] if line.event.step < step] if _LETTER.search(name) else []
        return [
            each
            for line in reversed(lines)
            for each in line.cells
            if each.name == cell.name
            and each.id != cell.id
            and (each.name != UNNAMED or place_of(each) == place_of(cell))
        ]

    @cached_property
    def _by_name(self) -> dict[str, list[Line]]:
        found: defaultdict[str, list[Line]] = defaultdict(list)
        for event in self._events.values():
            for line in self.lines(event).values():
                found[_key(line.name)].append(line)
        return found

    @cached_property
    def _open(self) -> frozenset[str]:
        return frozenset(event.id for event in self._events.values() if self._holds_unread(event))

    def _holds_unread(self, event: Event) -> bool:
        lines = self._open_lines(event)
        if len(lines) >= _MANY or len(lines) < _FEW:
            return len(lines) >= _MANY
        read = {row.value for row in self._read(event) if not row.value.is_integer()}
        left = {line.cells[n].value for line in lines for n in self._unread(line) if _is_result(line, n)}
        return len(left) > _MOST_UNREAD * (len(left) + len(read))

    def _unread(self, line: Line) -> Iterator[int]:
        """The places of the numbers that are the value of no row of their line."""
        read = self._values_of(line.event).get(line.number, set())
        return (n for n, number in enumerate(line.numbers) if abs(value_of(number)) not in read)

    def _values_of(self, event: Event) -> dict[int | None, set[float]]:
        if event.id not in self._values:
            found: defaultdict[int | None, set[float]] = defaultdict(set)
            for row in self._read(event):
                found[row.line].add(abs(row.value))
            self._values[event.id] = dict(found)
        return self._values[event.id]

    @cached_property
    def _values(self) -> dict[str, dict[int | None, set[float]]]:
        return {}


def _lines_of(event: Event) -> Iterator[Line]:
    texts = event.observation.split("\n")
    for n in range(max(1, len(texts) - _MOST), len(texts) + 1):
        if len(texts[n - 1]) <= _LONGEST and NUMBER.search(texts[n - 1]):
            yield Line(event, n, texts)


def _is_result(line: Line, n: int) -> bool:
    """Whether a number is rather measured than set: it has decimals, and its name is no setting's or counter's."""
    name = line.names[n]
    is_named = bool(_LETTER.search(name)) and (is_setting(name) or is_counter(name) or bool(_NO_METRIC.search(name)))
    return "." in line.numbers[n].group() and not is_named


def _name(text: str) -> str:
    """What stands in front of the first value of a line: the first number with decimals, else the first."""
    numbers = list(NUMBER.finditer(text))
    values = [number for number in numbers if "." in number.group() or number["percent"]] or numbers
    return text[: values[0].start()].strip(" \t|:[]{}\"'=,") if values else text.strip()


def _called(before: str, column: str, is_below: bool) -> str:
    """What a number is called by the text in front of it; by its column, where one stands over it and that is apart."""
    own = _PARTS.split(before.rstrip(" \t:=\"'[("))[-1].strip()
    return own if _LETTER.search(own) and not (column and is_below) else column


def value_of(number: re.Match[str]) -> float:
    """The value of a printed number."""
    return float(number.group().rstrip(" %").replace(",", ""))


def place_of(cell: Measurement) -> int:
    """The how manieth number of its line a cell is, counted from 0."""
    return int(cell.id.rpartition(".")[2]) - 1


def _key(name: str) -> str:
    return " ".join(words_of(name))
