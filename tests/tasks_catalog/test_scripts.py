from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tasks_catalog.catalog import CATALOGUE, list_tasks
from tasks_catalog.library.errors import BrokenTaskError, TaskError
from tasks_catalog.library.folder import read_task
from tasks_catalog.library.grader import run_grader
from tasks_catalog.library.imports import missing_in
from tasks_catalog.library.scripts import check_scripts
from tasks_catalog.library.spec import Task


@pytest.fixture
def task(tmp_path: Path) -> Task:
    return read_task(Path(shutil.copytree(CATALOGUE / "vectorization", tmp_path / "own")))


def test_those_of_the_catalogue_pass() -> None:
    for task in list_tasks():
        check_scripts(task)


@pytest.mark.parametrize(
    "text",
    [
        "def score(artifacts, private): ...",
        "def score(artifacts, private, trials): ...",
        "def score(artifacts, *others): ...",
        "from helper import mae as score",
        "from helper import *",
        "score = lambda artifacts, private: None",
        "try:\n    from graders import score\nexcept ImportError:\n    def score(artifacts, private): ...",
        "import os.path\nfrom tasks_catalog.library import grade\ndef score(artifacts, private):\n    import tensorboy",
    ],
)
def test_what_can_be_called_passes(text: str, task: Task) -> None:
    (task.root / "helper.py").touch()
    task.grade_script.write_text(text)
    check_scripts(task)


GIVEN = "def score(a, b): ...\n"


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("grade.py", "x = 1\ndef score(artifacts private): ...", r"grade\.py, line 2: .*syntax.*\nMend it"),
        ("grade.py", "def scores(a, b): ...\ndef mae(a, b): ...", r"no function score\(.*; it defines scores, mae"),
        ("grade.py", "", "it defines no function"),
        (
            "grade.py",
            "def score(): ...",
            r"line 1: score\(\) cannot be called\nIt is called as score\(artifacts, private\)",
        ),
        ("grade.py", "def score(a, b, c, d): ...", r"score\(a, b, c, d\) cannot be called"),
        ("grade.py", "def score(a, b, *, key): ...", "cannot be called"),
        (
            "grade.py",
            f"{GIVEN}from tasks_catalog.library.grades import Grade",
            r"line 2: No module named 'tasks_catalog\.library\.grades'",
        ),
        (
            "grade.py",
            f"{GIVEN}from tasks_catalog.library.grade import Grade, Points, load",
            r"line 2: tasks_catalog\.library\.grade has no Points, load",
        ),
        ("grade.py", f"{GIVEN}from tasks_catalog.libary.grade import Grade", r"named 'tasks_catalog\.libary\.grade'"),
        (
            "grade.py",
            f"{GIVEN}from .helper import mae",
            "line 2: from .helper import mae has a dot, .* leave the dot out",
        ),
        ("prepare.py", "def prepare(job): ...", r"no function draw\(job\); it defines prepare\n.*drawn = true"),
        ("prepare.py", "def draw(job): ...", r"no function prepare\(job\); it defines draw\n.*fills the folders"),
        ("prepare.py", "def prepare(): ...\ndef draw(job): ...", r"prepare\(\) cannot be called\nIt is called as"),
        (
            "prepare.py",
            "def prepare(job): ...\ndef draw(job, seed): ...",
            r"line 2: draw\(job, seed\) cannot be called",
        ),
    ],
)
def test_what_cannot_be_called_is_told_with_its_line(file: str, text: str, message: str, task: Task) -> None:
    (task.root / file).write_text(text)
    with pytest.raises(BrokenTaskError, match=message):
        check_scripts(task)


def test_a_library_is_looked_for_where_the_grader_runs(task: Task) -> None:
    task.grade_script.write_text(f"{GIVEN}import sklern.metrics")
    check_scripts(task)
    assert [each.rpartition("/")[2] for each in missing_in(task.grade_script)] == [
        "grade.py, line 2: No module named 'sklern'"
    ]


def test_a_grader_finds_the_modules_beside_it(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text("HALF = 0.5\n")
    script = tmp_path / "grade.py"
    script.write_text("from helper import HALF\ndef score(artifacts, private):\n    return {'score': HALF}\n")
    paths = [script, tmp_path, tmp_path, tmp_path, tmp_path / "answer"]
    command = [sys.executable, "-P", "-m", "tasks_catalog.library.grader", *map(str, paths)]
    subprocess.run(command, check=True)
    assert '"score":0.5' in (tmp_path / "answer").read_text()


@pytest.mark.parametrize(("value", "told"), [("0.25", r"0\.25 \(float\)"), ("None", r"None \(NoneType\)")])
def test_a_score_that_is_no_grade_is_told_in_words(value: str, told: str, tmp_path: Path) -> None:
    script = tmp_path / "grade.py"
    script.write_text(f"def score(artifacts, private):\n    return {value}\n")
    with pytest.raises(TaskError, match=rf"score in grade\.py returned {told}, which is no Grade\nLet it return Grade"):
        run_grader(script, tmp_path, tmp_path, tmp_path)
