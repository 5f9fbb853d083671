"""Reads the metric to tune by from what a training run printed."""

from __future__ import annotations

import re

from environment.records import Effect, MetricPoint

_PREFERENCE = ("validation", None, "test")
"""Splits to tune by, best first; the training split is none."""


def measured(effect: Effect, metric: str) -> MetricPoint | None:
    """The last value of the metric in a successful training run, on validation data where the script says so."""
    run = effect.training_run
    if run is None or not run.succeeded:
        return None
    named = [point for point in run.metrics if _plain(point.name) == _plain(metric)]
    for split in _PREFERENCE:
        points = [point for point in named if point.split == split]
        if points:
            return points[-1]
    return None


def described(point: MetricPoint) -> str:
    """The value as a sentence's part: "validation MAE 0.1234"."""
    split = f"{point.split} " if point.split else ""
    sign = "%" if point.unit == "percent" else ""
    return f"{split}{point.name} {point.value:.6g}{sign}"


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())
