"""What a run's training runs measured: the metric they share, its best value and its last."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from environment.records import MetricPoint, Step
from tasks_catalog.spec import Direction, Record

_LOWER_IS_BETTER = ("loss", "error", "err", "mae", "mse", "rmse", "mape", "perplexity", "ppl", "time", "deviance")
_HELD_OUT = ("validation", "test")


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


def progress(steps: Sequence[Step], metric: str, direction: Direction) -> Progress:
    """Follow the metric that the task is scored by, or else the held-out metric most runs printed.

    Args:
        steps: The trajectory.
        metric: The task's metric, whose direction is known.
        direction: Of the task's metric.
    """
    found: list[tuple[int, dict[str, MetricPoint]]] = [
        (step.n, {_key(point): point for point in step.effect.training_run.metrics})
        for step in steps
        if step.effect.training_run is not None and step.effect.training_run.succeeded
    ]
    counts = Counter(key for _, points in found for key in points)
    if not counts:
        return Progress()
    chosen = max(counts, key=lambda key: (_matches(key, metric), _is_held_out(key), counts[key], key))
    measured = tuple(Measured(step=n, value=points[chosen].comparable) for n, points in found if chosen in points)
    return Progress(metric=chosen, direction=_direction(chosen, metric, direction), measured=measured)


def _key(point: MetricPoint) -> str:
    return f"{point.split or ''} {point.name}".strip().lower()


def _matches(key: str, metric: str) -> bool:
    plain = metric.lower().replace("_", " ")
    return plain in key.replace("_", " ") or key.split()[-1] in plain.split()


def _is_held_out(key: str) -> bool:
    return key.startswith(_HELD_OUT)


def _direction(key: str, metric: str, direction: Direction) -> Direction:
    if _matches(key, metric):
        return direction
    return Direction.MINIMIZE if any(word in key for word in _LOWER_IS_BETTER) else Direction.MAXIMIZE
