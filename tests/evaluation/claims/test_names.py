"""How metrics and splits are named."""

from __future__ import annotations

import pytest

from environment.metrics.meaning import canonical, names_in
from evaluation.language.splits import split_of


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("eval_accuracy", "accuracy"), ("Validation Acc", "accuracy"), ("val_loss", "loss"), ("R² Score", "r2"),
        ("Root Mean Squared Error", "rmse"), ("RMSE (log scale)", "rmse"), ("Reward Std", "reward std"),
        ("Gradient Boosting MAE", "mae"), ("Average pooling depth", "average pooling depth"),
    ],
)  # fmt: skip
def test_spellings_of_a_metric_have_one_name(written: str, name: str) -> None:
    assert canonical(written) == name


@pytest.mark.parametrize("text", ["mixed precision training", "the loss function", "it returns 0"])
def test_what_is_no_metric(text: str) -> None:
    assert names_in(text) == ()


@pytest.mark.parametrize(
    ("text", "split"),
    [
        ("training accuracy", "train"), ("on the test set", "test"), ("val_loss", "validation"),
        ("the number of training epochs", None), ("after training", None), ("train and test accuracy", None),
        ("let's test the model", None),
    ],
)  # fmt: skip
def test_splits(text: str, split: str | None) -> None:
    assert split_of(text) == split
