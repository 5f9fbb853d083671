from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

from tasks_catalog.library.grade import Grade
from tasks_catalog.library.submissions import number, read_predictions


def score(artifacts: Path, private: Path) -> Grade:
    """Mean absolute error over the hidden rows, matched by id."""
    with (private / "answers.csv").open(newline="") as file:
        answers = {row["id"]: float(row["y"]) for row in csv.DictReader(file)}
    predicted = read_predictions(
        artifacts / "submission.csv", id_column="id", ids=list(answers), columns={"y": number}
    )["y"]
    return Grade(score=float(np.abs(np.array(predicted) - np.array(list(answers.values()))).mean()))
