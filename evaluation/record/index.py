"""Where in a run what is said can stand: found once for all its steps, asked for what was known before each."""

from __future__ import annotations

import sys
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from evaluation.language.quantity import Quantity
from evaluation.language.splits import Split
from evaluation.record.cells import Cells
from evaluation.record.code import Corpus
from evaluation.record.cuts import is_left_out
from evaluation.record.events import Event
from evaluation.record.kinds import EventKind
from evaluation.record.measured_runs import MeasuredRun, own_words
from evaluation.record.measurements import Measurement
from evaluation.record.names import Names
from evaluation.record.printed import Printed
from evaluation.record.proven import Proven
from evaluation.record.subjects import Subjects
from evaluation.record.tables import Tables

_COMMAND = 400
"""Characters of a command in which its options stand."""


@dataclass
class Index:
    """The events and values of a whole run.

    Attributes:
        events: In order.
        given: Values that the task's text gives.
        measured_runs: In order.
    """

    events: Sequence[Event]
    given: Sequence[Measurement]
    measured_runs: Sequence[MeasuredRun]

    @cached_property
    def places(self) -> Mapping[str, int]:
        """The number of each event, by its id."""
        return {event.id: n for n, event in enumerate(self.events)}

    @cached_property
    def code(self) -> Corpus:
        """What each event shows of the run's code."""
        return Corpus(event.code for event in self.events)

    @cached_property
    def differences(self) -> Corpus:
        """What each event wrote, and what it took out."""
        return Corpus(event.difference for event in self.events)

    @cached_property
    def commands(self) -> Corpus:
        """What each run was called with."""
        return Corpus(event.command[:_COMMAND] if event.kind is EventKind.RUN else "" for event in self.events)

    @cached_property
    def rows(self) -> list[Measurement]:
        """Every value, oldest first."""
        return [*self.given, *(row for run in self.measured_runs for row in (*run.values, *run.means))]

    @cached_property
    def baselines(self) -> list[Measurement]:
        """The values that are called a baseline where they are printed."""
        return [row for row in self.rows if row.is_baseline]

    @cached_property
    def by_id(self) -> Mapping[str, Measurement | Event]:
        """Events and values by their ids."""
        rows: list[Measurement | Event] = [*self.events, *self.rows, *self.tables.cells]
        return {row.id: row for row in rows}

    @cached_property
    def _of_events(self) -> Mapping[str, list[Measurement]]:
        found: dict[str, list[Measurement]] = {}
        for row in self.rows:
            found.setdefault(row.event.id, []).append(row)
        return found

    def of_event(self, event: Event) -> Sequence[Measurement]:
        """The values that an event showed."""
        return self._of_events.get(event.id, ())

    @cached_property
    def _called(self) -> frozenset[tuple[str, str, Split | None, str, frozenset[str]]]:
        return frozenset(
            (row.event.id, row.metric, row.split, row.label, own_words(row.label, row.name)) for row in self.rows
        )

    def is_beside(self, row: Measurement, split: Split) -> bool:
        """Whether the event of a value showed that of the same thing on another split."""
        return (row.event.id, row.metric, split, row.label, own_words(row.label, row.name)) in self._called

    def events_before(self, step: int) -> int:
        """How many of the events happened before a step."""
        return bisect_left(self._steps_of_events, step)

    @cached_property
    def _steps_of_events(self) -> list[int]:
        return [event.step for event in self.events]

    def runs_before(self, step: int) -> int:
        """How many of the measured runs happened before a step."""
        return bisect_left(self._steps_of_runs, step)

    @cached_property
    def _steps_of_runs(self) -> list[int]:
        return [run.event.step for run in self.measured_runs]

    def finals_of_first(self, runs: int) -> list[Measurement]:
        """The final values of the first measured runs, oldest first."""
        return self._finals.of_first(runs)

    @cached_property
    def _finals(self) -> _Pile:
        return _Pile(run.finals.values() for run in self.measured_runs)

    @cached_property
    def names(self) -> Names:
        """What outputs and command lines call the final values."""
        return Names(self._finals.of_first(len(self.measured_runs)))

    @cached_property
    def subjects(self) -> Subjects:
        """What the results are of."""
        return Subjects(self.measured_runs)

    @cached_property
    def run_of(self) -> Mapping[str, MeasuredRun]:
        """The measured run of each event that measured something."""
        return {run.event.id: run for run in self.measured_runs}

    @cached_property
    def runs_of_files(self) -> Mapping[str, list[int]]:
        """The numbers of the measured runs of each file."""
        found: dict[str, list[int]] = {}
        for n, run in enumerate(self.measured_runs):
            for name in run.event.files:
                found.setdefault(name, []).append(n)
        return found

    def last_run_of(self, name: str, runs: int) -> int | None:
        """The number of the last measured run of a file among the first ones."""
        own = self.runs_of_files[name]
        count = bisect_left(own, runs)
        return own[count - 1] if count else None

    def scripts_are_shown(self, place: int) -> bool:
        """Whether the code of all that ran before a place was seen before it."""
        return all(self._first_shown.get(name, place) < place for name, at in self._first_ran.items() if at < place)

    @cached_property
    def _first_shown(self) -> Mapping[str, int]:
        shown = [(n, event) for n, event in enumerate(self.events) if event.shows_code and not event.diffed]
        shown = [(n, event) for n, event in shown if not event.is_cut]
        return {name: n for n, event in reversed(shown) for name in event.files}

    @cached_property
    def _first_ran(self) -> Mapping[str, int]:
        ran = [(n, event) for n, event in enumerate(self.events) if event.kind is EventKind.RUN and not event.writes]
        return {name: n for n, event in reversed(ran) for name in event.files[:1]}

    @cached_property
    def first_cut(self) -> int:
        """The place of the first event that wrote code, or may have, which the log left out; else behind all."""
        wrote = ((e.is_cut and (e.kind is EventKind.EDIT or e.writes)) or is_left_out(e.command) for e in self.events)
        return _first(wrote)

    def hides_outputs(self, count: int) -> bool:
        """Whether one of the first events shows but part of its output, and no other of them the rest."""
        return any(n < count <= until for n, until in self._hidden)

    def hides_values(self, count: int, metric: str = "") -> bool:
        """As ``hides_outputs``, of events whose values were not read before their output was cut, or are too many.

        Those of which there are too many are of the metrics that are kept of the same event.
        """
        hidden = (each for each in self._hidden if self.events[each[0]].exchange.metrics is None)
        is_dropped = any(n < count and (not metric or metric in of) for n, of in self._dropped)
        return is_dropped or any(n < count <= until for n, until in hidden)

    @cached_property
    def _dropped(self) -> list[tuple[int, frozenset[str]]]:
        """The places of events that printed more values than are kept, with the metrics of those."""
        many = [(n, event) for n, event in enumerate(self.events) if event.shows_output and event.drops_values]
        return [(n, frozenset(row.metric for row in self.of_event(event))) for n, event in many]

    @cached_property
    def _hidden(self) -> list[tuple[int, int]]:
        """Each event that shows but part of its output, and the place of the one that shows the rest of it."""
        return [(n, self._shown_whole(n)) for n, event in enumerate(self.events) if event.hides_output]

    def _shown_whole(self, place: int) -> int:
        """Where another tool tells of the end of a command that went on; behind all where none does."""
        begun = self.events[place]
        if begun.cuts_output:
            return len(self.events)
        later = (
            n
            for n, event in enumerate(self.events[place + 1 :], place + 1)
            if event.command == begun.command
            and event.exchange.action.name != begun.exchange.action.name
            and not event.unfinished
        )
        return next(later, len(self.events))

    @cached_property
    def first_unseen(self) -> int:
        """The place of the first edit of a part of a file that was not shown; behind all where there is none."""
        shown = self._first_shown
        return _first(
            event.is_of_part and any(shown.get(name, n) >= n for name in event.files[:1])
            for n, event in enumerate(self.events)
        )

    @cached_property
    def first_code(self) -> int:
        """The place of the first event that shows code or names a file; behind all where there is none."""
        return _first(bool(event.shows_code or event.files) for event in self.events)

    @cached_property
    def proven(self) -> Proven:
        """Which code has run well since it was written."""
        return Proven(self.events, {run.event.id for run in self.measured_runs})

    def count_before(self, step: int) -> int:
        """How many of the values were shown before a step."""
        return bisect_left(self._steps, step)

    @cached_property
    def _steps(self) -> list[int]:
        return [row.step for row in self.rows]

    @cached_property
    def _by_value(self) -> list[tuple[float, int]]:
        return sorted((row.value, n) for n, row in enumerate(self.rows))

    def near(self, stated: Quantity, count: int) -> list[Measurement]:
        """Those of the first values that a stated number can be, and a few that it is not; oldest first."""
        if stated.bound:
            return self.rows[:count]
        places = {n for low, high in stated.spans() for n in _between(self._by_value, low, high)}
        return [self.rows[n] for n in sorted(places) if n < count]

    @cached_property
    def tables(self) -> Tables:
        """The rows of tables that outputs show."""
        return Tables(self.events)

    @cached_property
    def cells(self) -> Cells:
        """The numbers that outputs show, each by where it stands."""
        return Cells(self.events, self.of_event)

    def row(self, id_: str) -> Measurement | Event | None:
        """An event, a value or a printed number by its id; ``None`` where there is none such."""
        return self.cells.find(id_) or self.by_id.get(id_)

    @cached_property
    def printed(self) -> Printed:
        """The numbers that outputs show beside the values."""
        return Printed(self.events, self.of_event)

    @cached_property
    def first_of(self) -> Mapping[tuple[str, Split | None], int]:
        """The first step that measured a metric on a split."""
        found: dict[tuple[str, Split | None], int] = {}
        for row in self.rows:
            found.setdefault(row.key, row.step)
        return found


class _Pile:
    """Values of the measured runs, of which the first runs' are asked for."""

    def __init__(self, of_runs: Iterable[Iterable[Measurement]]) -> None:
        piled = [list(values) for values in of_runs]
        self._values = [value for values in piled for value in values]
        self._ends = [0, *accumulate(map(len, piled))]

    def of_first(self, runs: int) -> list[Measurement]:
        return self._values[: self._ends[runs]]


def _first(told: Iterable[bool]) -> int:
    """The number of the first that is so; one that is beyond all places where none is."""
    return next((n for n, is_so in enumerate(told) if is_so), sys.maxsize)


def _between(ordered: Sequence[tuple[float, int]], low: float, high: float) -> Iterator[int]:
    start, end = bisect_left(ordered, (low, -1)), bisect_right(ordered, (high, len(ordered)))
    return (n for _, n in ordered[start:end])
