from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

from tasks_catalog.library.grade import Grade
from tasks_catalog.library.submissions import number, read_predictions


def score(artifacts: Path, private: Path) -> Grade:
    """Mean absolute error in dollars over the hidden houses, matched by Id."""
    with (private / "answers.csv").open(newline="") as file:
        answers = {row["Id"]: float(row["SalePrice"]) for row in csv.DictReader(file)}
    predicted = read_predictions(
        artifacts / "submission.csv", id_column="Id", ids=list(answers), columns={"SalePrice": number}
    )["SalePrice"]
    errors = np.abs(np.array(predicted) - np.array(list(answers.values())))
    return Grade(score=float(errors.mean()), details={"median_absolute_error": float(np.median(errors))})
