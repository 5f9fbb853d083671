from __future__ import annotations

import csv
from pathlib import Path

from tasks_catalog.library.grade import Grade
from tasks_catalog.library.submissions import read_predictions, whole_number


def score(artifacts: Path, private: Path) -> Grade:
    """Accuracy over the hidden papers, matched by node."""
    with (private / "answers.csv").open(newline="") as file:
        answers = {row["node"]: int(row["label"]) for row in csv.DictReader(file)}
    predicted = read_predictions(
        artifacts / "submission.csv", id_column="node", ids=list(answers), columns={"label": whole_number}
    )["label"]
    right = sum(found == answer for found, answer in zip(predicted, answers.values(), strict=True))
    return Grade(score=right / len(answers))
