"""Starters and solutions of the catalogue, run in the real sandbox."""

from __future__ import annotations

import shutil
from pathlib import Path

from filelock import FileLock

from environment.sandbox.bubblewrap import BubblewrapSandbox
from evaluation.verify import run_script
from tasks_catalog.library.prepare import Prepared, prepare
from tasks_catalog.library.spec import Task, Variant


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


def ran_once(task: Task, prepared: Prepared, shared: Path, *, solution: bool) -> Path:
    """The workspace after a run that all tests of a session share; they copy what they change."""
    workspace = shared / "ran" / f"{task.name}-{'solution' if solution else 'starter'}"
    workspace.parent.mkdir(exist_ok=True)
    with FileLock(workspace.with_suffix(".lock")):
        if not workspace.exists():
            run_side(task, prepared, workspace.with_suffix(".running"), solution=solution).rename(workspace)
    return workspace
