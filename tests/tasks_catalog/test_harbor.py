from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tasks_catalog.catalog import load_task
from tasks_catalog.library.errors import TaskError
from tasks_catalog.library.foreign.harbor import export_harbor
from tasks_catalog.library.prepare import Prepared, prepare
from tasks_catalog.library.skeleton import new_task
from tasks_catalog.library.spec import Task, Variant


@pytest.fixture
def task(tmp_path: Path) -> Task:
    return new_task("my-task", tmp_path / "tasks")


@pytest.fixture
def prepared(task: Task, tmp_path: Path) -> Prepared:
    return prepare(task, Variant.MINI, tmp_path / "data", tmp_path / "downloads")


def reward(folder: Path, workspace: Path, logs: Path) -> dict[str, float]:
    """What the exported verifier says, run as its test.sh does but for the places."""
    logs.mkdir()
    command = [
        sys.executable,
        "-P",
        str(folder / "tests" / "verify.py"),
        str(workspace),
        str(folder / "tests"),
        str(logs),
    ]
    subprocess.run(command, check=True, env={**os.environ, "PYTHONPATH": str(folder / "tests" / "lib")})
    assert (logs / "reward.txt").read_text() in ("0", "1")
    found: dict[str, float] = json.loads((logs / "reward.json").read_text())
    return found


def test_the_exported_folder_is_a_harbor_task(task: Task, prepared: Prepared, tmp_path: Path) -> None:
    folder = export_harbor(task, Variant.MINI, prepared, tmp_path / "harbor")
    spec = tomllib.loads((folder / "task.toml").read_text())
    assert spec["task"]["name"] == "mlagentbench/my-task"
    assert spec["environment"]["memory_mb"] == 4096
    assert task.instruction in (folder / "instruction.md").read_text()
    assert (folder / "environment" / "Dockerfile").is_file()
    for script in ("tests/test.sh", "solution/solve.sh"):
        assert os.access(folder / script, os.X_OK)
        subprocess.run(["bash", "-n", str(folder / script)], check=True)
    assert not list((folder / "environment").rglob("answers.csv"))


def test_its_verifier_tells_the_starter_from_the_solution(task: Task, prepared: Prepared, tmp_path: Path) -> None:
    folder = export_harbor(task, Variant.MINI, prepared, tmp_path / "harbor")
    workspace = folder / "environment" / "workspace"
    (workspace / "data").symlink_to(folder / "environment" / "data")
    subprocess.run([sys.executable, "train.py"], cwd=workspace, check=True)
    assert reward(folder, workspace, tmp_path / "1")["reward"] == 0
    subprocess.run([sys.executable, str(folder / "solution" / "files" / "train.py")], cwd=workspace, check=True)
    assert reward(folder, workspace, tmp_path / "2")["reward"] == 1
    (workspace / "submission.csv").write_text("id,y\n")
    assert reward(folder, workspace, tmp_path / "3") == {"reward": 0, "improvement": 0.0}


def test_a_timed_task_cannot_be_exported(prepared: Prepared, tmp_path: Path) -> None:
    with pytest.raises(TaskError, match="its grader times runs"):
        export_harbor(load_task("vectorization"), Variant.MINI, prepared, tmp_path)
