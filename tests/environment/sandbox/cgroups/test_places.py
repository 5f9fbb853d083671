"""Places are tried by doing: what accepts a limit and does not enforce it is passed over, with the reason."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from environment.sandbox import Command, Limits, cgroups
from environment.sandbox.bubblewrap import BubblewrapSandbox
from environment.sandbox.cgroups import Found, Hierarchy
from environment.sandbox.cgroups.overrun import refusal
from foundation.sizes import MiB
from tests.environment.sandbox import plain_user

CONTROLLERS = ("memory", "pids", "cpu")

_READ_ONLY = """
for point in $(awk '/ - cgroup2? /{print $5}' /proc/self/mountinfo); do mount -o remount,bind,ro "$point"; done
exec "$@"
"""


def _proc(folder: Path, cgroup: str, mountinfo: str) -> Path:
    proc = folder / "proc"
    proc.mkdir()
    (proc / "cgroup").write_text(cgroup)
    (proc / "mountinfo").write_text(mountinfo)
    return proc


def _mount_line(kind: str, point: Path, options: str = "rw", root: str = "/") -> str:
    return f"30 20 0:26 {root} {point} rw,nosuid - {kind} {kind} {options}\n"


def test_what_only_accepts_limits_is_passed_over_from_the_own_group_up(tmp_path: Path) -> None:
    (tmp_path / "memory/mine").mkdir(parents=True)
    proc = _proc(tmp_path, "4:memory:/mine\n0::/\n", _mount_line("cgroup", tmp_path / "memory", "rw,memory"))
    assert cgroups.find(proc) == Found(
        None,
        tuple(
            f"{folder}: memory accepts the limit, but does not enforce it"
            for folder in (tmp_path / "memory/mine", tmp_path / "memory")
        ),
    )


def test_a_mount_of_a_part_of_the_hierarchy_is_understood(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    line = _mount_line("cgroup", tmp_path / "memory", "rw,memory", root="/docker/abc")
    found = cgroups.find(_proc(tmp_path, "4:memory:/docker/abc\n", line))
    assert [refused.partition(":")[0] for refused in found.refusals] == [str(tmp_path / "memory")]


@pytest.mark.parametrize("membership", ["/../../elsewhere", "/not/shown"])
def test_a_group_outside_the_mount_is_looked_for_at_its_top(membership: str, tmp_path: Path) -> None:
    (tmp_path / "fs").mkdir()
    found = cgroups.find(_proc(tmp_path, f"0::{membership}\n", _mount_line("cgroup2", tmp_path / "fs", root="/mine")))
    assert found.hierarchy is None
    assert all(refused.startswith(f"{tmp_path / 'fs'}: ") for refused in found.refusals)


def test_without_control_groups_there_is_no_hierarchy(tmp_path: Path) -> None:
    assert cgroups.find(_proc(tmp_path, "0::/\n", "")) == Found(None)
    assert cgroups.find(tmp_path / "nothing").hierarchy is None


def test_what_this_machine_was_found_to_hold_is_held() -> None:
    found = cgroups.found()
    if found.hierarchy is None:
        assert os.geteuid() != 0 or found.refusals
        pytest.skip("no control group holds anything here")
    for controller, parent in found.hierarchy.parents.items():
        assert refusal(found.hierarchy.version, controller, parent) is None


def test_what_is_of_no_use_is_not_left_switched_on(unified: Path) -> None:
    child = unified / "threaded"
    child.mkdir()
    (child / "cgroup.type").write_text("threaded")
    before = (unified / "cgroup.subtree_control").read_text()
    reasons = {controller: refusal(2, controller, unified) for controller in CONTROLLERS}
    assert None not in reasons.values(), reasons
    assert (unified / "cgroup.subtree_control").read_text() == before
    assert [path.name for path in unified.glob("*/")] == ["threaded"]


def test_a_place_that_refuses_everything_fails_no_script(unified: Path, tmp_path: Path) -> None:
    (unified / "threaded").mkdir()
    (unified / "threaded/cgroup.type").write_text("threaded")
    refusing = Found(Hierarchy(2, dict.fromkeys(CONTROLLERS, unified)))
    code = "print('begun')\nheld = []\nwhile True: held.append(b'x' * 2**22)"
    limits = Limits(timeout=60, memory=256 * MiB, cpus=1)
    done = BubblewrapSandbox(groups=refusing).run(Command(["python", "-c", code], workspace=tmp_path, limits=limits))
    assert (done.killed_by, done.output) == ("memory", b"begun\n")


def _sandbox_limits(*before: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "environment.sandbox.conformance", "bubblewrap", "limits.memory"]
    return subprocess.run([*before, *command], capture_output=True, text=True, timeout=200, check=False)


@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("unshare"), reason="needs root")
def test_a_read_only_hierarchy_leaves_the_watchers() -> None:
    before = ("unshare", "--mount", "sh", "-c", _READ_ONLY, "sh")
    say = "from environment.sandbox import cgroups; found = cgroups.find(); print(found.hierarchy, found.refusals)"
    found = subprocess.run([*before, sys.executable, "-c", say], capture_output=True, text=True, check=True).stdout
    assert found.startswith("None (")
    assert "is not writable for this user" in found
    done = _sandbox_limits(*before)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(bool(plain_user.missing()), reason=str(plain_user.missing()))
def test_a_plain_user_is_told_what_is_in_the_way(tmp_path: Path) -> None:
    say = "from environment.sandbox import cgroups; print(*cgroups.find().refusals, sep='\\n')"
    done = plain_user.run([sys.executable, "-c", say], home=tmp_path / "home")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines
    assert all("is not writable for this user" in line for line in lines), done.stdout
