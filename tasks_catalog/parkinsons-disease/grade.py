from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

from tasks_catalog.library.grade import Grade
from tasks_catalog.library.submissions import number_between, read_predictions

HIGHEST = 1000
"""No score of the scale comes near it."""


def score(artifacts: Path, private: Path) -> Grade:
    """SMAPE of the values plus 1, in per cent, over everything asked: 0 is perfect and 200 the worst."""
    with (private / "answers.csv").open(newline="") as file:
        answers = {row["prediction_id"]: float(row["rating"]) for row in csv.DictReader(file)}
    predicted = read_predictions(
        artifacts / "submission.csv",
        id_column="prediction_id",
        ids=list(answers),
        columns={"rating": number_between(0, HIGHEST)},
    )["rating"]
    found, true = np.array(predicted) + 1, np.array(list(answers.values())) + 1
    return Grade(score=float(100 * np.mean(2 * np.abs(found - true) / (found + true))))
