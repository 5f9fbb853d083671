"""The proofs that every task of the catalogue must pass, in the real sandbox."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Literal

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
from tasks_catalog.library.spec import Figure, Task, Variant
from tests.evaluation.scripts import prepared_mini, ran_once

TASKS = list_tasks()
HOLES = [task for task in list_tasks(holes=True) if task.spec.holes]
MINI = Variant.MINI
PATIENCE = 10.0
"""Seconds; scripts that the task says take longer run with the slow tests."""


@pytest.fixture
def prepared(task: Task, shared_folder: Path) -> Prepared:
    return prepared_mini(task, shared_folder)


def parametrise(tasks: list[Task], *, runs: Literal["baseline", "reference"] | None = None) -> pytest.MarkDecorator:
    """A test for each task; of those that run its starter or its solution, the long ones are slow."""

    def long(task: Task) -> bool:
        figure: Figure | None = getattr(task.spec.variants[MINI], runs) if runs else None
        graded = 1 + sum(trial.repetitions * (1 + trial.against_starter) for trial in task.spec.trials)
        return figure is not None and (figure.seconds or 0.0) * graded > PATIENCE

    return pytest.mark.parametrize(
        "task", [pytest.param(task, marks=pytest.mark.slow if long(task) else (), id=task.name) for task in tasks]
    )


@parametrise(TASKS, runs="baseline")
def test_the_starter_scores_the_baseline(task: Task, prepared: Prepared, shared_folder: Path, tmp_path: Path) -> None:
    ran = ran_once(task, prepared, shared_folder, solution=False)
    workspace = Path(shutil.copytree(ran, tmp_path / "workspace"))
    report = grade(task, MINI, prepared, workspace, BubblewrapSandbox())
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


@parametrise(TASKS, runs="reference")
def test_the_solution_succeeds(task: Task, prepared: Prepared, shared_folder: Path) -> None:
    ran = ran_once(task, prepared, shared_folder, solution=True)
    report = grade(task, MINI, prepared, ran, BubblewrapSandbox())
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
