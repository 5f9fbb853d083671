"""What is written where and read again: on folders made to look like the kernel's, and on the kernel's own."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

import pytest

from environment.sandbox import Limits, cgroups
from environment.sandbox.cgroups import ControlGroup, Hierarchy
from environment.sandbox.cgroups.group import CONTROLLERS
from environment.sandbox.cgroups.mounts import own_folders
from environment.sandbox.owner import Owner
from foundation.sizes import MiB

LIMITS = Limits(memory=256 * MiB, processes=64, cpus=0.5)


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
    hierarchy = cgroups.found().hierarchy
    if hierarchy is None:
        pytest.skip("no control group holds anything here")
    with cgroups.limit(LIMITS, hierarchy) as group, subprocess.Popen(["sleep", "60"]) as process:
        folders = set(group.folders.values())
        assert folders
        group.add(process.pid)
        assert all(str(process.pid) in (folder / "cgroup.procs").read_text().split() for folder in folders)
        process.kill()
    assert not any(folder.exists() for folder in folders)


def test_what_a_thread_starts_in_a_group_is_there_from_its_beginning_and_the_thread_is_back() -> None:
    hierarchy = cgroups.found().hierarchy
    if hierarchy is None or hierarchy.version != 1:
        pytest.skip("only groups of version 1 take single threads in")
    before = own_folders(CONTROLLERS)
    with cgroups.limit(LIMITS, hierarchy) as group:
        with group.entered():
            process = subprocess.Popen(["sleep", "60"])
            assert own_folders(group.folders) == group.folders
        assert own_folders(CONTROLLERS) == before
        with process:
            group.add(process.pid)  # the kernel would wait for it
            folders = set(group.folders.values())
            assert all([str(process.pid)] == (folder / "cgroup.procs").read_text().split() for folder in folders)
            process.kill()
        with pytest.raises(RuntimeError), group.entered():
            raise RuntimeError
        assert own_folders(CONTROLLERS) == before


def test_a_thread_that_cannot_move_stays_and_its_process_is_moved_later(tmp_path: Path) -> None:
    group = ControlGroup(1, {"memory": tmp_path})
    with group.entered():
        assert own_folders(["memory"]).get("memory") != tmp_path
    group.add(os.getpid())
    assert (tmp_path / "cgroup.procs").read_text() == str(os.getpid())


def test_a_process_moved_soon_after_an_early_wait_is_not_waited_for(unified: Path) -> None:
    group = ControlGroup(2, {"pids": unified})
    before = own_folders([""])
    seconds: dict[bool, list[float]] = {False: [], True: []}
    for early in [False, True] * 9:
        with subprocess.Popen(["sleep", "60"]) as process:
            time.sleep(0.05)  # what the last move waited for is forgotten
            if early and (thread := cgroups.wait_early(Hierarchy(2, {"pids": unified}))):
                thread.join()
            began = time.monotonic()
            group.add(process.pid)
            seconds[early].append(time.monotonic() - began)
            assert str(process.pid) in (unified / "cgroup.procs").read_text().split()
            process.kill()
    assert own_folders([""]) == before
    plain, waited = (statistics.median(seconds[early]) for early in (False, True))
    if plain < 0.002:
        pytest.skip("this kernel waits for nothing: its groups are mounted with favordynmods")
    assert waited < plain * 0.6


@pytest.mark.parametrize("hierarchy", [None, Hierarchy(1, {"memory": Path("/nowhere")})])
def test_nothing_is_waited_for_where_no_process_is_moved(hierarchy: Hierarchy | None) -> None:
    assert cgroups.wait_early(hierarchy) is None


def test_a_group_that_is_gone_holds_nothing_and_says_so(tmp_path: Path) -> None:
    group = ControlGroup(2, {"memory": tmp_path / "gone", "pids": tmp_path / "gone"})
    group.add(os.getpid())
    assert not group.enforces
    assert group.refusals == dict.fromkeys(("memory", "pids"), "takes no process in: No such file or directory")
    assert group.oom_kills() is None


def test_a_domain_invalid_group_takes_no_process_in(unified: Path) -> None:
    threaded = unified / "below"
    threaded.mkdir()
    (threaded / "cgroup.type").write_text("threaded")
    invalid = unified / "invalid"
    invalid.mkdir()
    assert (unified / "cgroup.type").read_text().strip() == "domain threaded"
    assert (invalid / "cgroup.type").read_text().strip() == "domain invalid"
    group = ControlGroup(2, {"memory": invalid})
    with subprocess.Popen(["sleep", "60"]) as process:
        group.add(process.pid)
        process.kill()
    assert group.refusals == {"memory": "takes no process in: Operation not supported"}
    assert not invalid.exists()


def test_a_process_that_has_ended_is_told_from_a_group_that_refuses(unified: Path) -> None:
    with subprocess.Popen(["true"]) as process:
        pass
    group = ControlGroup(2, {"memory": unified})
    with pytest.raises(ProcessLookupError):
        group.add(process.pid)
    assert group.enforces == {"memory"}
