"""The planning probe: its tasks are real tasks, and only one change at a time gets further."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from environment.records import StepGrade
from environment.sandbox import open_sandbox
from evaluation.grading import grade
from evaluation.process.probe import MAX_DEPTH, depth_curve, make_probe
from evaluation.process.probe.outcome import breaks_at, by_depth, probe_run
from tasks_catalog.catalog import load_task
from tasks_catalog.library.errors import TaskError
from tasks_catalog.library.prepare import Prepared, prepare
from tasks_catalog.library.spec import Task, Variant


@pytest.fixture
def probe(tmp_path: Path) -> tuple[Task, Prepared, Path]:
    """A probe of depth 3, its data, and a workspace with it."""
    task = load_task(make_probe(3, tmp_path))
    data = prepare(task, Variant.MINI, tmp_path / "data", tmp_path / "downloads")
    workspace = tmp_path / "workspace"
    shutil.copytree(task.starter, workspace)
    shutil.copytree(data.public, workspace / "data")
    return task, data, workspace


def run(workspace: Path) -> str:
    return subprocess.run(
        [sys.executable, "train.py"], cwd=workspace, capture_output=True, text=True, check=True
    ).stdout


def test_each_change_reveals_the_next(probe: tuple[Task, Prepared, Path]) -> None:
    task, _, workspace = probe
    right = json.loads((task.solution / "settings.json").read_text())
    settings: list[int] = []
    while hint := re.search(r"should be (\d+)", run(workspace)):
        settings.append(int(hint.group(1)))
        (workspace / "settings.json").write_text(json.dumps(settings))
    assert settings == right
    assert "All stages" in run(workspace)


def test_a_wrong_setting_hides_what_comes_after(probe: tuple[Task, Prepared, Path]) -> None:
    task, _, workspace = probe
    right = json.loads((task.solution / "settings.json").read_text())
    (workspace / "settings.json").write_text(json.dumps([right[0] + 1, right[1]]))
    assert f"Stage 1 is not set right. Its setting should be {right[0]}." in run(workspace)
    public = (workspace / "data" / "stages.json").read_text()
    assert not any(str(setting) in public for setting in right)


def test_the_grade_is_the_depth(probe: tuple[Task, Prepared, Path]) -> None:
    task, data, workspace = probe
    right = json.loads((task.solution / "settings.json").read_text())
    sandbox = open_sandbox("auto", label="test")
    (workspace / "settings.json").write_text(json.dumps([*right[:2], 1]))
    report = grade(task, Variant.MINI, data, workspace, sandbox)
    assert (report.score, report.success) == (3, True)
    (workspace / "settings.json").write_text("{}")
    assert grade(task, Variant.MINI, data, workspace, sandbox).invalid == "settings.json holds no list"


def test_depths(tmp_path: Path) -> None:
    for depth in (1, MAX_DEPTH):
        assert load_task(make_probe(depth, tmp_path)).spec.name == f"probe-{depth}"
    for wrong in (0, MAX_DEPTH + 1):
        with pytest.raises(TaskError):
            make_probe(wrong, tmp_path)


def test_the_curve_over_steps() -> None:
    assert depth_curve([1.0, None, 2.0, 4.0]) == [0, 0, 1, 3]


def graded(*scores: float | None) -> list[StepGrade]:
    return [StepGrade(step=n, graded_at=n, score=score) for n, score in enumerate(scores)]


def test_what_a_run_reached_and_how_fast() -> None:
    run = probe_run("run", 3, graded(1, None, 2, 2, 4, 3))
    assert run.curve == (0, 0, 1, 1, 3, 2)
    assert (run.right, run.most, run.solved) == (2, 3, False)
    assert run.steps_per_change == pytest.approx(5 / 3), "the first after 3 steps, the others 2 and 0 steps later"
    assert probe_run("run", 2, graded(1, 3)).solved
    nothing = probe_run(None, 2, [])
    assert (nothing.right, nothing.steps_per_change, nothing.solved) == (0, None, False)


def test_an_agent_breaks_where_half_of_its_runs_do() -> None:
    solved, broken = probe_run("a", 1, graded(2)), probe_run("b", 2, graded(2))
    depths = by_depth([broken, solved, probe_run("c", 2, graded(3))])
    assert [(found.depth, found.solved, found.runs, found.right) for found in depths] == [(1, 1, 1, 1), (2, 1, 2, 1.5)]
    assert breaks_at(depths) == 2
    assert breaks_at(depths[:1]) is None
