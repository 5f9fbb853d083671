"""Graders of original tasks: what they import and fetch, what they lack, and who is to blame."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from environment.sandbox.bubblewrap import BubblewrapSandbox
from evaluation.foreign import InSandbox
from evaluation.grading import GradingError, grade
from tasks_catalog.library.errors import PrepareError, TaskError
from tasks_catalog.library.foreign import (
    fetched_when_grading,
    fetched_when_preparing,
    gaps,
    import_task,
)
from tasks_catalog.library.prepare import prepare
from tasks_catalog.library.spec import Direction, Variant
from tests.tasks_catalog.foreign.competitions import competition
from tests.tasks_catalog.foreign.shapes import ABSOLUTE


def test_a_leaderboard_that_is_a_pointer_is_named(tmp_path: Path) -> None:
    source = competition(tmp_path, ABSOLUTE)
    (source / "leaderboard.csv").write_text("version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 3\n")
    with pytest.raises(TaskError, match=r"leaderboard\.csv is a Git LFS pointer(.|\n)*--direction"):
        import_task(source, tmp_path / "tasks")
    assert import_task(source, tmp_path / "tasks", direction=Direction.MAXIMIZE).spec.metric.direction == "maximize"


def original(folder: Path, evaluation: str | None) -> Path:
    source = folder / "source" / "feedback"
    for name in ("env", "scripts"):
        (source / name).mkdir(parents=True)
    (source / "env" / "train.py").write_text("open('submission.csv', 'w').write('1')")
    (source / "scripts" / "prepared").touch()
    if evaluation is not None:
        (source / "scripts" / "eval.py").write_text(evaluation)
    return source


@pytest.mark.parametrize(
    ("evaluation", "words"),
    [
        (None, r"no eval\.py: write one into scripts/ with get_score\(folder\)"),
        ("from no_such_library_at_all import get_score\n", "needs no_such_library_at_all"),
        ("def score(folder):\n    return 1.0\n", r"eval\.py defines no get_score, by which it is called"),
        (
            "from sklearn.metrics import mean_squared_error\n"
            "def get_score(folder):\n    return mean_squared_error([1], [1], squared=False)\n",
            "'squared'",
        ),
    ],
)
def test_an_original_that_cannot_grade_says_so_at_import_and_prepare(
    evaluation: str | None, words: str, tmp_path: Path
) -> None:
    task = import_task(original(tmp_path, evaluation), tmp_path / "tasks")
    with pytest.raises(PrepareError, match=words):
        prepare(task, Variant.FULL, tmp_path / "data", tmp_path / "down")
    assert len(gaps(task)) == 1


def test_a_file_of_its_own_that_an_original_lacks_is_not_the_submissions_fault(tmp_path: Path) -> None:
    own = "os.path.join(os.path.dirname(__file__), 'answer.csv')"
    evaluation = f"import os\ndef get_score(folder):\n    place = {own}\n    return open(place).read()\n"
    task = import_task(original(tmp_path, evaluation), tmp_path / "tasks")
    data = prepare(task, Variant.FULL, tmp_path / "data", tmp_path / "down")
    with pytest.raises(GradingError):
        grade(task, Variant.FULL, data, task.starter, BubblewrapSandbox())


IN_ENV = """import os, sys
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../env"))
import train
from metric import score
def get_score(folder):
    return score(folder) + train.OFFSET
"""


def test_an_original_may_import_from_its_workspace(tmp_path: Path) -> None:
    source = original(tmp_path, IN_ENV)
    (source / "env" / "train.py").write_text("OFFSET = 1\n")
    (source / "env" / "metric.py").write_text("import no_such_library_at_all\n")
    task = import_task(source, tmp_path / "tasks")
    assert [gap.partition(",")[0] for gap in gaps(task)] == ["metric.py needs no_such_library_at_all"]
    (task.starter / "metric.py").write_text("def score(folder):\n    return 0.5\n")
    data = prepare(task, Variant.FULL, tmp_path / "data", tmp_path / "down")
    assert grade(task, Variant.FULL, data, task.starter, BubblewrapSandbox()).score == 1.5


@pytest.mark.parametrize(
    ("submitted", "words"),
    [
        ("OFFSETS = 1\n", "AttributeError"),
        ("OFFSET = 1 +\n", "SyntaxError"),
        ("import no_such_library_at_all\n", "ModuleNotFoundError"),
        ("from metric import no_such_name\n", "ImportError"),
        ("open('train.csv')\n", "FileNotFoundError: [Errno 2] No such file or directory: 'train.csv'"),
        (None, "ModuleNotFoundError: No module named 'train'"),
    ],
)
def test_a_submission_that_spoils_what_an_original_imports_is_invalid(
    submitted: str | None, words: str, tmp_path: Path
) -> None:
    source = original(tmp_path, IN_ENV)
    (source / "env" / "train.py").write_text("OFFSET = 1\n")
    (source / "env" / "metric.py").write_text("def score(folder):\n    return 0.5\n")
    task = import_task(source, tmp_path / "tasks")
    data = prepare(task, Variant.FULL, tmp_path / "data", tmp_path / "down")
    workspace = shutil.copytree(task.starter, tmp_path / "workspace")
    (workspace / "train.py").unlink()
    if submitted is not None:
        (workspace / "train.py").write_text(submitted)
    assert words in (grade(task, Variant.FULL, data, workspace, BubblewrapSandbox()).invalid or "")


def test_what_an_original_lacks_in_a_file_that_was_not_changed_is_not_the_submissions_fault(tmp_path: Path) -> None:
    source = original(tmp_path, IN_ENV)
    (source / "env" / "train.py").write_text("OFFSET = 1\n")
    (source / "env" / "metric.py").write_text("def score(folder):\n    return open('answer.csv').read()\n")
    task = import_task(source, tmp_path / "tasks")
    data = prepare(task, Variant.FULL, tmp_path / "data", tmp_path / "down")
    with pytest.raises(GradingError):
        grade(task, Variant.FULL, data, task.starter, BubblewrapSandbox())


@pytest.mark.parametrize("fault", ["ConnectionError('the hub')", "urllib.error.URLError('no name')"])
def test_a_network_that_an_original_misses_is_not_the_submissions_fault(fault: str, tmp_path: Path) -> None:
    task = import_task(
        original(tmp_path, f"import urllib.error\ndef get_score(folder):\n    raise {fault}\n"), tmp_path / "tasks"
    )
    data = prepare(task, Variant.FULL, tmp_path / "data", tmp_path / "down")
    with pytest.raises(GradingError):
        grade(task, Variant.FULL, data, task.starter, BubblewrapSandbox())


FETCHES = """import urllib.request
from datasets import load_dataset
import torchvision.datasets as shown
from labels import of
def get_score(folder):
    load_dataset("imdb", split="test")
    shown.CIFAR10(root="./data", train=False, download=True)
    shown.CIFAR10(root="./data", train=False, download=False)
    return of(folder)
"""


def test_what_its_code_fetches_is_told_at_import(tmp_path: Path) -> None:
    source = original(tmp_path, FETCHES)
    (source / "scripts" / "labels.py").write_text("import requests\ndef of(x):\n    return requests.get(x)\n")
    assert fetched_when_grading(import_task(source, tmp_path / "tasks")) == [
        "eval.py, line 6, calls load_dataset()",
        "eval.py, line 7, calls shown.CIFAR10(download=True)",
        "labels.py, line 3, calls requests.get()",
    ]
    toy = competition(tmp_path, ABSOLUTE)
    (toy / "prepare.py").write_text("from urllib.request import urlretrieve\nurlretrieve('https://x', 'y')\n")
    of_competition = import_task(toy, tmp_path / "tasks", direction=Direction.MINIMIZE)
    assert fetched_when_preparing(of_competition) == ["prepare.py, line 2, calls urlretrieve()"]
    assert fetched_when_grading(of_competition) == []


def test_an_original_without_any_script_is_imported(tmp_path: Path) -> None:
    source = original(tmp_path, None)
    (source / "env" / "train.py").rename(source / "env" / "reference.txt")
    assert len(gaps(import_task(source, tmp_path / "tasks"))) == 1


def test_a_preparation_written_for_the_top_of_the_benchmark_finds_its_folder(tmp_path: Path) -> None:
    source = original(tmp_path, IN_ENV)
    (source / "scripts" / "prepared").unlink()
    (source / "scripts" / "prepare.py").write_text(
        'name = "its-competition"\nfolder = "benchmarks/" + name + "/env"\nopen(f"{folder}/test.csv", "w").write("x")\n'
        'open("answer.csv", "w").write("y")\n'
    )
    task = import_task(source, tmp_path / "tasks", run=InSandbox())
    assert (task.starter / "test.csv").read_text() == "x"
    assert sorted(path.name for path in (task.root / "scripts").iterdir()) == ["answer.csv", "eval.py", "prepare.py"]
