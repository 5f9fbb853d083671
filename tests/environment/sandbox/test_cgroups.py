"""Finding a hierarchy and what is written where: on folders made to look like the kernel's, of both versions.

That the kernel then heeds it shows in the conformance suite, on the version that the machine has.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from environment.sandbox import Limits, cgroups
from environment.sandbox.cgroups import ControlGroup, Hierarchy
from environment.sandbox.owner import Owner
from foundation.sizes import MiB

LIMITS = Limits(memory=256 * MiB, processes=64, cpus=0.5)


def _proc(folder: Path, cgroup: str, mountinfo: str) -> Path:
    proc = folder / "proc"
    proc.mkdir()
    (proc / "cgroup").write_text(cgroup)
    (proc / "mountinfo").write_text(mountinfo)
    return proc


def _mount_line(kind: str, point: Path, options: str = "rw", root: str = "/") -> str:
    return f"30 20 0:26 {root} {point} rw,nosuid - {kind} {kind} {options}\n"


def test_version_1_groups_go_below_the_own_one(tmp_path: Path) -> None:
    for name in ("memory", "pids", "cpu"):
        (tmp_path / name / "mine").mkdir(parents=True)
    proc = _proc(
        tmp_path,
        "4:memory:/mine\n3:pids:/mine\n2:cpu,cpuacct:/mine\n1:name=systemd:/\n0::/\n",
        "".join(_mount_line("cgroup", tmp_path / name, f"rw,{name}") for name in ("memory", "pids", "cpu")),
    )
    found = cgroups.detect(proc)
    assert found is not None
    assert found.version == 1
    assert found.parents == {name: tmp_path / name / "mine" for name in ("memory", "pids", "cpu")}


def test_a_mount_of_a_part_of_the_hierarchy_is_understood(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    line = _mount_line("cgroup", tmp_path / "memory", "rw,memory", root="/docker/abc")
    found = cgroups.detect(_proc(tmp_path, "4:memory:/docker/abc\n", line))
    assert found is not None
    assert found.parents == {"memory": tmp_path / "memory"}


def _unified(folder: Path, path: str, controllers: str) -> Path:
    group = folder / path
    group.mkdir(parents=True, exist_ok=True)
    (group / "cgroup.subtree_control").write_text(controllers)
    return group


def test_version_2_takes_the_nearest_ancestor_that_hands_controllers_down(tmp_path: Path) -> None:
    root = _unified(tmp_path / "fs", ".", "cpu memory pids")
    user = _unified(tmp_path / "fs", "user", "cpu memory pids")
    own = _unified(tmp_path / "fs", "user/session", "")
    (own / "cgroup.subtree_control").unlink()  # as where it cannot be written: the group holds processes itself
    (own / "cgroup.subtree_control").mkdir()
    found = cgroups.detect(_proc(tmp_path, "0::/user/session\n", _mount_line("cgroup2", root)))
    assert found is not None
    assert found.version == 2
    assert found.parents == dict.fromkeys(("memory", "pids", "cpu"), user)


def test_without_control_groups_there_is_no_hierarchy(tmp_path: Path) -> None:
    assert cgroups.detect(_proc(tmp_path, "0::/\n", "")) is None
    assert cgroups.detect(tmp_path / "nothing") is None


def _written(group: ControlGroup) -> dict[str, str]:
    return {file.name: file.read_text() for folder in group.folders.values() for file in folder.iterdir()}


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        (
            1,
            {
                "memory.limit_in_bytes": str(256 * MiB),
                "pids.max": "64",
                "cpu.cfs_period_us": "100000",
                "cpu.cfs_quota_us": "50000",
            },
        ),
        (2, {"memory.max": str(256 * MiB), "pids.max": "64", "cpu.max": "50000 100000"}),
    ],
)
def test_what_is_written_for_each_version(version: int, expected: dict[str, str], tmp_path: Path) -> None:
    parents = {name: tmp_path / (name if version == 1 else "") for name in ("memory", "pids", "cpu")}
    for parent in parents.values():
        parent.mkdir(exist_ok=True)
    with cgroups.limit(LIMITS, Hierarchy(version, parents)) as group:
        assert group.enforces == {"memory", "pids", "cpu"}
        assert _written(group) == expected
        for folder in group.folders.values():  # on the kernel's file system they go with the folder
            for file in folder.iterdir():
                file.unlink()
    assert not list(tmp_path.rglob("mlab-*"))


@pytest.mark.parametrize(
    ("version", "file", "text"),
    [
        (1, "memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 3\n"),
        (2, "memory.events", "oom 1\noom_kill 3\n"),
    ],
)
def test_counters_are_read(version: int, file: str, text: str, tmp_path: Path) -> None:
    (tmp_path / file).write_text(text)
    (tmp_path / "pids.events").write_text("max 7\n")
    (tmp_path / {1: "memory.max_usage_in_bytes", 2: "memory.peak"}[version]).write_text("4096\n")
    group = ControlGroup(version, {"memory": tmp_path, "pids": tmp_path})
    assert (group.oom_kills(), group.refused_forks(), group.peak_memory()) == (3, 7, 4096)


def test_no_group_without_a_limit(tmp_path: Path) -> None:
    limits = Limits(memory=None, processes=None, cpus=None)
    with cgroups.limit(limits, Hierarchy(2, dict.fromkeys(("memory", "pids", "cpu"), tmp_path))) as group:
        assert not group.folders


def test_reaping_removes_groups_of_the_dead_only(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        dead = Owner.of(process.pid)
    for owner in (dead, Owner.current()):
        (tmp_path / "deep" / f"{owner.mark}-0").mkdir(parents=True)
    (tmp_path / "deep" / "unrelated").mkdir()
    hierarchy = Hierarchy(2, {"memory": tmp_path / "elsewhere"}, frozenset([tmp_path]))
    assert cgroups.reap(hierarchy) == 1
    left = {path.name for path in (tmp_path / "deep").iterdir()}
    assert left == {f"{Owner.current().mark}-0", "unrelated"}


def test_a_real_group_takes_a_process_in_and_is_gone_afterwards() -> None:
    hierarchy = cgroups.detect()
    if hierarchy is None:
        pytest.skip("this user may not make control groups here")
    with cgroups.limit(LIMITS, hierarchy) as group:
        folders = set(group.folders.values())
        assert folders
        with subprocess.Popen(["sleep", "60"]) as process:
            group.add(process.pid)
            assert all(str(process.pid) in (folder / "cgroup.procs").read_text().split() for folder in folders)
            process.kill()
    assert not any(folder.exists() for folder in folders)
