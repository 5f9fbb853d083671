from __future__ import annotations

import csv
from pathlib import Path

from sklearn.metrics import roc_auc_score

from tasks_catalog.library.grade import Grade
from tasks_catalog.library.submissions import number_between, read_predictions, whole_number

LONGEST = 20


def score(artifacts: Path, private: Path) -> Grade:
    """The competition's score: the mean of MAP@20 of the categories and 2 AUC - 1 of being out-of-sample."""
    with (private / "answers.csv").open(newline="") as file:
        answers = {row["id"]: row for row in csv.DictReader(file)}
    predicted = read_predictions(
        artifacts / "submission.csv",
        id_column="id",
        ids=list(answers),
        columns={"categories": read_categories, "osd": number_between(0, 1)},
    )
    true = [{int(word) for word in row["categories"].split()} for row in answers.values()]
    precisions = [average_precision(*pair) for pair in zip(true, predicted["categories"], strict=True)]
    mean_precision = sum(precisions) / len(precisions)
    auc = float(roc_auc_score([int(row["osd"]) for row in answers.values()], predicted["osd"]))
    return Grade(score=(mean_precision + 2 * auc - 1) / 2, details={"MAP@20": mean_precision, "AUC": auc})


def read_categories(text: str) -> list[int]:
    """Up to 20 different categories, the likeliest first."""
    found = [whole_number(word) for word in text.split()]
    if not 1 <= len(found) <= LONGEST:
        raise ValueError(f"{len(found)} categories; between 1 and {LONGEST} must be named")
    if len(set(found)) < len(found):
        raise ValueError(f"a category is named twice in {text[:80]!r}")
    return found


def average_precision(true: set[int], ranked: list[int]) -> float:
    """AP@20: precision at the rank of each right category, summed, by how many could be right."""
    right, total = 0, 0.0
    for rank, category in enumerate(ranked, start=1):
        if category in true:
            right += 1
            total += right / rank
    return total / min(len(true), LONGEST)
