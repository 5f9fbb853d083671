"""What was known before a step: what had been edited, run and measured, and what was best so far."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from environment.metrics.meaning import canonical, lower_is_better
from environment.metrics.names import is_aggregate
from environment.records import Outcome
from evaluation.language.quantity import Quantity
from evaluation.language.splits import Split
from evaluation.record.code import Code
from evaluation.record.events import Event
from evaluation.record.index import Index
from evaluation.record.kinds import EventKind
from evaluation.record.log import RunLog
from evaluation.record.measured_runs import MeasuredRun
from evaluation.record.measurements import Measurement
from evaluation.record.rows import Rows

_SIDE_METRICS = re.compile(
    r"loss|time|samples|steps|second|memory|epoch|importance|count|size|norm|std"
    r"|cost|token|message|session|throughput|/s(?:ec)?\b|\b[qt]ps\b",
    re.IGNORECASE,
)
SCHEMES: tuple[Split, ...] = ("cv", "hold-out", "validation")
"""What held-out data may be called that is no test set."""
_OF_AGENT = re.compile(r"cost|token|message|session", re.IGNORECASE)
"""What a harness prints of the agent itself."""
_SCALE = 50.0
"""Values further apart than this factor are on different scales (dollars and log dollars)."""
_MOST_UNREAD = 1 / 3
"""Share of the numbers with decimals in outputs that the record may lack and still be taken for whole."""


@dataclass
class Known:
    """The record before one step."""

    log: RunLog
    given: list[Measurement]
    step: int
    events: list[Event]
    measured_runs: list[MeasuredRun]
    index: Index

    def before(self, step: int) -> Known:
        """What was known before an earlier step."""
        events = self.events[: self.index.events_before(step)]
        measured_runs = self.measured_runs[: self.index.runs_before(step)]
        return Known(self.log, self.given, step, events, measured_runs, self.index)

    @cached_property
    def values(self) -> list[Measurement]:
        """Every measured value, oldest first."""
        return self.index.rows[: self.index.count_before(self.step)]

    def latest_of(self, metric: str) -> Iterator[Measurement]:
        """The values of a metric, the latest first."""
        return self.index.latest_of(metric, self.index.count_before(self.step))

    def since(self, event: Event | None) -> Sequence[Event]:
        """What happened after an event; everything, where there is none."""
        return self.events[self.index.places[event.id] + 1 :] if event else self.events

    def runs_before(self, event: Event) -> Sequence[MeasuredRun]:
        """What was measured before an event; nothing, where it is the task's text."""
        return self.measured_runs[: self.index.runs_at(self.index.places.get(event.id, 0))]

    def measuring(self, metric: str) -> Sequence[MeasuredRun]:
        """The measured runs whose results can be of a metric, any for "", the latest first."""
        return self.index.runs_measuring(metric, len(self.measured_runs)) if metric else self.measured_runs[::-1]

    def stating(self, stated: Quantity) -> Sequence[Measurement]:
        """The values that a number states, oldest first."""
        if (bare := stated.bare) not in self._stating:
            near = self.index.near(bare, self.index.count_before(self.step))
            self._stating[bare] = [
                row for row in near if bare.states(row.value, recorded_percent=row.percent, in_seconds=row.in_seconds)
            ]
        return self._stating[bare]

    @cached_property
    def _stating(self) -> dict[Quantity, list[Measurement]]:
        return {}

    def likeliest(self, stated: Quantity) -> Sequence[Measurement]:
        """The same in the order in which they are meant: the harness's own scores, held-out data, the latest."""
        if (bare := stated.bare) not in self._likeliest:
            self._likeliest[bare] = sorted(self.stating(bare), key=_standing)[::-1]
        return self._likeliest[bare]

    @cached_property
    def _likeliest(self) -> dict[Quantity, list[Measurement]]:
        return {}

    def measured(self, metric: str, split: Split | None) -> bool:
        """Whether a metric was measured on a split."""
        return self.index.first_of.get((metric, split), self.step) < self.step

    @cached_property
    def rows(self) -> Rows:
        """Everything a verdict can rest on, by id."""
        return Rows(self.index, self.step)

    @cached_property
    def finals(self) -> list[Measurement]:
        """The final values of every measured run, oldest first."""
        return self.index.finals_of_first(len(self.measured_runs))

    def finals_of(self, like: Measurement) -> list[Measurement]:
        """The final values of the metric and split of one, oldest first."""
        return self.index.finals.of(like.key, len(self.finals))

    @cached_property
    def scripts_are_shown(self) -> bool:
        """Whether all code that ran was seen, so that something follows from its silence."""
        return self.index.shown.scripts_are_shown(len(self.events))

    @cached_property
    def measured_names(self) -> Collection[str]:
        """Canonical names of all metrics on record, in its order; "mean" alone names none."""
        names = (metric for (metric, _), step in self.index.first_of.items() if 0 <= step < self.step)
        return dict.fromkeys(name for name in names if not is_aggregate(name))

    @cached_property
    def baseline(self) -> list[Measurement]:
        """Values of the baseline: printed as such, or measured by a script before any change to it."""
        called, unchanged = self.index.called_baselines, () if self.given else self.index.unchanged
        return [row for row in (*called, *unchanged) if row.step < self.step]

    def lower_is_better(self, metric: str) -> bool:
        """Which way a metric is better in this run."""
        log = self.log
        return lower_is_better(metric, task_metric=log.metric, direction=log.direction)

    def best(self, values: Iterable[Measurement]) -> Measurement | None:
        """The best of values of one metric; the first of equals."""
        pool = list(values)
        if not pool:
            return None
        choose: Callable[..., Measurement] = min if self.lower_is_better(pool[0].metric) else max
        return choose(pool, key=lambda value: value.value)

    def main(
        self, measured_run: MeasuredRun, split: Split | None = None, metric: str | None = None
    ) -> Measurement | None:
        """The value "performance" means: the held-out one, of the metric asked for or the task's."""
        finals = measured_run.finals.values()
        pool = [m for m in finals if metric is None or m.metric == metric]
        if not pool and metric == "time":  # that of several data sets, each named before it
            pool = [m for m in finals if metric in m.metric.split()]
        if split is not None:
            pool = [m for m in pool if m.split == split] or [m for m in pool if m.split is None and split != "train"]
        if metric is None:
            own = pool
            pool = self._of_task_metric(pool) or [m for m in pool if not _SIDE_METRICS.search(m.name)]
            pool = pool or [m for m in own if not _OF_AGENT.search(m.name)] or own
        order: tuple[Split | None, ...] = ("test", "hold-out", "validation", "cv", None, "train")
        for wanted in order:
            chosen = [m for m in pool if m.split == wanted]
            if chosen:
                first = chosen[0].metric
                own = [m for m in chosen if m.metric == first]
                return self.best(own) if own[-1].label else own[-1]
        return None

    def _of_task_metric(self, pool: list[Measurement]) -> list[Measurement]:
        official = self.index.official
        wanted = self.log.metric or (official.metric if official and official.step < self.step else None)
        return [m for m in pool if m.metric == wanted] if wanted else []

    def earlier(self, value: Measurement) -> list[Measurement]:
        """Final values comparable to ``value`` from measured runs before it: same metric, split and scale."""
        found = []
        for final in self.finals_of(value):
            if final is value or final.step > value.step:
                break
            if self.comparable(final, value) and (final.event is not value.event or final.name == value.name):
                found.append(final)
        return [v for v in found if v.words == value.words] or found

    @staticmethod
    def comparable(a: Measurement, b: Measurement) -> bool:
        """Whether two values measure the same quantity, by the same scorer, on the same scale."""
        one_scorer = a.is_official == b.is_official or a.is_baseline or b.is_baseline
        low, high = sorted((abs(a.value), abs(b.value)))
        return a.key == b.key and one_scorer and (low == 0 or high / low < _SCALE)

    def failures(self) -> list[Event]:
        """Actions that failed, the latest first."""
        return [event for event in reversed(self.events) if event.outcome is not Outcome.OK]

    def of_kind(self, *kinds: EventKind) -> list[Event]:
        """Events of the kinds, the latest first."""
        return [event for event in reversed(self.events) if event.kind in kinds]

    @cached_property
    def edits(self) -> list[Event]:
        """Events that wrote code, the latest first: edits, and runs of code given with them."""
        return [event for event in reversed(self.events) if event.kind is EventKind.EDIT or event.writes]

    @cached_property
    def live_edits(self) -> list[Event]:
        """Edits that changed a file and were not undone, the latest first."""
        live: list[Event] = []
        for event in self.events:
            if event.writes:
                live.append(event)
            if event.kind is EventKind.UNDO and event.succeeded:
                undone = next(
                    (edit for edit in reversed(live) if not event.files or set(event.files) & set(edit.files)), None
                )
                if undone is not None:
                    live.remove(undone)
        return live[::-1]

    @cached_property
    def live_code(self) -> Code:
        """What the edits in effect wrote and took out."""
        return self.index.differences.part(self._places(self.live_edits))

    def difference(self, event: Event) -> Code:
        """What an event wrote and took out."""
        return self.index.differences.part(self._places([event]))

    @cached_property
    def commands(self) -> Code:
        """The commands that were run."""
        return self.index.commands.first(len(self.events))

    def _places(self, events: Iterable[Event]) -> Iterator[int]:
        return (self.index.places[event.id] for event in events)

    @property
    def hides_outputs(self) -> bool:
        """Whether the log left out part of what scripts printed, so that nothing follows from its silence."""
        return self.index.shown.hides_outputs(len(self.events))

    @property
    def leaves_unread(self) -> bool:
        """Whether outputs hold so much under no name that was read that nothing follows from the record's silence."""
        return self.index.printed.unread_share(len(self.events)) > _MOST_UNREAD

    def hides_values(self, metric: str) -> bool:
        """Whether values of a metric, or any where it is "", may have been printed that are not on record."""
        named = canonical(metric) if metric else ""
        return self.index.shown.hides_values(len(self.events), named if named in self.measured_names else "")

    @property
    def cuts_code(self) -> bool:
        """Whether the log left out code that was written."""
        return self.index.shown.first_cut < len(self.events)

    @property
    def hides_code(self) -> bool:
        """Whether the log left out code, or has none, so that nothing follows from its silence."""
        count = len(self.events)
        return self.cuts_code or self.index.shown.first_unseen < count or self.index.shown.first_code >= count

    @cached_property
    def code(self) -> Code:
        """What is known of the run's code, commands and outputs."""
        return self.index.code.first(len(self.events))

    @cached_property
    def proven_code(self) -> Code:
        """As ``code``, of what has run well since it was written: without scripts whose every run failed."""
        return self.index.code.masked(self.index.proven.before(len(self.events)))

    @cached_property
    def measured_code(self) -> Code:
        """As ``code``, of what had happened by the last measurement; without one, before the last run."""
        if self.measured_runs:
            return self.index.code.first(self.index.places[self.measured_runs[-1].event.id] + 1)
        runs = self.of_kind(EventKind.RUN)
        return self.index.code.first(self.index.places[runs[0].id] if runs else 0)


def _standing(row: Measurement) -> tuple[bool, bool, bool]:
    return not row.derived_from, row.is_official, row.split != "train"
