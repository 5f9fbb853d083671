"""A task of the original and a competition of MLE-bench, as folders of theirs."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

EVAL = """
import csv, os

def get_score(submission_folder="../env"):
    with open(os.path.join(os.path.dirname(__file__), "answer.csv")) as file:
        answers = [row["y"] for row in csv.DictReader(file)]
    with open(os.path.join(submission_folder, "submission.csv")) as file:
        found = [row["y"] for row in csv.DictReader(file)]
    open("scratch.txt", "w").write("graders write beside themselves")
    return sum(a == b for a, b in zip(answers, found, strict=True)) / len(answers)
"""


PREPARE = """
import os
assert os.path.exists("research_problem.txt")
open("../env/test.csv", "w").write("x\\n1\\n2\\n3\\n4\\n")
open("answer.csv", "w").write("y\\n1\\n0\\n1\\n0\\n")
"""


TRAIN = """
rows = open("test.csv").read().split()[1:]
open("submission.csv", "w").write("y\\n" + "1\\n" * len(rows))
"""


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


@pytest.fixture
def original(tmp_path: Path) -> Path:
    return write(
        tmp_path / "source" / "toy-classification",
        {
            "env/train.py": TRAIN,
            "scripts/eval.py": EVAL,
            "scripts/prepare.py": PREPARE,
            "scripts/research_problem.txt": "Improve the accuracy of train.py.",
            "scripts/read_only_files.txt": "./test.csv\n",
        },
    )


@pytest.fixture
def competition(tmp_path: Path) -> Path:
    return write(
        tmp_path / "source" / "toy-competition",
        {
            "config.yaml": """
id: toy-competition
name: Toy
competition_type: simple
dataset:
  answers: toy-competition/prepared/private/test.csv
  sample_submission: toy-competition/prepared/public/sample_submission.csv
grader:
  name: accuracy
  grade_fn: mlebench.competitions.toy-competition.grade:grade
preparer: mlebench.competitions.toy-competition.prepare:prepare
""",
            "description.md": "# Toy\n\nPredict y.\n",
            "leaderboard.csv": "scoreNullable,teamId,score\n,1,0.99\n,2,0.4\n",
            "prepare.py": """
from pathlib import Path
from mlebench.utils import read_csv

def prepare(raw: Path, public: Path, private: Path):
    table = read_csv(raw / "train.csv")
    table[:4].to_csv(public / "train.csv", index=False)
    table[4:].drop(columns=["y"]).to_csv(public / "test.csv", index=False)
    table[4:].to_csv(private / "test.csv", index=False)
    table[4:].assign(y=1).to_csv(public / "sample_submission.csv", index=False)
""",
            "grade.py": """
import pandas as pd
from sklearn.metrics import accuracy_score
from mlebench.competitions.utils import prepare_for_accuracy_metric

def grade(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    return accuracy_score(**prepare_for_accuracy_metric(submission, answers, target_column="y", id_column="id"))
""",
        },
    )


@pytest.fixture
def raw(tmp_path: Path) -> Path:
    folder = tmp_path / "raw"
    folder.mkdir()
    with (folder / "train.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("id", "y"), *((n, int(n % 4 == 0)) for n in range(8))])
    return folder
