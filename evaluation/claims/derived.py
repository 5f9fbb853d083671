"""Values that follow from those printed: the error rate from an accuracy, the gap between training and held-out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from evaluation.claims.measurements import UNNAMED, Measurement
from evaluation.claims.metric_names import GAP

_RATE = "error rate"
_HELD_OUT = ("validation", "test", "cv", "hold-out", None)
_WITH_GAP = (
    UNNAMED,
    "accuracy",
    "loss",
    "rmse",
    "mse",
    "mae",
    "rmsle",
    "mape",
    "f1",
    "auc",
    "r2",
    "dice",
    "iou",
    "error rate",
)


def is_derived(value: Measurement) -> bool:
    """Whether a value was worked out from another."""
    return value.metric == GAP or (value.metric == _RATE and "err" not in value.name.lower())


def with_derived(values: list[Measurement]) -> list[Measurement]:
    """The values of one run, followed by those that can be worked out from them."""
    return [*values, *_error_rates(values), *_gaps(values)] if values else values


def _error_rates(values: list[Measurement]) -> Iterator[Measurement]:
    """One minus the accuracy, where the run prints no error rate itself."""
    if any(value.metric == _RATE for value in values):
        return
    for value in values:
        if value.metric == "accuracy":
            whole = 100.0 if value.percent or value.value > 1 else 1.0
            yield replace(value, metric=_RATE, value=whole - value.value)


def _gaps(values: list[Measurement]) -> Iterator[Measurement]:
    """The distance between training and held-out values of the same metric, epoch and label."""
    training = {(v.metric, v.epoch, v.label): v for v in values if v.split == "train" and v.metric in _WITH_GAP}
    for value in values:
        if value.split != "train" and value.split in _HELD_OUT:
            own = training.get((value.metric, value.epoch, value.label))
            if own is not None:
                distance = abs(own.value - value.value)
                yield replace(value, metric=GAP, value=distance)
