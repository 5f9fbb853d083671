"""The metrics of the tasks on pictures, against other implementations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import average_precision_score, f1_score, roc_auc_score

from tasks_catalog.catalog import load_task
from tasks_catalog.library.grade import Grade
from tasks_catalog.library.grader import Answer, run_grader
from tasks_catalog.library.modules import load_module


def graded(task: str, submission: pd.DataFrame, tmp_path: Path) -> Answer:
    """What the task's grader says to a submission; the answers lie in ``private``."""
    artifacts = tmp_path / "artifacts"
    artifacts.mkdir(exist_ok=True)
    submission.to_csv(artifacts / "submission.csv", index=False)
    return run_grader(load_task(task).grade_script, artifacts, tmp_path / "private", tmp_path)


@pytest.fixture
def private(tmp_path: Path) -> Path:
    folder = tmp_path / "private"
    folder.mkdir()
    return folder


@pytest.fixture
def masks(private: Path) -> np.ndarray:
    """Hidden masks of four pictures, the third without contrails."""
    draw = np.random.default_rng(0)
    true = draw.random((4, 6, 9)) < np.array([0.2, 0.5, 0.0, 0.1])[:, None, None]
    np.save(private / "test_masks.npy", true)
    pd.DataFrame({"record_id": range(4), "pixels": true.sum((1, 2))}).to_csv(private / "answers.csv", index=False)
    return true


def contrails(runs: list[str]) -> pd.DataFrame:
    return pd.DataFrame({"record_id": range(4), "encoded_pixels": runs}).iloc[::-1]


def test_dice_is_the_f1_score_of_all_pixels(masks: np.ndarray, tmp_path: Path) -> None:
    encode = load_module(load_task("identify-contrails").starter / "encode.py", "encode").encode
    found = np.random.default_rng(1).random(masks.shape) < 0.3
    found[3] = False
    answer = graded("identify-contrails", contrails([encode(mask) for mask in found]), tmp_path)
    assert isinstance(answer.grade, Grade)
    assert answer.grade.score == pytest.approx(f1_score(masks.ravel(), found.ravel()))
    perfect = graded("identify-contrails", contrails([encode(mask) for mask in masks]), tmp_path)
    assert perfect.grade is not None
    assert perfect.grade.score == 1


def test_pixels_are_numbered_down_the_columns() -> None:
    encode = load_module(load_task("identify-contrails").starter / "encode.py", "encode").encode
    mask = np.zeros((3, 4), dtype=bool)
    mask[1:, 0] = mask[0, 1] = mask[2, 3] = True
    assert encode(mask) == "2 3 12 1"
    assert encode(mask & False) == "-"


@pytest.mark.parametrize(
    ("runs", "message"),
    [
        ("1 2 3", "3 numbers, which are no pairs"),
        ("0 2", "the run 0 2 is empty, not after the one before, or outside of pixels 1 to 54"),
        ("50 6", "the run 50 6 is"),
        ("5 3 7 1", "the run 7 1 is"),
        ("5 0", "the run 5 0 is"),
        ("5 -3", "the run 5 -3 is"),
        ("1 1e300", "the run 1 1"),
        ("five 1", "'five' is not a number"),
        ("1.5 1", "1.5 is not a whole number"),
    ],
)
def test_runs_that_are_no_mask(masks: np.ndarray, tmp_path: Path, runs: str, message: str) -> None:
    answer = graded("identify-contrails", contrails(["-", runs, "-", "-"]), tmp_path)
    assert answer.invalid is not None
    assert "column encoded_pixels: " in answer.invalid
    assert message in answer.invalid


@pytest.fixture
def shots(private: Path) -> pd.DataFrame:
    """Hidden categories, of 15, and whether a picture is out-of-sample."""
    draw = np.random.default_rng(0)
    labels = [" ".join(map(str, draw.choice(15, draw.integers(1, 6), replace=False) + 1)) for _ in range(30)]
    true = pd.DataFrame({"id": [f"a{n}" for n in range(30)], "categories": labels, "osd": draw.integers(0, 2, 30)})
    true.to_csv(private / "answers.csv", index=False)
    return true


def test_the_score_of_fathomnet(shots: pd.DataFrame, tmp_path: Path) -> None:
    draw = np.random.default_rng(1)
    ranked = [draw.permutation(15) + 1 for _ in range(len(shots))]
    osd = draw.random(len(shots)).round(2)
    submission = shots.assign(categories=[" ".join(map(str, row)) for row in ranked], osd=osd)
    answer = graded("fathomnet", submission.sample(frac=1, random_state=0), tmp_path)
    precisions = []
    for text, ranking in zip(shots["categories"], ranked, strict=True):
        present = np.isin(np.arange(1, 16), [int(word) for word in text.split()])
        precisions.append(average_precision_score(present, 15 - np.argsort(ranking)))
    auc = roc_auc_score(shots["osd"], osd)
    assert answer.grade is not None
    assert answer.grade.details == pytest.approx({"MAP@20": np.mean(precisions), "AUC": auc})
    assert answer.grade.score == pytest.approx((np.mean(precisions) + 2 * auc - 1) / 2)


def test_categories_past_the_last_named_count_as_missed(shots: pd.DataFrame, tmp_path: Path) -> None:
    first = [text.split()[0] for text in shots["categories"]]
    answer = graded("fathomnet", shots.assign(categories=first, osd=0.5), tmp_path)
    assert answer.grade is not None
    precision = np.mean([1 / len(text.split()) for text in shots["categories"]])
    assert answer.grade.details == pytest.approx({"MAP@20": precision, "AUC": 0.5})
    assert answer.grade.score == pytest.approx(precision / 2)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"categories": "1 2 2"}, "a category is named twice"),
        ({"categories": " ".join(map(str, range(1, 22)))}, "21 categories; between 1 and 20"),
        ({"categories": ""}, "0 categories"),
        ({"categories": "fish"}, "'fish' is not a number"),
        ({"osd": 1.5}, "1.5 is not between 0 and 1"),
    ],
)
def test_predictions_that_fathomnet_refuses(
    shots: pd.DataFrame, tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    answer = graded("fathomnet", shots.assign(**changes), tmp_path)
    assert answer.invalid is not None
    assert message in answer.invalid
