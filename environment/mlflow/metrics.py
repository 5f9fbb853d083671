"""The curves of a training run and the figures of a benchmark run, as MLflow metrics."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from environment.gpus.card import Card, CardSample
from environment.mlflow.names import curve_steps, key_of, metric_key
from environment.records import RunResult, StepGrade, TrainingRun
from foundation.sizes import MiB

if TYPE_CHECKING:
    from mlflow.entities import Metric


def curves(run: TrainingRun) -> list[Metric]:
    """Every point, a percentage as a fraction.

    Their times are the same when they are written again: MLflow keeps equal points once.
    """
    from mlflow.entities import Metric

    start = milliseconds(run.started)
    return [
        Metric(key_of(point), point.comparable, start + n, step)
        for n, (point, step) in enumerate(zip(run.metrics, curve_steps(run.metrics), strict=True))
    ]


def system_metrics(run: TrainingRun) -> list[Metric]:
    """What was seen of processors (each core is 100 %) and cards, under the names of MLflow's own monitor."""
    from mlflow.entities import Metric

    start = milliseconds(run.started)
    share = run.cpu_share
    cpu = [Metric("system/cpu_utilization_percentage", 100 * share, start, 0)] if share is not None else []
    return [
        *cpu,
        *(
            Metric(f"system/gpu_{n}_{name}", value, start + round(sample.seconds * 1_000), step)
            for n, use in enumerate(run.gpus)
            for step, sample in enumerate(use.samples)
            for name, value in _system_values(use.card, sample)
            if value is not None
        ),
    ]


def _system_values(card: Card, sample: CardSample) -> Iterator[tuple[str, float | None]]:
    used = sample.memory_mib
    yield "utilization_percentage", sample.utilisation
    yield "power_usage_watts", sample.power_watts
    yield "memory_usage_megabytes", None if used is None else used * MiB / 1e6
    yield "memory_usage_percentage", 100 * used / card.memory_mib if used is not None and card.memory_mib else None


def points_of_the_run(run: TrainingRun) -> list[Metric]:
    """The last value of each metric, at the agent's step."""
    from mlflow.entities import Metric

    end = milliseconds(run.started + timedelta(seconds=run.seconds))
    last = {key_of(point): point.comparable for point in run.metrics}
    return [Metric(f"training/{key}", value, end, run.step) for key, value in last.items()]


def figures_of(result: RunResult, time: int) -> list[Metric]:
    """The figures that runs are compared by, all of the given time."""
    from mlflow.entities import Metric

    claims = sum(result.claims.values())
    best = result.best
    figures: dict[str, float | None] = {
        "score": result.score,
        "baseline": result.baseline,
        "reference": result.reference,
        "improvement": result.improvement,
        "normalised": result.normalised,
        "success": float(result.success),
        "success_beyond_noise": float(result.success_beyond_noise),
        **{f"success_at/{threshold}": float(above) for threshold, above in result.success_at.items()},
        **({"best/score": best.score, "best/improvement": best.improvement, "best/step": best.step} if best else {}),
        **(result.submission.figures if result.submission else {}),
        "steps": result.steps,
        "training_runs": result.training_runs,
        "tokens": result.tokens,
        "cost": result.cost,
        "seconds": result.seconds,
        **(result.usage.model_dump() if result.usage else {}),
        "claims": claims,
        **{f"claims/{verdict}": count for verdict, count in result.claims.items()},
        **{f"claims/{verdict}_rate": count / claims for verdict, count in result.claims.items() if claims},
        **{f"details/{metric_key(name)}": value for name, value in result.details.items()},
    }
    return [Metric(name, float(value), time, 0) for name, value in figures.items() if value is not None]


def curve_of_grades(grades: Sequence[StepGrade], time: int) -> list[Metric]:
    """The hidden score after each step, which the agent never saw."""
    from mlflow.entities import Metric

    return [Metric("graded/score", grade.score, time, grade.step) for grade in grades if grade.score is not None]


def milliseconds(time: datetime) -> int:
    """A time as MLflow counts it."""
    return round(time.timestamp() * 1_000)
