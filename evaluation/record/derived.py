"""Values that follow from those printed: the error rate from an accuracy, the gap between training and held-out."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from statistics import fmean, median

from evaluation.language.splits import GAP
from evaluation.record.measurements import UNNAMED, Measurement

_RATE = "error rate"
_PART = re.compile(r"(?:seed|fold|run|trial|split|game|episode)\W{0,3}\d+", re.IGNORECASE)
MEAN = "mean of parts"
_MANY = 3
"""Parts from which somebody gives their mean."""
_HELD_OUT = ("validation", "test", "cv", "hold-out", None)
_WITH_GAP = (
    UNNAMED, "accuracy", "loss", "rmse", "mse", "mae", "rmsle", "mape", "f1", "auc", "r2", "dice", "iou", _RATE,
)  # fmt: skip


def with_derived(values: list[Measurement]) -> list[Measurement]:
    """The values of one run, followed by those that can be worked out from them."""
    return [*values, *_error_rates(values), *_gaps(values)] if values else values


def part_means(values: Iterable[Measurement]) -> Iterator[Measurement]:
    """The means that an agent works out by itself: over the seeds or folds of one run."""
    groups: defaultdict[tuple[str, object], dict[str, Measurement]] = defaultdict(dict)
    for value in values:
        if _PART.match(value.label):
            groups[value.key][value.label] = value
    for parts in groups.values():
        if len(parts) >= _MANY:
            last = next(reversed(parts.values()))
            mean = sum(value.value for value in parts.values()) / len(parts)
            ids = tuple(value.id for value in parts.values())
            yield replace(
                last, value=mean, label=MEAN, name=f"mean {last.metric}", id=f"{last.id}·mean", derived_from=ids
            )


def summaries(values: Sequence[float]) -> tuple[float, ...]:
    """The numbers in which somebody tells several values by one: their mean, median, sum and range."""
    return fmean(values), median(values), sum(values), max(values) - min(values)


def _error_rates(values: list[Measurement]) -> Iterator[Measurement]:
    """One minus the accuracy, where the run prints no error rate itself."""
    if any(value.metric == _RATE for value in values):
        return
    for value in values:
        if value.metric == "accuracy":
            whole = 100.0 if value.percent or value.value > 1 else 1.0
            yield replace(
                value, metric=_RATE, value=whole - value.value, id=f"{value.id}·rate", derived_from=(value.id,)
            )


def _gaps(values: list[Measurement]) -> Iterator[Measurement]:
    """The distance between training and held-out values of the same metric, epoch and label."""
    training = {_place(v): v for v in values if v.split == "train" and v.metric in _WITH_GAP}
    for value in values:
        if value.split != "train" and value.split in _HELD_OUT:
            own = training.get(_place(value))
            if own is not None:
                distance = abs(own.value - value.value)
                yield replace(value, metric=GAP, value=distance, id=f"{value.id}·gap", derived_from=(own.id, value.id))


def _place(value: Measurement) -> tuple[object, ...]:
    """What the training and the held-out value of one thing share; a row that names no metric tells of what it is."""
    return value.metric, value.epoch, value.label, value.name if value.metric == UNNAMED else ""
