from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

from tasks_catalog.library.grade import Grade
from tasks_catalog.library.submissions import number, probabilities, read_predictions


def score(artifacts: Path, private: Path) -> Grade:
    """Accuracy of the likelier class over the hidden reviews, matched by id."""
    with (private / "answers.csv").open(newline="") as file:
        answers = {row["id"]: int(row["label"]) for row in csv.DictReader(file)}
    columns = read_predictions(
        artifacts / "submission.csv",
        id_column="id",
        ids=list(answers),
        columns={"negative": number, "positive": number},
    )
    predicted = probabilities(list(columns.values()), ids=list(answers), file="submission.csv")
    labels = np.array(list(answers.values()))
    likelihood = np.clip(predicted[np.arange(len(labels)), labels], 1e-12, 1)
    return Grade(
        score=float((predicted.argmax(axis=1) == labels).mean()),
        details={"log_loss": float(-np.log(likelihood).mean())},
    )
