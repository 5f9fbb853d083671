"""What a run's training runs measured: the metric they share, its best value and its last."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import isfinite

from environment.metrics.meaning import canonical, is_same, lower_is_better
from environment.metrics.names import Split
from environment.records import MetricPoint, Step
from foundation.records import Record
from tasks_catalog.library.spec import Direction

_HELD_OUT = ("validation", "test")
_Key = tuple[str, Split | None]


class Measured(Record):
    """The last value of the followed metric in one training run; a percentage as a fraction."""

    step: int
    value: float


class Progress(Record):
    """How the followed metric went over the training runs, in order.

    Attributes:
        metric: Its name with the split, as the scripts wrote it; ``None`` where no two runs share one.
        direction: Which way it is better.
        measured: One value a training run that printed it.
    """

    metric: str | None = None
    direction: Direction = Direction.MAXIMIZE
    measured: tuple[Measured, ...] = ()

    @property
    def best(self) -> Measured | None:
        """The best value; of equal ones the first."""
        sign = 1 if self.direction is Direction.MAXIMIZE else -1
        return max(self.measured, key=lambda found: sign * found.value, default=None)

    @property
    def improved(self) -> bool:
        """Whether any later training run was better than the first."""
        return bool(self.measured) and self.best != self.measured[0]


def progress(steps: Sequence[Step], metric: str, direction: Direction | None) -> Progress:
    """Follow the metric that the task is scored by, or else the held-out metric most runs printed.

    Args:
        steps: The trajectory.
        metric: The task's metric.
        direction: Of the task's metric; where nobody knows it, the name decides.
    """
    found: list[tuple[int, dict[_Key, MetricPoint]]] = [
        (step.n, {(point.name.lower(), point.split): point for point in _finite(step.effect.training_run.metrics)})
        for step in steps
        if step.effect.training_run is not None and step.effect.training_run.succeeded
    ]
    counts = Counter(key for _, points in found for key in points)
    if not counts:
        return Progress()
    name, split = chosen = max(
        counts, key=lambda key: (is_same(key[0], metric), key[1] in _HELD_OUT, counts[key], key[1] or "", key[0])
    )
    measured = tuple(Measured(step=n, value=points[chosen].comparable) for n, points in found if chosen in points)
    is_lower = lower_is_better(canonical(name), task_metric=metric, direction=direction)
    return Progress(
        metric=f"{split or ''} {name}".strip(),
        direction=Direction.MINIMIZE if is_lower else Direction.MAXIMIZE,
        measured=measured,
    )


def _finite(points: Iterable[MetricPoint]) -> Iterator[MetricPoint]:
    """The values that can be better or worse than others."""
    return (point for point in points if isfinite(point.value))
