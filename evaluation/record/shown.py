"""How much of a run's code and outputs its log shows, asked for at a place: the first events, or those before it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property

from evaluation.record.cuts import is_left_out
from evaluation.record.events import Event
from evaluation.record.kinds import EventKind
from evaluation.record.measurements import Measurement


class Shown:
    """What follows from a log's silence.

    Args:
        events: In order.
        of_event: The values that were read from an event.
    """

    def __init__(self, events: Sequence[Event], of_event: Callable[[Event], Iterable[Measurement]]) -> None:
        self._events = events
        self._of_event = of_event

    def scripts_are_shown(self, place: int) -> bool:
        """Whether the code of all that ran before a place was seen before it."""
        return all(self._first_shown.get(name, place) < place for name, at in self._first_ran.items() if at < place)

    @cached_property
    def _first_shown(self) -> Mapping[str, int]:
        shown = [(n, event) for n, event in enumerate(self._events) if event.shows_code and not event.diffed]
        shown = [(n, event) for n, event in shown if not event.is_cut]
        return {name: n for n, event in reversed(shown) for name in event.files}

    @cached_property
    def _first_ran(self) -> Mapping[str, int]:
        ran = [(n, event) for n, event in enumerate(self._events) if event.kind is EventKind.RUN and not event.writes]
        return {name: n for n, event in reversed(ran) for name in event.files[:1]}

    @cached_property
    def first_cut(self) -> int:
        """The place of the first event that wrote code, or may have, which the log left out; else behind all."""
        wrote = ((e.is_cut and (e.kind is EventKind.EDIT or e.writes)) or is_left_out(e.command) for e in self._events)
        return _first(wrote)

    def hides_outputs(self, count: int) -> bool:
        """Whether one of the first events shows but part of its output, and no other of them the rest."""
        return any(n < count <= until for n, until in self._hidden)

    def hides_values(self, count: int, metric: str = "") -> bool:
        """As ``hides_outputs``, of events whose values were not read before their output was cut, or are too many.

        Those of which there are too many are of the metrics that are kept of the same event.
        """
        hidden = (each for each in self._hidden if self._events[each[0]].exchange.metrics is None)
        is_dropped = any(n < count and (not metric or metric in of) for n, of in self._dropped)
        return is_dropped or any(n < count <= until for n, until in hidden)

    @cached_property
    def _dropped(self) -> list[tuple[int, frozenset[str]]]:
        """The places of events that printed more values than are kept, with the metrics of those."""
        many = [(n, event) for n, event in enumerate(self._events) if event.shows_output and event.drops_values]
        return [(n, frozenset(row.metric for row in self._of_event(event))) for n, event in many]

    @cached_property
    def _hidden(self) -> list[tuple[int, int]]:
        """Each event that shows but part of its output, and the place of the one that shows the rest of it."""
        return [(n, self._shown_whole(n)) for n, event in enumerate(self._events) if event.hides_output]

    def _shown_whole(self, place: int) -> int:
        """Where another tool tells of the end of a command that went on; behind all where none does."""
        begun = self._events[place]
        if begun.cuts_output:
            return len(self._events)
        later = (
            n
            for n, event in enumerate(self._events[place + 1 :], place + 1)
            if event.command == begun.command
            and event.exchange.action.name != begun.exchange.action.name
            and not event.unfinished
        )
        return next(later, len(self._events))

    @cached_property
    def first_unseen(self) -> int:
        """The place of the first edit of a part of a file that was not shown; behind all where there is none."""
        shown = self._first_shown
        return _first(
            event.is_of_part and any(shown.get(name, n) >= n for name in event.files[:1])
            for n, event in enumerate(self._events)
        )

    @cached_property
    def first_code(self) -> int:
        """The place of the first event that shows code or names a file; behind all where there is none."""
        return _first(bool(event.shows_code or event.files) for event in self._events)


def _first(told: Iterable[bool]) -> int:
    """The number of the first that is so; one that is beyond all places where none is."""
    return next((n for n, is_so in enumerate(told) if is_so), sys.maxsize)
