"""A line of an output with numbers in it, and what stands in front of them and above them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from environment.metrics.names import is_counter, is_setting
from environment.metrics.spans import seconds_of
from evaluation.language.quantity import Quantity, is_finite
from evaluation.record.columns import heads_of, names_over
from evaluation.record.durations import IN_PARTS
from evaluation.record.events import Event
from evaluation.record.measured_runs import words_of
from evaluation.record.measurements import UNNAMED, Measurement
from evaluation.record.settings import sides_in

NUMBER = re.compile(
    rf"(?<!\w)(?<!\w\.)(?:(?=\d+[hm:])(?P<parts>{IN_PARTS})"
    r"|[-+]?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d*\.\d+|\d+)(?:e[-+]?\d+)?(?P<percent> ?%)?(?!\d|\.\d))"
)
_FIRST = re.compile(r"(?<![\w.])[-+]?\d*\.\d+(?:e[-+]?\d+)?|(?<![\w.])\d+(?: ?%| ?/ ?\d+| of \d+\b)")
"""The first value of a line: what stands before it is a name, whole numbers in it are settings."""
_OWN_CELL = re.compile(r"\s*(?=\S*[A-Za-z])\S+(?: \S+)* {2,}(?=(?:[-+]?\d[\d.]* {2,})[-+]?\d)")
"""A name in a cell of its own in front of two values or more; decimals in it are settings: "dropout 0.3   0.91"."""
_NO_METRIC = re.compile(r"lr|grad|norm", re.IGNORECASE)
_TERM = re.compile(r"[a-z]\w+|\d+(?:\.\d+)?")
_PARTS = re.compile(r"\s{2,}|[|:,;=()\[\]{}\"']")
_BLANKS = re.compile(r"\s+")
_LETTER = re.compile(r"[^\W\d_]")
EDGE = " \t|:[]{}\"'=,"
"""What parts a name from its values."""
LONGEST = 300
"""Characters of a line beyond which it is no row of a table."""
_NEAR = 10
"""Lines above one that is set in, among which is the one that it belongs to."""
_MOST = 1_000
"""Lines of an output, from its end, that can be pointed at."""


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
        return tuple(numbers_in(self.text))

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
        return names_over(self.text, [number.span() for number in self.numbers], list(self.heads.values()))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What each number is called: right in front of it, else by its column; "" where by neither."""
        ends = [0, *(number.end() for number in self.numbers)]
        before = [self.text[end : number.start()] for end, number in zip(ends, self.numbers, strict=False)]
        is_row = [bool(self.columns[0]), *(text.endswith("  ") for text in before[1:])]
        return tuple(map(_called, before, self.columns, is_row))

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
    def shape(self) -> str:
        """What it is but for its name and its numbers; lines of one table have the same."""
        return _BLANKS.sub(" ", NUMBER.sub("#", self.text[first_value(self.text) :])).strip()

    @cached_property
    def _places(self) -> tuple[int, ...]:
        start = first_value(self.text) or 0
        return tuple(n for n, number in enumerate(self.numbers) if number.start() >= start)

    @cached_property
    def values(self) -> tuple[Measurement, ...]:
        """Its numbers behind its name, as rows of the record."""
        return tuple(self.cells[n] for n in self._places)

    @cached_property
    def value_names(self) -> tuple[str, ...]:
        """What tells each of its values: the words right in front of it, else those that stand above it."""
        return tuple(" ".join(words_of(self.names[n])) for n in self._places)

    def bears(self, stated: Quantity, near: Collection[int]) -> int | None:
        """The place of the value that a number states, counted from the end; ``None`` where it has none.

        Args:
            stated: The number; one with a bound may be any value, another one only what is near.
            near: The places of the values that are.
        """
        values = self.values
        for n in range(len(values)) if stated.bound else sorted(near):
            if stated.states(values[n].value, recorded_percent=values[n].percent):
                return n - len(values)
        return None

    @cached_property
    def cells(self) -> tuple[Measurement, ...]:
        """Its numbers as rows of the record."""
        return tuple(self._cell(n, number) for n, number in enumerate(self.numbers))

    def _cell(self, n: int, number: re.Match[str]) -> Measurement:
        return Measurement(
            event=self.event,
            metric=UNNAMED,
            name=self.names[n] or UNNAMED,
            value=value_of(number),
            text=self.text.strip(),
            line=self.number,
            percent=bool(number["percent"]),
            label=self.name,
            id=f"{self.id}.{n + 1}",
        )

    def is_result(self, n: int) -> bool:
        """Whether a number is rather measured than set: it has decimals, and its name is no setting's or counter's."""
        name = self.names[n]
        is_named = bool(_LETTER.search(name)) and (
            is_setting(name) or is_counter(name) or bool(_NO_METRIC.search(name))
        )
        return is_decimal(self.numbers[n]) and not is_named

    @cached_property
    def terms(self) -> frozenset[str]:
        """Its words and numbers."""
        return terms_of(self.text)


def lines_of(event: Event, most: int = _MOST) -> Iterator[Line]:
    """The lines of an output that are not too long, from its end."""
    texts = event.observation.split("\n")
    for n in range(max(1, len(texts) - most), len(texts) + 1):
        if len(texts[n - 1]) <= LONGEST and NUMBER.search(texts[n - 1]):
            yield Line(event, n, texts)


def terms_of(text: str) -> frozenset[str]:
    """The words of at least two letters and the numbers of a text."""
    return frozenset(_TERM.findall(text.lower()))


def is_decimal(number: re.Match[str]) -> bool:
    """Whether a printed number has decimals; a duration of several numbers is none."""
    return "." in number.group() and not number["parts"]


def numbers_in(text: str) -> Iterator[re.Match[str]]:
    """The numbers of a line; none as large as infinity ("1e999")."""
    return (number for number in NUMBER.finditer(text) if is_finite(value_of(number)))


def value_of(number: re.Match[str]) -> float:
    """The value of a printed number; of a duration in seconds."""
    if number["parts"]:
        return seconds_of(number["parts"])
    return float(number.group().rstrip(" %").replace(",", ""))


def place_of(cell: Measurement) -> int:
    """The how manieth number of its line a cell is, counted from 0."""
    return int(cell.id.rpartition(".")[2]) - 1


def first_value(text: str) -> int | None:
    """Where the values of a line begin, behind its name; ``None`` where it has none."""
    own = _OWN_CELL.match(text)
    if own:
        return own.end()
    first = _FIRST.search(text)
    return first.start() if first else None


def _name(text: str) -> str:
    """What stands in front of the first value of a line, else of its first number."""
    first = first_value(text)
    number = NUMBER.search(text)
    return text[: first if first is not None else number.start() if number else None].strip(EDGE)


def _called(before: str, column: str, is_below: bool) -> str:
    """What a number is called by the text in front of it; by its column, where one stands over it and that is apart."""
    own = _PARTS.split(before.rstrip(" \t:=\"'[("))[-1].strip()
    return own if _LETTER.search(own) and not (column and is_below) else column
