from __future__ import annotations

import csv
from pathlib import Path

from tasks_catalog.library.grade import Grade
from tasks_catalog.library.submissions import one_of, read_predictions


def score(artifacts: Path, private: Path) -> Grade:
    """Accuracy over the hidden passengers, matched by PassengerId."""
    with (private / "answers.csv").open(newline="") as file:
        answers = {row["PassengerId"]: row["Transported"] for row in csv.DictReader(file)}
    predicted = read_predictions(
        artifacts / "submission.csv",
        id_column="PassengerId",
        ids=list(answers),
        columns={"Transported": one_of("True", "False")},
    )["Transported"]
    right = sum(found == answer for found, answer in zip(predicted, answers.values(), strict=True))
    return Grade(score=right / len(answers))
