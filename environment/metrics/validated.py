"""What a training run measured on validation data: the value by which work may be chosen before it is graded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isfinite

from environment.metrics.meaning import last_value, values_of
from environment.metrics.names import Split
from environment.records import MetricPoint, Step, TrainingRun, Validated
from tasks_catalog.library.spec import Direction

VALIDATION: tuple[Split | None, ...] = ("validation",)


def validation_point(
    run: TrainingRun | None, metric: str, splits: Sequence[Split | None] = VALIDATION
) -> MetricPoint | None:
    """The last value of the metric that a successful training run computed on validation data.

    A number that stands in the script as a constant is none, and neither is NaN or infinity.

    Args:
        run: The training run, if the step made one.
        metric: The task's metric.
        splits: Where it is looked for, best first.
    """
    if run is None or not run.succeeded:
        return None
    point = last_value([point for point in values_of(metric, run.metrics) if not point.fixed], splits)
    return point if point is not None and isfinite(point.value) else None


def validated_steps(steps: Iterable[Step], metric: str) -> list[Validated]:
    """Each step whose training run measured the metric on validation data, in order."""
    found = ((step.n, validation_point(step.effect.training_run, metric)) for step in steps)
    return [Validated(step=n, metric=point.title, value=point.comparable) for n, point in found if point is not None]


def best_first(found: Iterable[Validated], direction: Direction) -> list[Validated]:
    """By value; of equal ones the earlier step first."""
    sign = 1 if direction is Direction.MINIMIZE else -1
    return sorted(found, key=lambda one: (sign * one.value, one.step))
