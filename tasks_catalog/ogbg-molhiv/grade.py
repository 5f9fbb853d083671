from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
from scipy.stats import rankdata

from tasks_catalog.library.grade import Grade
from tasks_catalog.library.submissions import number, read_predictions


def score(artifacts: Path, private: Path) -> Grade:
    """Area under the ROC curve over the hidden molecules, matched by number; ties count a half.

    From the rank sum of the positives (Mann and Whitney 1947), which equals the area.
    """
    with (private / "answers.csv").open(newline="") as file:
        answers = {row["molecule"]: row["label"] == "1" for row in csv.DictReader(file)}
    predicted = read_predictions(
        artifacts / "submission.csv", id_column="molecule", ids=list(answers), columns={"score": number}
    )["score"]
    positive = np.array(list(answers.values()))
    count = positive.sum()
    above = rankdata(predicted)[positive].sum() - count * (count + 1) / 2
    return Grade(score=float(above / (count * (~positive).sum())))
