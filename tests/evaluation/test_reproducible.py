"""The same seed gives the same bytes on the same CPU: each starter and each solution, run twice in the sandbox."""

from __future__ import annotations

from pathlib import Path

import pytest

from tasks_catalog.catalog import list_tasks
from tasks_catalog.library.spec import Task, Variant
from tests.evaluation.scripts import EVERYDAY, prepared_mini, ran_once, run_side

PATIENCE = 2.0
"""Seconds of one run, by the task's own figures; what takes longer runs with the slow tests."""


def cases() -> list[object]:
    """Each script of the catalogue: a task's starter, and its solution."""
    found: list[object] = []
    for task in list_tasks():
        figures = task.spec.variants[Variant.MINI]
        for side, figure in (("starter", figures.baseline), ("solution", figures.reference)):
            quick = task.name in EVERYDAY and figure is not None and (figure.seconds or 0.0) <= PATIENCE
            marks = () if quick else pytest.mark.slow
            found.append(pytest.param(task, side == "solution", marks=marks, id=f"{task.name}-{side}"))
    return found


def submitted(task: Task, workspace: Path) -> dict[str, bytes]:
    """What a script has left to be graded, by name."""
    files = (path for pattern in task.spec.artifacts for path in workspace.glob(pattern) if path.is_file())
    return {path.relative_to(workspace).as_posix(): path.read_bytes() for path in files}


@pytest.mark.parametrize(("task", "solution"), cases())
def test_two_runs_submit_the_same_bytes(task: Task, solution: bool, shared_folder: Path, tmp_path: Path) -> None:
    prepared = prepared_mini(task, shared_folder)
    first = submitted(task, ran_once(task, prepared, shared_folder, solution=solution))
    second = submitted(task, run_side(task, prepared, tmp_path / "workspace", solution=solution))
    assert first
    assert [name for name in first.keys() | second.keys() if first.get(name) != second.get(name)] == []
