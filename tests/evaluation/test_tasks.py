"""The proofs that every task of the catalogue must pass, in the real sandbox."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from environment.sandbox.bubblewrap import BubblewrapSandbox
from evaluation.broken_submissions import refusals
from evaluation.competence import success
from evaluation.grading import grade
from evaluation.verify import VerificationError, run_script, verify
from tasks_catalog.catalog import list_tasks
from tasks_catalog.library.extras import check_extras
from tasks_catalog.library.leaks import find_leaks
from tasks_catalog.library.prepare import Prepared
from tasks_catalog.library.spec import Task, Variant
from tests.evaluation.scripts import each, prepared_mini, ran_once, with_few_repetitions

TASKS = list_tasks()
HOLES = [task for task in list_tasks(holes=True) if task.spec.holes]
MINI = Variant.MINI


@pytest.fixture
def prepared(task: Task, shared_folder: Path) -> Prepared:
    return prepared_mini(task, shared_folder)


@pytest.mark.parametrize("task", each(TASKS))
def test_the_starter_scores_the_baseline(task: Task, prepared: Prepared, shared_folder: Path, tmp_path: Path) -> None:
    ran = ran_once(task, prepared, shared_folder, solution=False)
    workspace = Path(shutil.copytree(ran, tmp_path / "workspace"))
    report = grade(with_few_repetitions(task), MINI, prepared, workspace, BubblewrapSandbox())
    assert report.invalid is None
    assert report.score is not None
    assert not report.success
    if not task.spec.timed:  # timings compare within their session alone
        figure = task.spec.variants[MINI].baseline
        assert figure is not None
        assert figure.seeds >= 8
        assert report.score == pytest.approx(figure.mean, abs=max(5 * figure.std, 0.02 * abs(figure.mean)))
    for fault, reason in refusals(task, prepared, workspace).items():
        assert FAULT_WORDS[fault] in reason, f"{fault}: {reason}"


@pytest.mark.parametrize("task", each(TASKS))
def test_the_solution_succeeds(task: Task, prepared: Prepared, shared_folder: Path) -> None:
    ran = ran_once(task, prepared, shared_folder, solution=True)
    report = grade(with_few_repetitions(task), MINI, prepared, ran, BubblewrapSandbox())
    assert report.success
    reference = task.spec.variants[MINI].reference
    assert reference is not None
    assert report.normalised is not None
    assert report.normalised > 0.5


@pytest.mark.parametrize("task", each(HOLES))
def test_an_unfilled_starter_says_what_is_missing(task: Task, prepared: Prepared, tmp_path: Path) -> None:
    shutil.copytree(task.starter, tmp_path / "workspace")
    done = run_script(task, prepared, tmp_path / "workspace", BubblewrapSandbox())
    assert done.exit_code == 1
    assert b"NotImplementedError: TODO: " in done.output
    assert not (tmp_path / "workspace" / "submission.csv").exists()
    with pytest.raises(VerificationError, match=f"shares those of {task.spec.based_on}"):
        verify(task, MINI, prepared, BubblewrapSandbox())


@pytest.mark.parametrize("task", each(TASKS))
def test_nothing_leads_to_the_hidden_labels(task: Task, prepared: Prepared) -> None:
    assert find_leaks(prepared.public, prepared.private) == []


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_the_spec_is_complete(task: Task) -> None:
    check_extras(task.spec.extras, task=task.name)
    for variant in task.spec.variants.values():
        assert variant.source
        assert variant.licence
    mini = task.spec.variants[MINI]
    assert mini.digest
    assert mini.baseline is not None
    assert mini.reference is not None
    assert success(mini.reference.mean, mini.baseline.mean, task.spec.metric.direction)
    assert not mini.needs


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
    "pipe": "is not a regular file",
    "1 GB": "larger than",
    "zip bomb": "submission.csv",
}
