"""What code that others wrote can reach as it makes a task's data: its own folder, and nothing of its owner's."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from environment.errors import SandboxUnavailableError
from evaluation.foreign import InSandbox
from tasks_catalog.library.errors import TaskError
from tasks_catalog.library.foreign import import_task
from tasks_catalog.library.foreign_code import last_words, unsandboxed
from tasks_catalog.library.prepare import prepare
from tasks_catalog.library.spec import Direction, Variant
from tests.tasks_catalog.foreign.running import IN_SANDBOX, prepared_for


def test_foreign_code_runs_in_a_sandbox_or_after_a_yes(original: Path, competition: Path, tmp_path: Path) -> None:
    with pytest.raises(TaskError, match=r"no sandbox here(.|\n)*--trust"):
        import_task(original, tmp_path / "tasks", direction=Direction.MAXIMIZE)
    assert not list(tmp_path.glob("tasks/*"))
    task = import_task(competition, tmp_path / "tasks")
    with pytest.raises(TaskError, match=r"no sandbox here(.|\n)*--trust"):
        prepare(task, Variant.FULL, tmp_path / "data", tmp_path / "downloads", tmp_path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("evaluation.foreign.open_sandbox", _none_works)
        with pytest.raises(TaskError, match="no sandbox here"):
            import_task(original, tmp_path / "tasks", direction=Direction.MAXIMIZE, run=IN_SANDBOX)
    import_task(original, tmp_path / "tasks", direction=Direction.MAXIMIZE, run=unsandboxed)


def _none_works(*_: object, **__: object) -> None:
    raise SandboxUnavailableError("none works here")


_PROBE = """
import os, pathlib, socket, sys
def tried(what):
    try:
        return what() or "yes"
    except OSError as error:
        return type(error).__name__
target, here = {target!r}, pathlib.Path({seen!r})
def connect():
    with socket.create_connection(("127.0.0.1", {port}), 5): pass
here.write_text(repr({{
    "variables": dict(os.environ),
    "network": tried(connect),
    "outside": tried(lambda: open({outside!r}, "w").close()),
    "secret": tried(lambda: open({secret!r}).read()),
}}))
"""


@pytest.mark.parametrize("network", [False, True])
def test_foreign_code_sees_no_keys_and_writes_nowhere_else(
    network: bool, original: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-planted")
    secret, outside = tmp_path / "secret", tmp_path / "outside"
    secret.write_text("sk-planted")
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        seen = "../env/seen"
        probe = _PROBE.format(target="..", seen=seen, port=port, outside=str(outside), secret=str(secret))
        (original / "scripts" / "prepare.py").write_text(probe)
        run = InSandbox(network=network)
        task = import_task(original, tmp_path / "tasks", direction=Direction.MAXIMIZE, run=run)
    found = (task.starter / "seen").read_text()
    assert "sk-planted" not in found
    assert "'PATH'" in found
    assert ("'network': 'yes'" in found) == network
    assert not outside.exists()
    assert (task.starter / "seen").stat().st_uid == os.geteuid()


def test_what_a_yes_lets_run_outside_sees_no_keys(
    original: Path, competition: Path, raw: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-planted")
    seen = tmp_path / "seen"
    look = f"import os\nopen({str(seen)!r}, 'a').write(str(dict(os.environ)))\n"
    for script in (original / "scripts" / "prepare.py", competition / "prepare.py"):
        script.write_text(look + (script.read_text() if script.is_file() else ""))
    import_task(original, tmp_path / "tasks", direction=Direction.MAXIMIZE, run=unsandboxed)
    prepared_for(import_task(competition, tmp_path / "tasks", trusted=True), tmp_path, raw)
    assert seen.read_text().count("PATH") >= 2
    assert "sk-planted" not in seen.read_text()


@pytest.mark.parametrize("way", ["os.symlink('/etc/hostname', '../env/x')", "os.mkfifo('../env/x')"])
def test_foreign_code_leaves_no_way_out_of_its_folder(way: str, original: Path, tmp_path: Path) -> None:
    (original / "scripts" / "prepare.py").write_text(f"import os\n{way}")
    with pytest.raises(TaskError, match="env/x, which leads out"):
        import_task(original, tmp_path / "tasks", direction=Direction.MAXIMIZE, run=IN_SANDBOX)
    assert not list(tmp_path.glob("tasks/*"))


def test_foreign_code_plants_nothing_beside_what_its_owner_runs(original: Path, tmp_path: Path) -> None:
    plant = "import os\nfor name in ('__pycache__', 'workspace'): os.makedirs('../' + name)\nopen('../prepare.py', 'w')"
    (original / "scripts" / "prepare.py").write_text(plant)
    task = import_task(original, tmp_path / "tasks", direction=Direction.MAXIMIZE, run=IN_SANDBOX)
    names = {path.name for path in task.root.iterdir()}
    assert names == {"task.toml", "instruction.md", "prepare.py", "grade.py", "workspace", "scripts"}


@pytest.mark.parametrize("folder", ["env", "scripts"])
@pytest.mark.parametrize("odd", [os.mkfifo, lambda path: path.symlink_to("/etc/hostname")])
def test_a_source_whose_files_lead_out_is_refused(
    folder: str, odd: Callable[[Path], None], original: Path, competition: Path, tmp_path: Path
) -> None:
    odd(original / folder / "x")
    with pytest.raises(TaskError, match=f"{folder}/x, which leads out"):
        import_task(original, tmp_path / "tasks", direction=Direction.MAXIMIZE, run=IN_SANDBOX)
    odd(competition / "x")
    with pytest.raises(TaskError, match="leaves x, which leads out"):
        import_task(competition, tmp_path / "tasks")
    assert not list(tmp_path.glob("tasks/*"))


def test_what_a_failed_program_said_last_comes_in_whole_lines() -> None:
    printed = "".join(f"line {number} of many\n" for number in range(100))
    assert last_words(printed, 1).splitlines()[0] == "line 63 of many"
    assert last_words("x" * 10_000, 1) == "x" * 600
    assert last_words(" \n", 3) == "it prints nothing and ends with exit code 3"
