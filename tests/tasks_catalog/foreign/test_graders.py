"""Graders that are not ours: what they need, what breaks them, and who is to blame."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest

from environment.sandbox.bubblewrap import BubblewrapSandbox
from evaluation.foreign import InSandbox
from evaluation.grading import GradeReport, grade
from tasks_catalog.library.errors import InvalidSubmissionError, PrepareError
from tasks_catalog.library.foreign import (
    gaps,
    import_task,
    mlebench_grading,
)
from tasks_catalog.library.foreign.lacking import lacking
from tasks_catalog.library.prepare import Prepared, prepare
from tasks_catalog.library.spec import Direction, Task, Variant
from tests.tasks_catalog.foreign.competitions import competition
from tests.tasks_catalog.foreign.shapes import ABSOLUTE, HEAD, MERGED, NUMBERS, SHAPES, Shape


@pytest.fixture(autouse=True, scope="module")
def this_process_keeps_its_pandas() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mlebench_grading, "allow_older_pandas", lambda: None)
        yield


def made(shape: Shape, tmp_path: Path) -> tuple[Task, GradeReport]:
    """The task of a competition, and what its own sample scores in the sandboxes."""
    task = import_task(competition(tmp_path, shape), tmp_path / "tasks", direction=Direction.MINIMIZE)
    data = prepare(task, Variant.FULL, tmp_path / "data", tmp_path / "down", tmp_path / "raw", run_foreign=InSandbox())
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    (workspace / "submission.csv").write_text(shape.submission)
    return task, grade(task, Variant.FULL, data, workspace, BubblewrapSandbox())


@pytest.mark.parametrize(
    "name", ["a metric in a sibling that imports a sibling by name", "ids of TensorFlow's records"]
)
def test_shapes_run_from_import_to_score(name: str, tmp_path: Path) -> None:
    shape = next(shape for shape in SHAPES if shape.name == name)
    assert made(shape, tmp_path)[1].score == pytest.approx(shape.score)


FAULTS = (
    ("sys.exit(3)", "cannot score it: SystemExit: 3"),
    ("os.kill(os.getpid(), 11)", "failed with exit code -11"),
    ("os._exit(9)", "failed with exit code 9"),
    ("os._exit(1)", "failed with exit code 1"),
    ("os._exit(0)", "left no answer"),
    ("time.sleep(60)", "was killed: it ran longer than its limit"),
    ("print('x' * 5_000_000); os.fork() or time.sleep(60)", None),
)
FAULTY = "import os, sys, time\ndef grade(s, a):\n" + "".join(
    f"    if s.y[0] == {100 + n}:\n        {fault}\n" for n, (fault, _) in enumerate(FAULTS)
)


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> tuple[Task, Prepared]:
    """A task whose grader has each fault for a submission that begins with its number, and its data."""
    folder = tmp_path_factory.mktemp("faulty")
    source = competition(folder, Shape("x", f"{FAULTY}    return 1.0\n", NUMBERS, NUMBERS, 1))
    task = import_task(source, folder / "tasks", direction=Direction.MINIMIZE)
    data = prepare(task, Variant.FULL, folder / "data", folder / "down", folder / "raw", run_foreign=InSandbox())
    return task, data


@pytest.mark.parametrize(("number", "words"), [(100 + n, words) for n, (_, words) in enumerate(FAULTS)])
def test_whatever_a_submission_makes_a_grader_do_is_no_fault_of_ours(
    number: int, words: str | None, faulty: tuple[Task, Prepared], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evaluation.grading.GRADER_SECONDS", 8.0)
    (tmp_path / "submission.csv").write_text(f"id,y\n0,{number}\n1,2\n2,4\n")
    report = grade(faulty[0], Variant.FULL, faulty[1], tmp_path, BubblewrapSandbox())
    if words is None:
        assert report.score == 1.0
    else:
        assert words in (report.invalid or "")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "KeyError: 'id'"),
        ("id,z\n0,1\n1,2\n2,3\n", "KeyError: 'y_p'"),
        ("id,y\n0,1\n1,abc\n2,3\n", "cannot score it"),
        ("y\n1\n2\n3\n", "KeyError: 'id'"),
        ("id,y\n0,\n1,2\n2,3\n", "NaN"),
        ("id,y\n", "cannot score it"),
    ],
)
def test_what_breaks_on_a_submission_is_the_submissions_fault(content: str, words: str, tmp_path: Path) -> None:
    source = competition(tmp_path, ABSOLUTE)
    (tmp_path / "s.csv").write_text(content)
    with pytest.raises(InvalidSubmissionError) as caught:
        mlebench_grading.score(source, tmp_path / "s.csv", tmp_path / "raw" / "test.csv")
    assert words in caught.value.message


def test_what_a_metric_of_kaggles_lets_participants_see_is_its_word(tmp_path: Path) -> None:
    grader = "class ParticipantVisibleError(Exception): ...\ndef grade(s, a): raise ParticipantVisibleError('y > 1')\n"
    source = competition(tmp_path, Shape("x", grader, NUMBERS, NUMBERS, 0))
    with pytest.raises(InvalidSubmissionError) as caught:
        mlebench_grading.score(source, tmp_path / "raw" / "sample.csv", tmp_path / "raw" / "test.csv")
    assert caught.value.message == "y > 1"


@pytest.mark.parametrize("value", ["float('nan')", "None", "'high'", "float('inf')"])
def test_a_metric_that_gives_no_number_is_said(value: str, tmp_path: Path) -> None:
    shape = Shape("x", f"{HEAD}{MERGED}    return {value}\n", ABSOLUTE.answers, ABSOLUTE.submission, 0)
    source = competition(tmp_path, shape)
    paths = (tmp_path / "raw" / "sample.csv", tmp_path / "raw" / "test.csv")
    with pytest.raises(InvalidSubmissionError, match="an infinite score" if "inf" in value else "gives no number"):
        mlebench_grading.score(source, *paths)
    # A competition may well have an undefined score for its sample, but no other answer than a number.
    with nullcontext() if value.startswith("float") else pytest.raises(SystemExit):
        mlebench_grading.try_sample(source, *paths)


@pytest.mark.parametrize(
    ("grader", "words"),
    [
        (
            f"{HEAD}{MERGED}    return both['nothing'].mean()\n",
            r"cannot grade its own sample(.|\n)*KeyError: 'nothing'",
        ),
        ("import no_such_library_at_all\n", "needs no_such_library_at_all, which is not installed: pip install"),
        ("from .absent import x\n", r"imports \.absent, which does not lie beside it"),
        (
            "from sklearn.metrics import mean_squared_error\n"
            "def grade(s, a):\n    return mean_squared_error([1], [1], squared=False)\n",
            "calls mean_squared_error with 'squared', which sklearn .* does not take",
        ),
        ("from mlebench.utils import no_such_helper\n", "needs no_such_helper of mlebench.utils"),
        (
            f"{HEAD}{MERGED.replace('grade(', 'rate(')}    return 0.5\n",
            r"grade\.py defines no grade, by which it is called",
        ),
    ],
)
def test_a_graders_own_fault_comes_before_any_run(grader: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(PrepareError, match=words):
        made(Shape("x", grader, ABSOLUTE.answers, ABSOLUTE.submission, 0), tmp_path)


def test_gaps_are_told_at_import(tmp_path: Path) -> None:
    grader = "import no_such_library_at_all, numpy as np\ngrade = np.float_(1)\n"
    shape = Shape("x", grader, "id\n", "id\n", 0)
    task = import_task(competition(tmp_path, shape), tmp_path / "tasks", direction=Direction.MINIMIZE)
    assert [gap.partition(",")[0] for gap in gaps(task)] == [
        "grade.py needs no_such_library_at_all",
        "grade.py uses numpy.float_",
    ]


def test_what_is_needed_without_an_import_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "prepare.py"
    script.write_text(
        "import bson\nfrom mlebench.utils import extract\ndef prepare(raw, public, private):\n"
        "    extract(raw / 'train.7z', raw)\n    table.to_parquet(public / 'x', engine='fastparquet')\n"
        "    table['y'].fillna('', inplace=True)\n    table.fillna('', inplace=True)\n"
    )
    monkeypatch.setattr("tasks_catalog.library.foreign.lacking.find_spec", lambda name: None)
    monkeypatch.setattr("tasks_catalog.library.foreign.lacking.version", lambda name: "3.1")
    assert lacking(script) == [
        "prepare.py needs bson, which is not installed: pip install pymongo",
        "prepare.py needs fastparquet, which is not installed: pip install fastparquet",
        "prepare.py changes table['y'] in place, which pandas 3.1 does to a copy: pip install 'pandas<3'",
        "prepare.py needs py7zr, which is not installed: pip install py7zr",
    ]
    script.write_text("import shutil\nshutil.copy('valid.7z', 'x')\n")
    assert lacking(script) == []


@pytest.mark.parametrize(("code", "pixels"), [("1 2 5 1", 3), ("", 0), ("3", 0), ("1 2 4", 4), ("1 1 3 1 5", None)])
def test_a_run_without_its_length_counts_as_in_the_benchmark(code: str, pixels: int | None, tmp_path: Path) -> None:
    grader = (
        "from mlebench.competitions.utils import rle_decode\n"
        "def grade(s, a):\n    return float(sum(rle_decode(code, 2, 3).sum() for code in s.y.fillna('').astype(str)))\n"
    )
    source = competition(tmp_path, Shape("x", grader, "id,y\n0,1 2\n", "id,y\n0,1 2\n", 2))
    (tmp_path / "s.csv").write_text(f"id,y\n0,{code}\n")
    with nullcontext() if pixels is not None else pytest.raises(InvalidSubmissionError, match="score it: ValueError"):
        grade = mlebench_grading.score(source, tmp_path / "s.csv", tmp_path / "raw" / "test.csv")
        assert grade.score == pixels
