from __future__ import annotations

from pathlib import Path

import pytest

from environment.sandbox.bubblewrap import BubblewrapSandbox
from evaluation.verify import verify
from tasks_catalog.catalog import list_tasks, load_task
from tasks_catalog.library.errors import TaskError
from tasks_catalog.library.prepare import prepare
from tasks_catalog.library.skeleton import new_task
from tasks_catalog.library.spec import Variant


def test_a_new_task_works_at_once(tmp_path: Path) -> None:
    task = new_task("my-task", tmp_path)
    assert load_task(tmp_path / "my-task") == task
    prepared = prepare(task, Variant.MINI, tmp_path / "data", tmp_path / "downloads")
    found = verify(task, Variant.MINI, prepared, BubblewrapSandbox(), seeds=2)
    assert found.faults == ()


def test_a_task_is_never_overwritten(tmp_path: Path) -> None:
    new_task("my-task", tmp_path)
    with pytest.raises(TaskError, match="exists already"):
        new_task("my-task", tmp_path)
    with pytest.raises(TaskError, match="is no name for a task"):
        new_task("../My Task", tmp_path)


def test_the_skeleton_is_no_task_of_the_catalogue() -> None:
    assert "skeleton" not in {task.root.name for task in list_tasks()}
