"""Starters and solutions of the catalogue, run in the real sandbox."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

import pytest
from filelock import FileLock

from environment.sandbox.bubblewrap import BubblewrapSandbox
from evaluation.verify import run_script
from tasks_catalog.catalog import CATALOGUE
from tasks_catalog.library.folder import read_task
from tasks_catalog.library.prepare import Prepared, prepare
from tasks_catalog.library.spec import Task, Variant

EVERYDAY = frozenset(
    {
        "house-price",  # a number for each row of a table
        "spaceship-titanic",  # a class for each
        "bibtex-generation",  # a program, run on papers that are drawn
        "literature-review-tool",  # a program that asks the harness's gateway
        "vectorization",  # a program that is timed
    }
)
"""Tasks of every kind whose data and scripts take seconds; the slow tests prepare and run the others."""


def each(tasks: Iterable[Task]) -> list[object]:
    """A test's cases: one a task, which is slow unless the task is an everyday one or made from one."""
    return [
        pytest.param(task, marks=() if {task.name, task.spec.based_on} & EVERYDAY else pytest.mark.slow, id=task.name)
        for task in tasks
    ]


def prepared_mini(task: Task, shared: Path) -> Prepared:
    """A task's mini data, made once a session."""
    data = shared / "data" / task.data_name / Variant.MINI.value
    return prepare(task, Variant.MINI, data, shared / "downloads")


def run_side(task: Task, prepared: Prepared, workspace: Path, *, solution: bool) -> Path:
    """Run the starter, or the solution laid over it, in a workspace that is made for it."""
    shutil.copytree(task.starter, workspace)
    if solution:
        shutil.copytree(task.solution, workspace, dirs_exist_ok=True)
    done = run_script(task, prepared, workspace, BubblewrapSandbox())
    assert done.exit_code == 0, done.output.decode()
    return workspace


def with_few_repetitions(task: Task) -> Task:
    """The task, its program timed as often as a median needs."""
    trials = tuple(trial.model_copy(update={"repetitions": min(trial.repetitions, 3)}) for trial in task.spec.trials)
    return task.model_copy(update={"spec": task.spec.model_copy(update={"trials": trials})})


def small_convolution(folder: Path, images: tuple[int, ...], repetitions: int) -> Task:
    """The timed task, copied, with images of this shape, and its program timed so often."""
    copied = Path(shutil.copytree(CATALOGUE / "vectorization", folder / "vectorization"))
    generator, spec = copied / "prepare.py", copied / "task.toml"
    generator.write_text(generator.read_text().replace("(batch, 64, 64, 3)", str(images)))
    lines = spec.read_text().replace("repetitions = 7", f"repetitions = {repetitions}").splitlines()
    spec.write_text("\n".join(line for line in lines if not line.startswith("digest")))
    return read_task(copied)


def ran_once(task: Task, prepared: Prepared, shared: Path, *, solution: bool) -> Path:
    """The workspace after a run that all tests of a session share; they copy what they change."""
    workspace = shared / "ran" / f"{task.name}-{'solution' if solution else 'starter'}"
    workspace.parent.mkdir(exist_ok=True)
    with FileLock(workspace.with_suffix(".lock")):
        if not workspace.exists():
            run_side(task, prepared, workspace.with_suffix(".running"), solution=solution).rename(workspace)
    return workspace
