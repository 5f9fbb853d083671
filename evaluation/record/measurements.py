"""Measured values of a run: what was measured, on which split, by which step, and where it is printed."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from environment.metrics.lines import output_lines
from environment.metrics.listed import is_listed
from environment.records import MetricPoint
from evaluation.language.quantity import is_finite
from evaluation.language.splits import TIMES, Split, split_of
from evaluation.record.durations import find_durations, find_sizes
from evaluation.record.events import Event
from evaluation.record.facets import metric_of, metrics_of
from evaluation.record.kinds import EventKind
from evaluation.record.labels import label_of
from evaluation.record.location import Location
from evaluation.record.unnamed_rows import counted_right, precision_and_recall, spread_behind, unnamed_rows

_VALIDATION = re.compile(r"(?<!e)val(?!ue)|dev|\bcv\b|hold|oof", re.IGNORECASE)
_EVALUATED = re.compile(r"eval", re.IGNORECASE)
_BASELINE = re.compile(r"\bbaseline\b", re.IGNORECASE)
_OFFICIAL = re.compile(r"\b(?:evaluation|official|leaderboard|final) score\b", re.IGNORECASE)
_CV = re.compile(r"(?<![a-z])(?:cv|cross[-_ ]?val\w*|oof)(?![a-z])", re.IGNORECASE)
_HOLD_OUT = re.compile(r"(?<![a-z])(?:hold|held)[-_ ]?out(?![a-z])", re.IGNORECASE)
UNNAMED = "score"
"""The metric of values that are printed without one."""
_CAPITALS = re.compile(r"[A-Z][a-z]+(?: [A-Z][a-z]+){2,}")
_PROGRESS = re.compile(r"^\d+\s?/\s?\d+\s+")
"""A count of steps that stands in front of a name ("125/4578 loss")."""
_EXCERPT = 200
_KEY = 80
"""Characters by which a line is found again."""
_ALPHABET = 26


@dataclass(frozen=True)
class Measurement:
    """One value on record.

    Attributes:
        event: The action whose observation shows it.
        metric: Canonical name.
        name: Name as printed, with whatever the script put before it.
        value: As printed.
        text: An exact part of the observation that holds it.
        line: 1-based line in the observation.
        split: ``None`` where the output does not say; an official score is a test score.
        percent: Printed with a percent sign.
        epoch: Epoch, where the output says one.
        is_baseline: The line itself calls it the baseline.
        is_official: The benchmark's own scorer gave it.
        label: What its line begins with to tell it from its siblings ("Fold 3", "alpha=10"), or "".
        id: What it is called in the record (``m7:12``: line 12 of what step 7 showed).
        derived_from: The ids of the rows it was worked out from; none where it was printed.
        point: What the reader of outputs found, where it is that value itself.
        is_beside_mean: It is of one seed or fold, and its line gives their mean, which is the result.
    """

    event: Event
    metric: str
    name: str
    value: float
    text: str
    line: int | None
    split: Split | None = None
    percent: bool = False
    epoch: float | None = None
    is_baseline: bool = False
    is_official: bool = False
    label: str = ""
    id: str = ""
    derived_from: tuple[str, ...] = ()
    point: MetricPoint | None = None
    is_beside_mean: bool = False

    @cached_property
    def words(self) -> str:
        """What it is called in the output, and the initials of a name of several words ("GBR")."""
        return f"{self.label} {self.name} {self._initials}".strip()

    @property
    def _initials(self) -> str:
        capitals = _CAPITALS.search(f"{self.label} {self.name}")
        return "".join(word[0] for word in capitals.group().split()) if capitals else ""

    @cached_property
    def is_cell(self) -> bool:
        """Whether it is a printed number that was read under no metric's name."""
        return self.id.startswith("c")

    @property
    def is_of_baseline(self) -> bool:
        """Whether the output calls it, or the model that it is of, the baseline."""
        return self.is_baseline or bool(_BASELINE.search(self.label))

    @property
    def is_from_file(self) -> bool:
        """Whether it was read from a file that the run wrote, not from what it printed."""
        return self.point is not None and self.point.source == "file"

    @cached_property
    def step(self) -> int:
        """The step that measured it."""
        return self.event.step

    @property
    def ranked_by(self) -> str:
        """The metric by which it is better or worse than others; "" where it was printed under no name."""
        is_nameless = self.metric == UNNAMED and UNNAMED not in self.text.lower()
        return "" if is_nameless else self.metric

    @property
    def is_of_facet(self) -> bool:
        """Whether it is of one horizon, class or rank of several that its line tells: "h14 mae"."""
        return self.point is not None and self.metric != metric_of(self.point)

    @property
    def in_seconds(self) -> bool:
        """Whether it is a duration that was printed with its unit."""
        return self.metric in TIMES and (self.point is None or self.point.unit == "seconds")

    @cached_property
    def key(self) -> tuple[str, Split | None]:
        """Values with the same key may be compared."""
        return self.metric, self.split

    @property
    def evidence(self) -> Location:
        """Where it stands."""
        run = self.event.exchange.training_run
        return Location(step=self.step, text=self.text, training_run=run, line=self.line)


def identified(values: Iterable[Measurement]) -> list[Measurement]:
    """The values, each with an id: that of its event and its line, and of several on a line a letter more."""
    counts: Counter[tuple[str, int | None]] = Counter()
    found = []
    for value in values:
        place = (value.event.id, value.line)
        others = counts[place]
        counts[place] += 1
        found.append(replace(value, id=f"m{value.event.id.removeprefix('e')}:{value.line or 0}{_letters(others)}"))
    return found


def _letters(n: int) -> str:
    """Nothing, a, b … z, then numbers."""
    return "" if n == 0 else chr(96 + n) if n <= _ALPHABET else f"-{n}"


def measurements(event: Event) -> list[Measurement]:
    """Every measured value an event's observation shows; none where a model wrote it or nothing ran."""
    return list(_read(event)) if event.shows_output else []


def _read(event: Event) -> Iterator[Measurement]:
    lines = event.observation.split("\n")
    named = list(_Points(event).rows())
    yield from named
    timed = {row.line for row in named if row.metric == "time"}
    for at, name, seconds, text in find_durations(lines):
        if at not in timed:
            yield Measurement(event, "time", name, seconds, text, at)
    for at, name, gigabytes, text in find_sizes(lines):
        yield Measurement(event, "memory", name, gigabytes, text, at)
    for short in (*precision_and_recall(lines), *counted_right(lines)):
        of = (short.metric, short.metric, short.value, short.text, short.line)
        yield Measurement(event, *of, split=split_of(short.text), percent=short.percent)
    for row in unnamed_rows(lines) if not event.points else ():
        yield Measurement(event, UNNAMED, row.name, row.value, row.text, row.line, split=row.split, percent=row.percent)


class _Points:
    """What the reader of outputs found in one, as rows of the record."""

    def __init__(self, event: Event) -> None:
        self._event, self._points = event, event.points
        self._places = _Places(event.observation)
        self._evaluates = any(point.split == "validation" and point.name == "loss" for point in self._points)
        self._printed = {(metric_of(point), point.value) for point in self._points if point.source == "stdout"}
        self._means = {(p.line, p.name, p.split) for p in self._points if not is_listed(p.part)}
        self._values: defaultdict[int | None, set[float]] = defaultdict(set)
        for point in self._points:
            self._values[point.line].add(point.value)

    def rows(self) -> Iterator[Measurement]:
        """The values with a place, each with the spread that stands behind it; none that no value compares with."""
        for point, metric in zip(self._points, metrics_of(self._points), strict=True):
            is_again = point.source == "mlflow" and (metric_of(point), point.value) in self._printed
            text, line = self._places.of(point)
            if text is None or is_again or not is_finite(point.value):
                continue
            row = self._row(point, metric, text, line)
            spread = spread_behind(point.text, point.value) if point.unit != "seconds" else None
            if spread is not None:
                name = f"{point.name} std"
                yield replace(
                    row, metric=f"{metric} std", name=name, value=spread, label="", point=None, is_beside_mean=False
                )
            yield row

    def _row(self, point: MetricPoint, metric: str, text: str, line: int | None) -> Measurement:
        baseline = bool(_BASELINE.search(point.text.partition(":")[0]))
        official = not baseline and (self._event.kind is EventKind.SCORE or bool(_OFFICIAL.search(point.text)))
        split = _split(point, official=official or (baseline and self._event.kind is EventKind.SCORE))
        if point.split is None and point.name == "loss" and self._evaluates:
            split = "train"
        label = label_of(text, point, self._values[point.line])
        beside = is_listed(point.part) and (point.line, point.name, point.split) in self._means
        return Measurement(
            event=self._event,
            metric=metric,
            name=_PROGRESS.sub("", point.name),
            value=point.value,
            text=text,
            line=line,
            split=None if metric in TIMES else split,
            percent=point.unit == "percent",
            epoch=point.epoch,
            is_baseline=baseline,
            is_official=official,
            label=f"{label} {point.part}".strip() if beside else label or point.part,
            point=point,
            is_beside_mean=beside,
        )


def _split(point: MetricPoint, *, official: bool) -> Split | None:
    """The split; "eval" alone may mean any held-out data, and an official score is one on the test set."""
    text = f"{point.name} {point.text}" if len(point.text) < _EXCERPT else point.name
    if point.split in ("validation", None):
        if _HOLD_OUT.search(text):
            return "hold-out"
        if _CV.search(text):
            return "cv"
    named = f"{point.name} {point.text}"
    if point.split != "validation" or _VALIDATION.search(named) or not (official or _EVALUATED.search(named)):
        return point.split or ("test" if official else None)
    return "test" if official else None


class _Places:
    """Where values stand in an observation, which may show less of an output than was read of it."""

    def __init__(self, observation: str) -> None:
        self._lines = observation.split("\n")
        self._numbers: defaultdict[str, list[int]] = defaultdict(list)
        for number, line in output_lines(observation):
            self._numbers[line.strip()[:_KEY]].append(number)

    def of(self, point: MetricPoint) -> tuple[str | None, int | None]:
        """The line that holds a value, as the observation has it; ``None`` where the observation lacks it.

        A value of a file, or one logged through MLflow alone, stands in no line.
        """
        if point.source != "stdout":
            return point.text, None
        numbers = self._numbers.get(point.text.strip()[:_KEY], []) or self._longer(point)
        if not point.text or not numbers:
            return None, None
        number = _nearest(numbers, point.line)
        return excerpt(self._lines[number - 1], point.text), number

    def _longer(self, point: MetricPoint) -> list[int]:
        """The lines that hold an excerpt of a long line: its own where that does, since all lines are many."""
        own = point.line or 0
        if 0 < own <= len(self._lines) and point.text and point.text in self._lines[own - 1]:
            return [own]
        return [n for n, line in enumerate(self._lines, start=1) if point.text and point.text in line]


def _nearest(numbers: list[int], line: int | None) -> int:
    """Of ascending numbers of lines the one nearest to a line, the earlier of two; the first where no line is known."""
    at = bisect_left(numbers, line or 0)
    around = numbers[max(0, at - 1) : at + 1]
    return min(around, key=lambda number: abs(number - (line or 0)))


def excerpt(line: str, around: str) -> str:
    """At most 200 characters of a line, from where ``around`` stands in it."""
    line = line.strip()
    at = max(0, line.find(around.strip()[:60]))
    return line[at : at + _EXCERPT] if len(line) > _EXCERPT else line
