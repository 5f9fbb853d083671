"""Where in a run what is said can stand: found once for all its steps, asked for what was known before each."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from evaluation.language.quantity import Quantity
from evaluation.language.splits import Split
from evaluation.record.baselines import of_unchanged
from evaluation.record.by_value import ByValue
from evaluation.record.cells import Cells
from evaluation.record.code import Corpus
from evaluation.record.events import Event
from evaluation.record.finals import Finals
from evaluation.record.kinds import EventKind
from evaluation.record.matrices import Matrices
from evaluation.record.measured_runs import MeasuredRun, own_words
from evaluation.record.measurements import UNNAMED, Measurement
from evaluation.record.printed import Printed
from evaluation.record.proven import Proven
from evaluation.record.repeats import Repeats
from evaluation.record.shown import Shown
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
    def called_baselines(self) -> list[Measurement]:
        """The values that are called a baseline where they are printed."""
        return [row for row in self.rows if row.is_baseline]

    @cached_property
    def unchanged(self) -> list[Measurement]:
        """The final values that a script measured before any change to it."""
        runs = (self.run_of[event.id] for event in of_unchanged(self.events, self.run_of))
        return [row for run in runs for row in run.finals.values()]

    @cached_property
    def official(self) -> Measurement | None:
        """The first value of the harness's own scoring."""
        return next((row for row in self.rows if row.is_official), None)

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

    def runs_at(self, place: int) -> int:
        """How many of the measured runs happened before the event of a place."""
        return bisect_left(self._places_of_runs, place)

    @cached_property
    def _places_of_runs(self) -> list[int]:
        return [self.places[run.event.id] for run in self.measured_runs]

    def finals_of_first(self, runs: int) -> list[Measurement]:
        """The final values of the first measured runs, oldest first."""
        return self._finals[: self._ends[runs]]

    @cached_property
    def _finals(self) -> list[Measurement]:
        return [final for run in self.measured_runs for final in run.finals.values()]

    @cached_property
    def _ends(self) -> list[int]:
        """How many final values so many first runs have."""
        return [0, *accumulate(len(run.finals) for run in self.measured_runs)]

    @cached_property
    def finals(self) -> Finals:
        """The final values by what they are of."""
        return Finals(self._finals)

    @cached_property
    def repeats(self) -> Repeats:
        """The final values of one setting under several seeds."""
        return Repeats(self._finals)

    @cached_property
    def subjects(self) -> Subjects:
        """What the results are of."""
        return Subjects(self.measured_runs)

    @cached_property
    def run_of(self) -> Mapping[str, MeasuredRun]:
        """The measured run of each event that measured something."""
        return {run.event.id: run for run in self.measured_runs}

    def runs_measuring(self, metric: str, runs: int) -> Sequence[MeasuredRun]:
        """The first runs that measured a metric, or something under no name, the latest first."""
        places = {n for name in (metric, UNNAMED) for n in self._runs_of_metrics.get(name, ())}
        return [self.measured_runs[n] for n in sorted(places, reverse=True) if n < runs]

    @cached_property
    def _runs_of_metrics(self) -> Mapping[str, list[int]]:
        found: dict[str, list[int]] = {}
        for n, run in enumerate(self.measured_runs):
            for name in {each for row in run.finals.values() for each in (row.metric, *row.metric.split())}:
                found.setdefault(name, []).append(n)
        return found

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

    @cached_property
    def shown(self) -> Shown:
        """How much of code and outputs the log shows."""
        return Shown(self.events, self.of_event)

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
    def _by_value(self) -> ByValue[int]:
        return ByValue((row.value, n) for n, row in enumerate(self.rows))

    def near(self, stated: Quantity, count: int) -> list[Measurement]:
        """Those of the first values that a stated number can be, and a few that it is not; oldest first."""
        return [self.rows[n] for n in sorted({n for _, n in self._by_value.near(stated) if n < count})]

    @cached_property
    def tables(self) -> Tables:
        """The rows of tables that outputs show."""
        return Tables(self.events)

    @cached_property
    def matrices(self) -> Matrices:
        """The confusion matrices that outputs show."""
        return Matrices(self.events)

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

    def latest_of(self, metric: str, count: int) -> Iterator[Measurement]:
        """Those of the first values that are of a metric, the latest first."""
        places = self._of_metrics.get(metric, [])
        return (self.rows[n] for n in reversed(places[: bisect_left(places, count)]))

    @cached_property
    def _of_metrics(self) -> Mapping[str, list[int]]:
        found: dict[str, list[int]] = {}
        for n, row in enumerate(self.rows):
            found.setdefault(row.metric, []).append(n)
        return found

    @cached_property
    def first_of(self) -> Mapping[tuple[str, Split | None], int]:
        """The first step that measured a metric on a split."""
        found: dict[tuple[str, Split | None], int] = {}
        for row in self.rows:
            found.setdefault(row.key, row.step)
        return found
