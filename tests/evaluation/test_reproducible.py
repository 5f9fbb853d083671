"""The same seed gives the same bytes on the same CPU: each starter and each solution, run twice in the sandbox."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from environment.sandbox.bubblewrap import BubblewrapSandbox
from evaluation.verify import run_script
from tasks_catalog.catalog import list_tasks
from tasks_catalog.library.prepare import Prepared, prepare
from tasks_catalog.library.spec import Task, Variant

PATIENCE = 3.5
"""Seconds of one run, by the task's own figures; what takes longer runs with the slow tests."""


def cases() -> list[object]:
    """Each script of the catalogue: a task's starter, and its solution."""
    found: list[object] = []
    for task in list_tasks():
        figures = task.spec.variants[Variant.MINI]
        for side, figure in (("starter", figures.baseline), ("solution", figures.reference)):
            long = figure is None or (figure.seconds or 0.0) > PATIENCE
            marks = pytest.mark.slow if long else ()
            found.append(pytest.param(task, side == "solution", marks=marks, id=f"{task.name}-{side}"))
    return found


def submitted(task: Task, prepared: Prepared, workspace: Path, *, solution: bool) -> dict[str, bytes]:
    """What the script leaves to be graded, by name."""
    shutil.copytree(task.starter, workspace)
    if solution:
        shutil.copytree(task.solution, workspace, dirs_exist_ok=True)
    done = run_script(task, prepared, workspace, BubblewrapSandbox())
    assert done.exit_code == 0, done.output.decode()
    files = (path for pattern in task.spec.artifacts for path in workspace.glob(pattern) if path.is_file())
    return {path.relative_to(workspace).as_posix(): path.read_bytes() for path in files}


@pytest.mark.parametrize(("task", "solution"), cases())
def test_two_runs_submit_the_same_bytes(task: Task, solution: bool, shared_folder: Path, tmp_path: Path) -> None:
    data = shared_folder / "data" / task.data_name / Variant.MINI.value
    prepared = prepare(task, Variant.MINI, data, shared_folder / "downloads")
    first, second = (submitted(task, prepared, tmp_path / name, solution=solution) for name in ("first", "second"))
    assert first
    assert [name for name in first.keys() | second.keys() if first.get(name) != second.get(name)] == []
