"""Graders against reference implementations of their metrics."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import log_loss, roc_auc_score

from tasks_catalog.catalog import load_task
from tasks_catalog.library.grader import Answer, run_grader
from tasks_catalog.library.trials import TrialRun, write_runs


def write(path: Path, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    path.parent.mkdir(exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *rows])


def grade(name: str, folder: Path) -> Answer:
    """What the task's grader makes of ``artifacts/``, ``private/`` and ``trials/`` in the folder."""
    return run_grader(load_task(name).grade_script, folder / "artifacts", folder / "private", folder / "trials")


def score(name: str, folder: Path) -> float:
    answer = grade(name, folder)
    assert answer.grade is not None, answer.invalid
    return answer.grade.score


@pytest.mark.parametrize("decimals", [1, 6], ids=["with ties", "without"])
def test_molhiv_counts_like_scikit_learn(tmp_path: Path, decimals: int) -> None:
    draw = np.random.default_rng(0)
    labels = draw.random(500) < 0.1
    scores = np.round(draw.normal(labels, 1.0), decimals)
    write(tmp_path / "private" / "answers.csv", ("molecule", "label"), enumerate(labels.astype(int)))
    write(tmp_path / "artifacts" / "submission.csv", ("molecule", "score"), reversed([*enumerate(scores)]))
    assert score("ogbg-molhiv", tmp_path) == pytest.approx(roc_auc_score(labels, scores), abs=1e-12)


def predict_words(folder: Path, following: Sequence[int], predictions: np.ndarray[Any, Any]) -> None:
    """The files that a run of babylm's submission leaves."""
    write(folder / "private" / "answers.csv", ("context", "token"), enumerate(following))
    np.save(folder / "private" / "words.npy", 50)
    outputs = folder / "trials" / "hidden-contexts" / "submission" / "0"
    outputs.mkdir(parents=True)
    np.save(outputs / "predictions.npy", predictions)
    write_runs(folder / "trials" / "hidden-contexts", [TrialRun(who="submission", repetition=0, seconds=1)])


def test_perplexity_is_that_of_scikit_learns_log_loss(tmp_path: Path) -> None:
    draw = np.random.default_rng(0)
    probabilities = draw.dirichlet(np.full(50, 0.3), 400).clip(1e-9)
    probabilities /= probabilities.sum(axis=1, keepdims=True)
    following = draw.integers(0, 50, 400)
    predict_words(tmp_path, following.tolist(), np.log(probabilities).astype(np.float32))
    expected = np.exp(log_loss(following, probabilities, labels=range(50)))
    assert score("babylm", tmp_path) == pytest.approx(expected, rel=1e-5)


def test_a_guess_among_all_words_has_their_number_as_perplexity(tmp_path: Path) -> None:
    predict_words(tmp_path, [3, 7, 49], np.full((3, 50), -np.log(50), np.float32))
    assert score("babylm", tmp_path) == pytest.approx(50)


def test_a_row_that_sums_to_more_than_one_gains_nothing(tmp_path: Path) -> None:
    honest = np.full((3, 50), -np.log(50), np.float32)
    predict_words(tmp_path, [3, 7, 49], honest + np.float32(np.log(1.009)))
    assert score("babylm", tmp_path) == pytest.approx(50, rel=1e-6)


@pytest.mark.parametrize(
    ("predictions", "reason"),
    [
        (np.where(np.eye(50)[[3, 7, 48]] > 0, 0, -1e30).astype(np.float32), "no probability to speak of"),
        (np.zeros((3, 50), np.float32), "the probabilities of a row do not sum to 1"),
        (np.full((3, 50), 0.02, np.float32), "the probabilities of a row do not sum to 1"),
        (np.full((3, 50), -np.inf, np.float32), "no array of finite float32 numbers"),
        (np.full((3, 49), -np.log(49), np.float32), "no array of finite float32 numbers of shape (3, 50)"),
        (np.full((3, 50), -np.log(50)), "no array of finite float32 numbers of shape (3, 50)"),
    ],
)
def test_what_are_no_probabilities_of_words_is_refused(
    tmp_path: Path, predictions: np.ndarray[Any, Any], reason: str
) -> None:
    predict_words(tmp_path, [3, 7, 49], predictions)
    assert reason in (grade("babylm", tmp_path).invalid or "")
