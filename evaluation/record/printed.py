"""The numbers that outputs show under no name that was read, in the units they stand in."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from environment.metrics.names import is_setting
from environment.metrics.spans import seconds_of
from environment.metrics.timed import ROW_TIME
from environment.metrics.value import number_of
from evaluation.language.quantity import Quantity, Unit, is_finite
from evaluation.record.events import Event
from evaluation.record.measurements import Measurement

_NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:,\d{3})*(?:\.\d+)?(?:e[-+]?\d+)?")
_MILLISECONDS = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?) ?ms\b")
_PART = r"\d+(?:\.\d+)?[ ]?(?:h(?:ours?|rs?)?|m(?:in(?:ute)?s?)?|s(?:ec(?:ond)?s?)?)(?![a-z])"
_LASTING = re.compile(rf"(?<![\w.]){_PART}(?:,?[ ]?{_PART}){{0,2}}")
"""In units, as the shell's ``time`` has it ("0m14.093s"), and bars of progress: "51s", "1m 12s", "2h 5m"."""
_CLOCK = re.compile(r"(?<=[\[<])\d+:\d\d(?::\d\d)?(?=[<,])|(?<!\d[ T])(?<![\d:.])\d+:\d\d:\d\d(?![\d:])")
"""Of a bar of progress, the time gone by and the time left ("[1:16:36<5:12:51,"), and a span that is no time of day."""
_TOLD = re.compile(
    r"(?<![\w.])\+\d+\.\d+|[\[(][-+]?\d+\.\d+, ?[-+]?\d+\.\d+[\])]"
    r"|(?<![\w.])\d+\.\d+(?:\.\.\d+\.\d+|(?:/\d+\.\d+){2,})"
)
"""A difference: "+0.0117"; the ends of an interval: "[0.695, 0.830]", "47.21..63.79"; parts: "64.1/38.0/24.9/16.8"."""
_NAMED = re.compile(r"(?<![\w.])([A-Za-z]\w{1,40})[ \t]*[:=][ \t]*[-+]?(\d+\.\d+)")
_DECIMAL = re.compile(r"\d+\.\d+")
_LONGEST = 200_000
"""Characters of an output, from its end, whose numbers are known."""


class Printed:
    """Which numbers outputs show beside the values that were read.

    Args:
        events: In order.
        read: The values that were read from an event.
    """

    def __init__(self, events: Sequence[Event], read: Callable[[Event], Iterable[Measurement]]) -> None:
        self._events = events
        self._read = read

    def states(self, stated: Quantity, step: int) -> bool:
        """Whether an output before a step holds a number; of 21.4 % also 0.214."""
        return self._is_on_a_scale(stated, step)

    def is_of_size(self, stated: Quantity, step: int) -> bool:
        """As ``states``, only behind names of settings and sizes: "peak_vram_mb: 44871.5"."""
        return self._is_on_a_scale(stated, step, of=self._sizes) and not self._is_on_a_scale(
            stated, step, of=self._loose
        )

    def is_reported(self, stated: Quantity, step: int) -> bool:
        """As ``states``, of what another agent reported before a step whose work no log holds."""
        return self._is_on_a_scale(stated, step, of=self._reported)

    def lasts(self, stated: Quantity, step: int) -> bool:
        """Whether an output before a step holds a duration to the digits given, be it in other units."""
        if stated.unit is not Unit.SECONDS:
            return False
        return any(at < step and stated.is_near(seconds / stated.seconds) for seconds, at in self._durations) or any(
            self._is_there(stated, step, scale, of=self._decimals) for scale in (1, 1 / stated.seconds)
        )

    def differs_by(self, amount: Quantity, step: int) -> bool:
        """Whether an output before a step holds a number with its sign, as differences are printed: "-0.90"."""
        return any(at < step and amount.is_near(abs(number)) for number, at in self._signed)

    def unread_share(self, events: int) -> float:
        """Of the numbers with decimals that the outputs of the first events hold, those under no name that was read.

        The values of seeds or folds beside their mean, the times of rows, the ends of intervals and numbers with a plus
        count as neither: what they are is told by how they stand, which says nothing of how far the rest is understood.
        """
        read, unread = self._counts[events]
        return unread / (read + unread) if unread else 0.0

    @cached_property
    def _counts(self) -> list[tuple[int, int]]:
        """How many numbers with decimals were read and were not, in the outputs of so many first events."""
        counts = [(0, 0)]
        for event in self._events:
            read, unread = counts[-1]
            if event.shows_output:
                rows = [row for row in self._read(event) if not row.value.is_integer()]
                read += len({row.value for row in rows if not _is_nameless(row)})
                left = {abs(number) for number, _ in self._unread_of[event.id] if not number.is_integer()}
                unread += len(left - _told(event.observation))
            counts.append((read, unread))
        return counts

    def _is_on_a_scale(self, stated: Quantity, step: int, of: list[tuple[float, int]] | None = None) -> bool:
        """Whether a number is there as it is or, of a percentage, as a fraction."""
        return any(self._is_there(stated, step, scale, of) for scale in (1, 100)[: 1 + stated.percent_like])

    def _is_there(self, stated: Quantity, step: int, scale: float, of: list[tuple[float, int]] | None = None) -> bool:
        numbers = self._numbers if of is None else of
        slack = stated.resolution + 1e-9 * max(1.0, abs(stated.value))
        low = bisect_left(numbers, ((stated.value - slack) / scale, -1))
        high = bisect_right(numbers, ((stated.value + slack) / scale, step))
        found = (number for number, at in numbers[low:high] if at < step)
        return any(stated.is_near(number * scale) for number in found if of is not None or _may_be(number, stated))

    @cached_property
    def _numbers(self) -> list[tuple[float, int]]:
        return sorted((number, step) for number, step, _ in self._unread())

    @cached_property
    def _reported(self) -> list[tuple[float, int]]:
        reports = ((event.step, self._of(event)) for event in self._events if event.is_report)
        return sorted((number, step) for step, numbers in reports for number, _ in numbers)

    @cached_property
    def _sizes(self) -> list[tuple[float, int]]:
        printing = (event for event in self._events if event.prints)
        return sorted((number, event.step) for event in printing for number in _sizes_of(event.observation[-_LONGEST:]))

    @cached_property
    def _loose(self) -> list[tuple[float, int]]:
        sizes = set(self._sizes)
        return [each for each in self._numbers if each not in sizes]

    @cached_property
    def _decimals(self) -> list[tuple[float, int]]:
        return sorted((number, step) for number, step, text in self._unread() if "." in text)

    @cached_property
    def _signed(self) -> list[tuple[float, int]]:
        return [(number, step) for number, step, text in self._unread() if text[0] in "+-"]

    @cached_property
    def _durations(self) -> list[tuple[float, int]]:
        found = []
        for event in self._events:
            if event.prints:
                seen = event.observation[-_LONGEST:]
                found += [(float(each[1]) / 1000, event.step) for each in _MILLISECONDS.finditer(seen)]
                told = (*_LASTING.findall(seen), *_CLOCK.findall(seen))
                found += [(seconds_of(each), event.step) for each in told]
        return found

    def _unread(self) -> Iterator[tuple[float, int, str]]:
        """The numbers that are the value of no row of their line, each with its step and as written."""
        for event in self._events:
            yield from ((number, event.step, text) for number, text in self._unread_of.get(event.id, ()))

    @cached_property
    def _unread_of(self) -> Mapping[str, set[tuple[float, str]]]:
        """Those of each output, by the id of its event."""
        return {event.id: self._of(event) for event in self._events if event.prints}

    def _of(self, event: Event) -> set[tuple[float, str]]:
        skipped = max(0, len(event.observation) - _LONGEST)
        first = event.observation.count("\n", 0, skipped) + 1
        read = {(row.line, abs(row.value)) for row in self._read(event)}
        return {
            (number, text)
            for at, line in enumerate(event.observation[skipped:].split("\n"), first)
            for text in _numbers_of(line)
            if is_finite(number := number_of(text)) and (at, abs(number)) not in read
        }


def _numbers_of(line: str) -> Iterator[str]:
    """The numbers of a line; where a comma may as well part thousands as cells ("12,438"), those of both readings."""
    for text in _NUMBER.findall(line):
        yield text
        if "," in text:
            yield from text.split(",")


def _told(output: str) -> set[float]:
    """The numbers with a plus, those of intervals, and those of settings and sizes ("peak_vram_mb: 44871.5")."""
    seen = output[-_LONGEST:]
    return {abs(float(n)) for found in _TOLD.findall(seen) for n in _DECIMAL.findall(found)} | _sizes_of(seen)


def _sizes_of(seen: str) -> set[float]:
    return {float(number) for name, number in _NAMED.findall(seen) if is_setting(name)}


def _may_be(number: float, stated: Quantity) -> bool:
    """Whether a number may be the one that is stated with decimals: the 1 of "epoch 1" is no 0.99."""
    return stated.value.is_integer() or not number.is_integer()


def _is_nameless(row: Measurement) -> bool:
    return row.is_beside_mean or row.name == ROW_TIME
