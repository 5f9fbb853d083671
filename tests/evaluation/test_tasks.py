"""The proofs that every task of the catalogue must pass, in the real sandbox."""

from __future__ import annotations

import csv
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from environment.sandbox.bubblewrap import BubblewrapSandbox
from evaluation.artifacts import collect
from evaluation.competence import success
from evaluation.grading import GradeReport, grade
from evaluation.verify import VerificationError, run_script, run_starter, verify
from tasks_catalog.catalog import list_tasks
from tasks_catalog.errors import InvalidSubmissionError
from tasks_catalog.extras import check_extras
from tasks_catalog.grader import run_grader
from tasks_catalog.leaks import find_leaks
from tasks_catalog.prepare import Prepared, prepare
from tasks_catalog.spec import MiB, Task, Variant

TASKS = list_tasks()
HOLES = [task for task in list_tasks(holes=True) if task.spec.holes]
HEAVY = [task for task in TASKS if task.spec.extras]
MINI = Variant.MINI


@pytest.fixture
def prepared(task: Task, shared_folder: Path) -> Prepared:
    return prepare(task, MINI, shared_folder / "data" / task.data_name / MINI.value, shared_folder / "downloads")


def parametrise(tasks: list[Task]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("task", tasks, ids=lambda task: task.name)


def run_unchanged(task: Task, prepared: Prepared, workspace: Path) -> GradeReport:
    sandbox = BubblewrapSandbox()
    shutil.copytree(task.starter, workspace)
    done = run_script(task, prepared, workspace, sandbox)
    assert done.exit_code == 0, done.output.decode()
    return grade(task, MINI, prepared, workspace, sandbox)


@parametrise(TASKS)
def test_the_starter_scores_the_baseline(task: Task, prepared: Prepared, tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    report = run_unchanged(task, prepared, workspace)
    assert report.invalid is None
    assert report.score is not None
    assert not report.success
    if not task.spec.trials:  # timings compare within their session alone
        figure = task.spec.variants[MINI].baseline
        assert figure is not None
        assert figure.seeds >= 8
        assert report.score == pytest.approx(figure.mean, abs=max(5 * figure.std, 0.02 * abs(figure.mean)))
    if (workspace / "submission.csv").is_file():
        for fault, spoil in FAULTS.items():
            reason = reason_for(task, prepared, workspace, tmp_path / fault, spoil)
            assert FAULT_WORDS[fault] in reason, f"{fault}: {reason}"


@parametrise([task for task in TASKS if task not in HEAVY])
def test_the_solution_succeeds(task: Task, prepared: Prepared) -> None:
    assert_solution_succeeds(task, prepared)


@pytest.mark.slow
@parametrise(HEAVY)
def test_the_solution_of_a_heavy_task_succeeds(task: Task, prepared: Prepared) -> None:
    assert_solution_succeeds(task, prepared)


def assert_solution_succeeds(task: Task, prepared: Prepared) -> None:
    report, _ = run_starter(task, MINI, prepared, BubblewrapSandbox(), solution=True)
    assert report.success
    reference = task.spec.variants[MINI].reference
    assert reference is not None
    assert report.normalised is not None
    assert report.normalised > 0.5


@parametrise(HOLES)
def test_an_unfilled_starter_says_what_is_missing(task: Task, prepared: Prepared, tmp_path: Path) -> None:
    shutil.copytree(task.starter, tmp_path / "workspace")
    done = run_script(task, prepared, tmp_path / "workspace", BubblewrapSandbox())
    assert done.exit_code == 1
    assert b"NotImplementedError: TODO: " in done.output
    assert not (tmp_path / "workspace" / "submission.csv").exists()
    with pytest.raises(VerificationError, match=f"shares those of {task.spec.based_on}"):
        verify(task, MINI, prepared, BubblewrapSandbox())


@parametrise(TASKS)
def test_nothing_leads_to_the_hidden_labels(task: Task, prepared: Prepared) -> None:
    assert find_leaks(prepared.public, prepared.private) == []


@parametrise(TASKS)
def test_the_spec_is_complete(task: Task) -> None:
    check_extras(task.spec.extras, needed_by=task.name)
    for variant in task.spec.variants.values():
        assert variant.source
        assert variant.licence
    mini = task.spec.variants[MINI]
    assert mini.digest
    assert mini.baseline is not None
    assert mini.reference is not None
    assert success(mini.reference.mean, mini.baseline.mean, task.spec.metric.direction)
    assert not mini.needs


def reason_for(task: Task, prepared: Prepared, workspace: Path, folder: Path, spoil: Callable[[Path], None]) -> str:
    """Why a spoiled copy of a good submission is refused; empty where it is scored."""
    broken = shutil.copytree(workspace, folder / "workspace")
    spoil(broken / "submission.csv")
    try:
        size = task.spec.resources.submission_mib * MiB
        collect(broken, task.spec.artifacts, folder / "artifacts", max_bytes=size)
    except InvalidSubmissionError as error:
        return error.message
    return run_grader(task.grade_script, folder / "artifacts", prepared.private, folder).invalid or ""


Rows = list[list[str]]


def edited(change: Callable[[Rows], object]) -> Callable[[Path], None]:
    def spoil(path: Path) -> None:
        with path.open(newline="") as file:
            rows = list(csv.reader(file))
        change(rows)
        with path.open("w", newline="") as file:
            csv.writer(file).writerows(rows)

    return spoil


def set_cell(value: str, *, column: int = -1) -> Callable[[Path], None]:
    return edited(lambda rows: rows[1].__setitem__(column, value))


def make_empty(path: Path) -> None:
    path.write_bytes(b"")


def make_link(path: Path) -> None:
    path.unlink()
    path.symlink_to("/etc/passwd")


def make_huge(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(1 << 30)


def make_zip_bomb(path: Path) -> None:
    path.unlink()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("submission.csv", bytes(32 << 20))


FAULTS: dict[str, Callable[[Path], None]] = {
    "missing file": Path.unlink,
    "empty file": make_empty,
    "header alone": edited(lambda rows: rows.__delitem__(slice(1, None))),
    "missing row": edited(lambda rows: rows.pop()),
    "row twice": edited(lambda rows: rows.append(rows[1])),
    "unknown id": set_cell("no-such-id", column=0),
    "wrong column": edited(lambda rows: rows[0].__setitem__(-1, "answer")),
    "missing column": edited(lambda rows: [row.pop() for row in rows]),
    "value missing": set_cell(""),
    "NaN": set_cell("nan"),
    "infinity": set_cell("inf"),
    "symbolic link": make_link,
    "1 GB": make_huge,
    "zip bomb": make_zip_bomb,
}
FAULT_WORDS = {
    "missing file": "is missing",
    "empty file": "is empty",
    "header alone": "lacks",
    "missing row": "lacks 1 of",
    "row twice": "is there twice",
    "unknown id": "is not a",
    "wrong column": "has the columns",
    "missing column": "has the columns",
    "value missing": "column",
    "NaN": "column",
    "infinity": "column",
    "symbolic link": "is a symbolic link",
    "1 GB": "larger than",
    "zip bomb": "submission.csv",
}
