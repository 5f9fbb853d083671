"""What a run needs is tried before it begins: a shortfall is told then, and the store knows no run."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from agent.models.errors import BadKeyError
from environment.errors import SandboxError, SandboxUnavailableError
from environment.journal.runs import list_runs
from environment.records import Budget, RunConfig
from environment.store import Store
from flows.errors import UsageError
from flows.run.opening import open_session
from tests.flows.cli.in_process import command
from tests.flows.command import SLOPE

pytestmark = pytest.mark.usefixtures("mlab_environment")


def _refused(config: RunConfig, home: Path, error: type[Exception], match: str) -> None:
    with pytest.raises(error, match=match):
        open_session(config, None)
    assert not list_runs(Store(str(home / "store")))


def _task_with(folder: Path, file: str, old: str, new: str) -> str:
    task = folder / "slope"
    shutil.copytree(SLOPE, task)
    text = (task / file).read_text()
    assert old in text
    (task / file).write_text(text.replace(old, new, 1))
    return str(task)


def test_a_grader_without_its_library(tmp_path: Path, home: Path) -> None:
    task = _task_with(tmp_path, "grade.py", "import csv", "import no_such_library\nimport csv")
    config = RunConfig(task=task, agent="nop", sandbox="bubblewrap")
    _refused(config, home, SandboxUnavailableError, "grader of slope .* No module named 'no_such_library'")


def test_a_disk_too_small_for_what_the_workspace_may_take(home: Path) -> None:
    config = RunConfig(task=str(SLOPE), agent="nop", sandbox="bubblewrap", budget=Budget(disk_mib=1e9))
    _refused(config, home, UsageError, "MiB free, and the workspace may take 1000000000 MiB")


CANNOT_WORK = {
    ("--agent", "cli", "--model", "openai:m", "--set", "command=true"): "Add --gateway",
    ("--gateway",): "Without a model there is none to offer to scripts",
    ("--gateway", "--model", "openai:m", "--sandbox", "none", "--unsafe-no-sandbox"): "inside a sandbox only",
    ("--guard-model", "foo:bar"): "The model foo:bar cannot be made",
    ("--guard-model", "openai:gpt-4.1"): "OPENAI_API_KEY",
    ("--memory-of-same-data",): "Add --memory NAME",
    ("--agent", "nop", "--fast-model", "openai:m"): "Leave out --fast-model",
    ("--edit-model", "openai:m"): "Leave out --edit-model",
}


@pytest.mark.parametrize("dry", [(), ("--dry-run",)])
@pytest.mark.parametrize("options", CANNOT_WORK)
def test_options_that_cannot_work_are_told_before_anything_is_started(
    options: tuple[str, ...], dry: tuple[str, ...], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def start(*_: object) -> None:
        raise AssertionError("started")

    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setattr("flows.cli.commands.run.execute", start)
    done = command("run", str(SLOPE), *options, *dry)
    assert (done.code, done.fault) == (2, None), done.printed
    assert CANNOT_WORK[options] in done.printed
    assert not list_runs(Store(str(home / "store")))


def test_a_guard_without_its_key_where_a_worker_makes_the_run(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    config = RunConfig(task=str(SLOPE), agent="nop", guard=True, guard_model="openai:m")
    _refused(config, home, BadKeyError, "OPENAI_API_KEY")


@pytest.mark.parametrize("options", [(), ("--dry-run",)])
def test_a_disk_too_small_is_told_before_anything_is_started(
    options: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    def start(*_: object) -> None:
        raise AssertionError("started")

    monkeypatch.setattr("flows.cli.commands.run.execute", start)
    done = command("run", str(SLOPE), "--agent", "nop", "--max-disk", "1000000000", *options)
    assert (done.code, done.fault) == (2, None)
    assert "MiB free, and the workspace may take 1000000000 MiB" in done.printed


def test_a_script_that_cannot_start_within_its_limits(tmp_path: Path, home: Path) -> None:
    task = _task_with(tmp_path, "task.toml", "memory_mib = 512", "memory_mib = 1")
    config = RunConfig(task=task, agent="nop", sandbox="bubblewrap")
    _refused(config, home, SandboxError, "No script can run in the sandbox bubblewrap|could not set the sandbox up")
