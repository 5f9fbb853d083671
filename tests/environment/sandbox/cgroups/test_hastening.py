"""The kernel's wait is begun by a move that changes nothing: this process into the group that it is in."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from environment.sandbox import Limits, cgroups
from environment.sandbox.cgroups import Hierarchy
from environment.sandbox.cgroups.hastening import hasten_moves

HYBRID = "4:memory:/mine\n3:pids:/\n0::/\n"


def _hasten(proc: Path) -> None:
    hasten_moves(proc)
    _await_the_end()


def _await_the_end() -> None:
    for thread in threading.enumerate():
        if thread.name == "control group":
            thread.join()


@pytest.fixture
def proc(tmp_path: Path) -> Path:
    """A process whose group of version 1 is shown at ``fs``, and whose others are not."""
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc/cgroup").write_text(HYBRID)
    (tmp_path / "proc/mountinfo").write_text(f"30 20 0:26 / {tmp_path}/fs rw - cgroup cgroup rw,memory\n")
    for group in (tmp_path / "fs", tmp_path / "fs/mine", tmp_path / "fs/other"):
        group.mkdir()
        (group / "cgroup.procs").write_text("")
    return tmp_path / "proc"


def _moved(proc: Path) -> dict[str, str]:
    return {path.parent.name: path.read_text() for path in proc.parent.glob("fs/**/cgroup.procs") if path.read_text()}


def test_the_process_is_written_into_the_group_that_it_is_in(proc: Path) -> None:
    _hasten(proc)
    assert _moved(proc) == {"mine": str(os.getpid())}


def test_a_process_that_was_moved_meanwhile_is_not_moved_back(proc: Path) -> None:
    _hasten(proc)
    (proc.parent / "fs/mine/cgroup.procs").write_text("")
    (proc / "cgroup").write_text(HYBRID.replace("/mine", "/other"))
    _hasten(proc)
    assert _moved(proc) == {"other": str(os.getpid())}


@pytest.mark.parametrize("group", ["/not/shown", "/../mine"])
def test_a_process_whose_group_is_not_seen_stays_where_it_is(group: str, proc: Path) -> None:
    mountinfo = proc / "mountinfo"
    mountinfo.write_text(mountinfo.read_text().replace(" / ", " /shown "))
    (proc / "cgroup").write_text(HYBRID.replace("/mine", group))
    _hasten(proc)
    assert _moved(proc) == {}


def test_without_control_groups_nothing_happens(tmp_path: Path) -> None:
    _hasten(tmp_path)


def test_real_groups_leave_this_process_where_it_is() -> None:
    before = Path("/proc/self/cgroup").read_text()
    _hasten(Path("/proc/self"))
    assert Path("/proc/self/cgroup").read_text() == before


def test_it_begins_when_a_command_gets_its_groups(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    begun: list[bool] = []
    monkeypatch.setattr("environment.sandbox.cgroups.group.hasten_moves", lambda: begun.append(True))
    nothing = Limits(memory=None, processes=None, cpus=None)
    for limits, times in ((nothing, 0), (Limits(), 1)):
        with cgroups.limit(limits, Hierarchy(2, {"memory": tmp_path})):
            assert len(begun) == times
