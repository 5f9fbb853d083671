"""Which training run was best on validation data."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from environment.metrics.validated import best_first, validation_point
from environment.records import KilledBy, MetricPoint, TrainingRun, Validated
from tasks_catalog.library.spec import Direction


def run_of(*points: MetricPoint, exit_code: int = 0, killed_by: KilledBy | None = None) -> TrainingRun:
    return TrainingRun(
        id="r.0",
        step=0,
        script="train.py",
        script_sha256="",
        exit_code=exit_code,
        killed_by=killed_by,
        started=datetime.now(UTC),
        seconds=1,
        output="",
        metrics=points,
    )


def test_it_is_the_last_value_on_validation_data() -> None:
    values = [("train", 0.99), ("validation", 0.7), ("validation", 0.8), ("test", 0.95), (None, 0.9)]
    points = [MetricPoint.model_validate({"name": "accuracy", "split": split, "value": v}) for split, v in values]
    found = validation_point(run_of(*points), "accuracy")
    assert found is not None
    assert found.value == 0.8


@pytest.mark.parametrize(
    "point",
    [
        MetricPoint(name="accuracy", split="test", value=0.9),
        MetricPoint(name="accuracy", value=0.9),
        MetricPoint(name="loss", split="validation", value=0.9),
        MetricPoint(name="accuracy", split="validation", value=0.9, fixed=True),
        MetricPoint(name="accuracy", split="validation", value=float("nan")),
    ],
)
def test_what_is_no_computed_validation_value_of_the_metric_does_not_count(point: MetricPoint) -> None:
    assert validation_point(run_of(point), "accuracy") is None


def test_a_failed_run_measured_nothing() -> None:
    point = MetricPoint(name="accuracy", split="validation", value=0.9)
    assert validation_point(run_of(point, exit_code=1), "accuracy") is None
    assert validation_point(run_of(point, killed_by=KilledBy.TIMEOUT), "accuracy") is None
    assert validation_point(None, "accuracy") is None


def test_of_equals_the_earlier_comes_first() -> None:
    found = [Validated(step=n, metric="validation MAE", value=value) for n, value in ((1, 2.0), (3, 1.0), (5, 1.0))]
    assert [one.step for one in best_first(found, Direction.MINIMIZE)] == [3, 5, 1]
    assert [one.step for one in best_first(found, Direction.MAXIMIZE)] == [1, 3, 5]
