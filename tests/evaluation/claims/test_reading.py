"""How prose is taken apart, and how metrics and splits are named."""

from __future__ import annotations

import pytest

from environment.metrics.meaning import canonical, names_in
from evaluation.claims.sentences import clauses, sentences
from evaluation.language.splits import split_of

PROSE = """Done. The accuracy is 0.91, e.g. on the test set. Let's go on:
1. Add dropout.
2. Train it. Done.
```
accuracy is 0.99
```
Results:
- RMSE: 26,465
"""


def test_quotes_are_exact_and_code_is_left_out() -> None:
    for sentence in sentences(PROSE):
        assert PROSE[sentence.start : sentence.start + len(sentence.text)] == sentence.text
        for clause in clauses(sentence):
            assert PROSE[clause.start : clause.start + len(clause.text)] == clause.text
            assert clause.quote in PROSE
    assert not any("0.99" in sentence.text for sentence in sentences(PROSE))


def test_items_know_their_heading_and_their_status() -> None:
    by_text = {sentence.text: sentence for sentence in sentences(PROSE)}
    assert by_text["Add dropout."].under_plan
    assert by_text["RMSE: 26,465"].heading == "Results:"
    assert not by_text["RMSE: 26,465"].under_plan
    assert "Train it. Done." in by_text


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("The loss fell, which is good", ["The loss fell", "is good"]),
        ("The train loss is 0.1 and the test loss is 0.4", ["The train loss is 0.1", "the test loss is 0.4"]),
        ("Precision and recall are high", ["Precision and recall are high"]),
        ("While training worked, the score fell", ["While training worked", "the score fell"]),
    ],
)
def test_clauses(text: str, parts: list[str]) -> None:
    assert [clause.text for clause in clauses(sentences(text)[0])] == parts


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
