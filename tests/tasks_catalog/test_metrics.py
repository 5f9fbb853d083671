"""Graders against reference implementations of their metrics."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from tasks_catalog.catalog import load_task
from tasks_catalog.grader import run_grader


def write(path: Path, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    path.parent.mkdir(exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *rows])


def score(name: str, folder: Path) -> float:
    """What the task's grader makes of ``artifacts/``, ``private/`` and ``trials/`` in the folder."""
    parts = (folder / part for part in ("artifacts", "private", "trials"))
    answer = run_grader(load_task(name).grade_script, *parts)
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
