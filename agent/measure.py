"""Reads the metric to tune by from what a training run printed."""

from __future__ import annotations

from environment.metrics.meaning import TUNED_BY, last_value, values_of
from environment.records import Effect, MetricPoint


def measured(effect: Effect, metric: str) -> MetricPoint | None:
    """The last value of the metric in a successful training run, on validation data where the script says so."""
    run = effect.training_run
    if run is None or not run.succeeded:
        return None
    return last_value(values_of(metric, run.metrics), TUNED_BY)


def described(point: MetricPoint) -> str:
    """The value as a sentence's part: "validation MAE 0.1234"."""
    split = f"{point.split} " if point.split else ""
    sign = "%" if point.unit == "percent" else ""
    return f"{split}{point.name} {point.value:.6g}{sign}"
