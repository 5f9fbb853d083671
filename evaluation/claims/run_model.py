"""The model of a run: what was edited, run and measured up to any step, and what is best so far."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property

from evaluation.claims.events import Event, EventKind, read_event, shown_lines
from evaluation.claims.log import RunLog
from evaluation.claims.measurements import Measurement, measurements
from evaluation.claims.metric_names import Split, lower_is_better, without_metrics
from evaluation.claims.numbers import find_numbers

_WORD = re.compile(r"[a-z][a-z0-9]+|\d+(?:\.\d+)?")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_SIDE_METRICS = re.compile(r"loss|time|samples|steps|second|memory|epoch|importance|count|size|norm|std", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n")
_PRECISE = 3
"""Digits from which a number in prose is hardly a value by chance."""
_PLAIN = frozenset({"train", "main", "python", "run", "test", "eval", "evaluate", "model", "script", "training"})
_SCALE = 50.0
"""Values further apart than this factor are on different scales (dollars and log dollars)."""


def words_of(text: str) -> list[str]:
    """The lower-case words and numbers of a text, names in camel case taken apart."""
    return _WORD.findall(_CAMEL.sub(" ", text).lower())


def called(event: Event) -> set[str]:
    """Words of the script and the command line of a run; "depth4" is also "depth" and "4"."""
    text = " ".join([*(name.partition(".")[0] for name in event.files), event.command.partition("\n")[0]])
    return {*words_of(text), *words_of(re.sub(r"(?<=[a-z])(?=\d)", " ", text.lower()))}


def told_of(trial: Trial, prose: str) -> set[str]:
    """What stands in front of a value of a trial that a sentence gives in at least three digits."""
    told: set[str] = set()
    for sentence in _SENTENCE.split(prose[:4000]):
        given = [n for n in find_numbers(sentence) if sum(c.isdigit() for c in n.text) >= _PRECISE]
        if len(given) <= 4 and any(n.states(v.value, recorded_percent=v.percent) for n in given for v in trial.values):
            told.update(words_of(without_metrics(sentence[: given[0].start])))
    return told


@dataclass
class Trial:
    """One run or scoring that measured something, and what was done since the one before.

    Attributes:
        event: The run.
        values: What it measured.
        words: Words of the edits and the prose since the run before.
        names: Words it may be called by, with the step that gave them: of its script, its arguments, the edits for
            it, code taken out after it, and sentences that give its values.
    """

    event: Event
    values: list[Measurement]
    words: frozenset[str]
    names: dict[str, int] = field(default_factory=dict)

    @cached_property
    def command_words(self) -> set[str]:
        """Words of its script and command line."""
        return called(self.event)

    def call(self, step: int, *names: set[str]) -> None:
        """Remember words it may be called by from a step on."""
        for name in set().union(*names):
            self.names.setdefault(name, step)

    @cached_property
    def finals(self) -> dict[tuple[str, str, Split | None, int], Measurement]:
        """The last value of each name and split; a baseline printed beside it does not count.

        Where a script trains several models one after another its epochs start anew: each has its own final values.
        """
        found: dict[tuple[str, str, Split | None, int], Measurement] = {}
        at = 0
        epoch = 0.0
        for value in self.values:
            if value.epoch is not None:
                at += value.epoch < epoch
                epoch = value.epoch
            if not value.is_baseline:
                found[value.name, value.metric, value.split, at] = value
        return found

    def final(self, metric: str, split: Split | None) -> Measurement | None:
        """The last value of a metric on a split."""
        found = [m for m in self.finals.values() if m.metric == metric and m.split == split]
        return found[-1] if found else None


@dataclass
class RunModel:
    """All events and trials of a run in order; ask ``before(step)`` for what was known."""

    log: RunLog
    events: list[Event] = field(default_factory=list)
    trials: list[Trial] = field(default_factory=list)

    @classmethod
    def of(cls, log: RunLog) -> RunModel:
        """Read a log once from start to end."""
        model = cls(log)
        listing: dict[int, str] = {}
        words: set[str] = set()
        names: set[str] = set()  # words of the edits since the last trial
        for number, step in enumerate(log.steps):
            words.update(word for text in step.prose.values() for word in words_of(text[:4000]))
            if model.trials:
                model.trials[-1].call(number, *(told_of(model.trials[-1], text) for text in step.prose.values()))
            for exchange in step.exchanges:
                event = read_event(number, exchange, listing)
                model.events.append(event)
                if event.kind in (EventKind.READ, EventKind.EDIT) and event.succeeded and not event.authored:
                    listing = shown_lines(event.observation) or listing
                words.update(words_of(event.added[:8000]))
                names.update(words_of(event.added[:8000]))
                if event.kind is EventKind.EDIT and model.trials:
                    model.trials[-1].call(number, set(words_of(event.removed)) - set(words_of(event.added)))
                values = measurements(event)
                if values:
                    if event.kind is EventKind.SCORE and model.trials:
                        words |= model.trials[-1].words
                        names.update(model.trials[-1].names)
                    model.trials.append(Trial(event, values, frozenset(words)))
                    model.trials[-1].call(number, names | called(event))
                    words, names = set(), set()
        return model

    def before(self, step: int) -> Known:
        """What the agent had seen before it wrote the prose of ``step``."""
        return Known(
            self,
            step,
            [event for event in self.events if event.step < step],
            [trial for trial in self.trials if trial.event.step < step],
        )


@dataclass
class Known:
    """The record before one step."""

    model: RunModel
    step: int
    events: list[Event]
    trials: list[Trial]

    @cached_property
    def values(self) -> list[Measurement]:
        """Every measured value, oldest first."""
        return [value for trial in self.trials for value in trial.values]

    @cached_property
    def finals(self) -> list[Measurement]:
        """The final values of every trial, oldest first."""
        return [value for trial in self.trials for value in trial.finals.values()]

    @cached_property
    def measured_names(self) -> set[str]:
        """Canonical names of all metrics on record."""
        return {value.metric for value in self.values}

    @cached_property
    def called(self) -> set[str]:
        """Words of the scripts and arguments that were run."""
        return {word for trial in self.trials for word in trial.command_words if len(word) > 2} - _PLAIN

    @cached_property
    def modified(self) -> set[str]:
        """Files the agent has written to, by name."""
        return {
            event.files[0] for event in self.events if event.kind is EventKind.EDIT and event.changed and event.files
        }

    @cached_property
    def baseline(self) -> list[Measurement]:
        """Values of the baseline: printed as such, or measured by a script before any change to it."""
        found = [value for value in self.values if value.is_baseline]
        modified: set[str] = set()
        edited = False
        trials = {id(trial.event): trial for trial in self.trials}
        for event in self.events:
            if event.kind is EventKind.EDIT and event.changed:
                modified.update(event.files)
                edited = True
            trial = trials.get(id(event))
            if trial is None:
                continue
            named = any("baseline" in name.lower() for name in event.files)
            untouched = (
                bool(event.files) and not modified.intersection(event.files) if event.kind is EventKind.RUN else False
            )
            if not edited or untouched or (named and not modified.intersection(event.files)):
                found += trial.finals.values()
        return found

    def lower_is_better(self, metric: str) -> bool:
        """Which way a metric is better in this run."""
        log = self.model.log
        return lower_is_better(metric, task_metric=log.metric, direction=log.direction)

    def better(self, a: float, b: float, metric: str) -> bool:
        """Whether ``a`` is better than ``b``."""
        return a < b if self.lower_is_better(metric) else a > b

    def best(self, values: Iterable[Measurement]) -> Measurement | None:
        """The best of values of one metric; the first of equals."""
        pool = list(values)
        if not pool:
            return None
        choose: Callable[..., Measurement] = min if self.lower_is_better(pool[0].metric) else max
        return choose(pool, key=lambda value: value.value)

    def main(self, trial: Trial, split: Split | None = None, metric: str | None = None) -> Measurement | None:
        """The value "performance" means: the held-out one, of the metric asked for or the task's."""
        pool = [m for m in trial.finals.values() if metric is None or m.metric == metric]
        if split is not None:
            pool = [m for m in pool if m.split == split] or [m for m in pool if m.split is None and split != "train"]
        if metric is None:
            pool = self._of_task_metric(pool) or [m for m in pool if not _SIDE_METRICS.search(m.name)] or pool
        order: tuple[Split | None, ...] = ("test", "validation", None, "train")
        for wanted in order:
            chosen = [m for m in pool if m.split == wanted]
            if chosen:
                first = chosen[0].metric
                return [m for m in chosen if m.metric == first][-1]
        return None

    def _of_task_metric(self, pool: list[Measurement]) -> list[Measurement]:
        official = next((m.metric for m in self.values if m.is_official), None)
        wanted = self.model.log.metric or official
        return [m for m in pool if m.metric == wanted] if wanted else []

    def earlier(self, value: Measurement) -> list[Measurement]:
        """Final values comparable to ``value`` from trials before it: same metric, split and scale."""
        found = []
        for final in self.finals:
            if final is value or final.step > value.step:
                break
            if self.comparable(final, value) and (final.event is not value.event or final.name == value.name):
                found.append(final)
        return found

    @classmethod
    def comparable(cls, a: Measurement, b: Measurement) -> bool:
        """Whether two values measure the same quantity, by the same scorer, on the same scale."""
        one_scorer = a.is_official == b.is_official or a.is_baseline or b.is_baseline
        return a.metric == b.metric and a.split == b.split and one_scorer and cls.on_one_scale(a, b)

    @staticmethod
    def on_one_scale(a: Measurement, b: Measurement) -> bool:
        """Whether two values are near enough to be on one scale (not dollars and log dollars)."""
        low, high = sorted((abs(a.value), abs(b.value)))
        return low == 0 or high / low < _SCALE

    def failures(self, within: int | None = None) -> list[Event]:
        """Actions that failed, the latest first."""
        first = 0 if within is None or not self.events else self.events[-1].step - within + 1
        return [event for event in reversed(self.events) if not event.succeeded and event.step >= first]

    def of_kind(self, *kinds: EventKind) -> list[Event]:
        """Events of the kinds, the latest first."""
        return [event for event in reversed(self.events) if event.kind in kinds]

    @cached_property
    def live_edits(self) -> list[Event]:
        """Edits that changed a file and were not undone, the latest first."""
        live: list[Event] = []
        for event in self.events:
            if event.kind is EventKind.EDIT and event.changed:
                live.append(event)
            if event.kind is EventKind.UNDO and event.succeeded:
                undone = next(
                    (edit for edit in reversed(live) if not event.files or set(event.files) & set(edit.files)), None
                )
                if undone is not None:
                    live.remove(undone)
        return live[::-1]

    @cached_property
    def code(self) -> str:
        """All code known from edits and listings."""
        parts = []
        for event in self.events:
            if event.kind is EventKind.EDIT and event.changed:
                parts.append(event.added)
            if event.kind in (EventKind.READ, EventKind.EDIT, EventKind.RUN):
                parts.append(event.observation)
        return "\n".join(parts)
