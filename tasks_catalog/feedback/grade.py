from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

from tasks_catalog.library.grade import Grade
from tasks_catalog.library.submissions import number, read_predictions

MEASURES = ["cohesion", "syntax", "vocabulary", "phraseology", "grammar", "conventions"]


def score(artifacts: Path, private: Path) -> Grade:
    """MCRMSE: the root mean squared error of each of the six scores, averaged over the six."""
    with (private / "answers.csv").open(newline="") as file:
        answers = {row["text_id"]: [float(row[name]) for name in MEASURES] for row in csv.DictReader(file)}
    predicted = read_predictions(
        artifacts / "submission.csv", id_column="text_id", ids=list(answers), columns=dict.fromkeys(MEASURES, number)
    )
    errors = np.array([predicted[name] for name in MEASURES]) - np.array(list(answers.values())).T
    rmse = np.sqrt((errors**2).mean(axis=1))
    return Grade(score=float(rmse.mean()), details=dict(zip(MEASURES, rmse.tolist(), strict=True)))
