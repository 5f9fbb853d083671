"""Which metric a name means, whoever asks."""

from __future__ import annotations

import pytest

from environment.metrics.meaning import (
    REPORTED,
    TUNED_BY,
    canonical,
    is_same,
    last_value,
    lower_is_better,
    values_of,
)
from environment.records import MetricPoint
from tasks_catalog.library.spec import Direction


@pytest.mark.parametrize(
    ("name", "other"),
    [("val_acc", "Accuracy"), ("RMSE", "root mean squared error"), ("R2 Score", "r²"), ("alpha=10 MCRMSE", "mcrmse")],
)
def test_spellings_of_one_metric_are_the_same(name: str, other: str) -> None:
    assert is_same(name, other)


def test_metrics_that_share_letters_differ() -> None:
    assert len({canonical(name) for name in ("mse", "rmse", "rmsle", "mae", "WER", "CER", "error rate")}) == 7


@pytest.mark.parametrize(
    ("name", "metric"),
    [("blend ap mean", "ap"), ("ap std", "ap std"), ("rmse std", "rmse std"), ("std", "std"), ("mean", "mean")],
)
def test_what_is_told_of_a_metric_is_no_other_metric(name: str, metric: str) -> None:
    assert canonical(name) == metric


def test_the_task_says_which_way_its_metric_is_better() -> None:
    assert lower_is_better("loss")
    assert lower_is_better("mase")
    assert lower_is_better("deviance")
    assert not lower_is_better("accuracy")
    assert lower_is_better("accuracy", task_metric="Accuracy", direction=Direction.MINIMIZE)


def test_the_own_spelling_goes_before_other_spellings() -> None:
    points = [MetricPoint(name="acc", value=0.1), MetricPoint(name="accuracy", value=0.2)]
    assert [point.value for point in values_of("accuracy", points)] == [0.2]
    assert [point.value for point in values_of("top-1", points)] == [0.1, 0.2]


def test_nobody_tunes_by_training_data() -> None:
    points = [MetricPoint(name="mae", value=0.1, split="train"), MetricPoint(name="mae", value=0.4, split="test")]
    by_test = last_value(points, TUNED_BY)
    assert by_test is not None
    assert by_test.value == 0.4
    assert last_value(points[:1], TUNED_BY) is None
    assert last_value(points[:1], REPORTED) == points[0]
