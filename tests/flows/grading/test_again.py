"""``mlab grade`` repeats what a run was graded on, hidden inputs that nobody has seen included."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from environment.journal.entries import Journal
from environment.journal.lease import RunLease
from environment.records import RunConfig
from environment.store import Store
from flows.settings import Settings
from tasks_catalog.catalog import load_task
from tests.benchmarks.report import fill
from tests.evaluation.report.samples import sample_run
from tests.flows.cli.in_process import command

DRAWN = "literature-review-tool"
"""A task whose hidden inputs are drawn for each run."""


@pytest.fixture
def store(home: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.setenv("MLAB_HOME", str(home))
    monkeypatch.delenv("MLAB_STORE", raising=False)
    return Store(Settings().store_url)


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "workspace").mkdir()
    return tmp_path / "workspace"


def _fill(store: Store, workspace: Path, run_id: str, task: str) -> None:
    """A finished run that submitted what the workspace holds."""
    sample = sample_run(0, steps=2)
    config = RunConfig(run_id=run_id, task=task, agent="nop", sandbox="bubblewrap")
    result = sample.result.model_copy(update={"run_id": run_id, "task": task})
    fill(store, sample.model_copy(update={"config": config, "result": result, "changes": {}}), workspace)


def _graded(run_id: str) -> float:
    score: float = json.loads(command("grade", run_id, "--json").printed)["score"]
    return score


def test_a_grade_on_hidden_drawn_inputs_is_repeated_and_another_runs_is_its_own(store: Store, workspace: Path) -> None:
    shutil.copytree(load_task(DRAWN).starter, workspace, dirs_exist_ok=True)
    for run_id in ("one", "other"):
        _fill(store, workspace, run_id, DRAWN)
    first = _graded("one")
    assert _graded("one") == first
    assert _graded("other") != first


def test_a_run_that_has_not_ended_is_told_what_it_would_score(store: Store, workspace: Path) -> None:
    _fill(store, workspace, "open", "spaceship-titanic")
    journal = Journal(store, "open")
    store.delete(journal.keys.result)
    for options in ((), ("--intermediate",)):
        with RunLease(store, "open"):
            busy = command("grade", "open", *options)
        assert busy.code != 0
        assert "is being worked by process" in busy.printed
    done = command("grade", "open")
    assert (done.code, journal.result()) == (0, None)
    for words in ("open has not ended", "would be", "None of it is kept"):
        assert words in done.printed
    assert "graded again" not in done.printed
    assert json.loads(command("grade", "open", "--json").printed)["ended"] is False
