"""The model of a run: what was edited, run and measured up to any step, and what is best so far."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

from evaluation.record.derived import with_derived
from evaluation.record.events import Event, read_events, shown_lines
from evaluation.record.index import Index
from evaluation.record.kinds import EventKind
from evaluation.record.known import SCHEMES, Known
from evaluation.record.log import RunLog
from evaluation.record.measured_runs import MeasuredRun, called, words_before_values, words_of
from evaluation.record.measurements import Measurement, identified, measurements
from evaluation.record.prompt_baseline import baseline_in
from evaluation.record.siblings import with_labels


@dataclass
class RunModel:
    """All events and measured runs of a run in order; ask ``before(step)`` for what was known."""

    log: RunLog
    events: list[Event] = field(default_factory=list)
    measured_runs: list[MeasuredRun] = field(default_factory=list)
    given: list[Measurement] = field(default_factory=list)

    @classmethod
    def of(cls, log: RunLog) -> RunModel:
        """Read a log once from start to end."""
        model = cls(log, given=baseline_in(log.task_text))
        listing: dict[int, str] = {}
        names: set[str] = set()  # words of the edits since the last measured run
        for number, step in enumerate(log.steps):
            if model.measured_runs:
                model.measured_runs[-1].call(
                    number, *(words_before_values(model.measured_runs[-1], text) for text in step.prose.values())
                )
            for event in _numbered(
                event for exchange in step.exchanges for event in read_events(number, exchange, listing)
            ):
                model.events.append(event)
                if event.kind in (EventKind.READ, EventKind.EDIT) and event.succeeded and not event.authored:
                    listing = shown_lines(event.observation) or listing
                names.update(words_of(event.added[:8000]))
                if event.kind is EventKind.EDIT and model.measured_runs:
                    model.measured_runs[-1].call(number, set(words_of(event.removed)) - set(words_of(event.added)))
                values = with_derived(identified(with_labels(measurements(event))))
                if values:
                    if event.kind is EventKind.SCORE and model.measured_runs:
                        names.update(model.measured_runs[-1].names)
                    model.measured_runs.append(MeasuredRun(event, values))
                    model.measured_runs[-1].call(number, names | called(event))
                    names = set()
        model._join_schemes()
        return model

    def _join_schemes(self) -> None:
        """Cross-validation and hold-out are plain validation, unless the run measures more than one of them."""
        held_out = {value.split for measured in self.measured_runs for value in measured.values} & set(SCHEMES)
        if len(held_out) == 1:
            for measured in self.measured_runs:
                measured.values = [
                    replace(v, split="validation") if v.split in held_out else v for v in measured.values
                ]

    def before(self, step: int) -> Known:
        """What the agent had seen before it wrote the prose of ``step``."""
        whole = Known(self.log, self.given, len(self.log.steps), self.events, self.measured_runs, self._index)
        return whole.before(step)

    @cached_property
    def _index(self) -> Index:
        return Index(self.events, self.given, self.measured_runs)


def _numbered(events: Iterable[Event]) -> Iterator[Event]:
    """The events of one step, each with its id: ``e7``, and where there are several ``e7.1`` and so on."""
    for n, event in enumerate(events):
        yield replace(event, id=f"e{event.step}.{n}" if n else f"e{event.step}")
