"""Limits by control groups, version 1 or 2, where this process may make them."""

from __future__ import annotations

import itertools
import os
import signal
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from environment.sandbox.base import Limits
from environment.sandbox.owner import Owner

_counter = itertools.count()
_CPU_PERIOD_US = 100_000
_CONTROLLERS = ("memory", "pids", "cpu")


@dataclass(frozen=True)
class Hierarchy:
    """Where new groups can be made: a parent for each controller, on version 2 the same for all.

    ``mounts`` are the roots below which groups of earlier harnesses may have stayed behind.
    """

    version: int
    parents: Mapping[str, Path]
    mounts: frozenset[Path] = frozenset()


@dataclass
class ControlGroup:
    """The groups made for one command: limits it, counts what was refused, and goes with it."""

    version: int
    folders: dict[str, Path] = field(default_factory=dict)

    @property
    def enforces(self) -> frozenset[str]:
        """Which of ``memory``, ``pids`` and ``cpu`` it limits."""
        return frozenset(self.folders)

    def add(self, pid: int) -> None:
        """Move a process, with all it starts later, into the group."""
        for folder in set(self.folders.values()):
            (folder / "cgroup.procs").write_text(str(pid))

    def oom_kills(self) -> int:
        """How many of its processes the kernel killed for memory."""
        return self._count("memory", "oom_kill", {1: "memory.oom_control", 2: "memory.events"})

    def refused_forks(self) -> int:
        """How many new processes and threads were refused."""
        return self._count("pids", "max", {1: "pids.events", 2: "pids.events"})

    def peak_memory(self) -> int | None:
        """The most memory used at once, in bytes, page cache included."""
        name = {1: "memory.max_usage_in_bytes", 2: "memory.peak"}[self.version]
        with suppress(OSError, KeyError, ValueError):
            return int((self.folders["memory"] / name).read_text())
        return None

    def _count(self, controller: str, key: str, names: Mapping[int, str]) -> int:
        with suppress(OSError, KeyError):
            lines = (self.folders[controller] / names[self.version]).read_text().splitlines()
            return next((int(value) for name, value in map(str.split, lines) if name == key), 0)
        return 0

    def close(self) -> None:
        """Remove the groups; their processes have ended."""
        for folder in set(self.folders.values()):
            _remove(folder)


@contextmanager
def limit(limits: Limits, hierarchy: Hierarchy | None) -> Iterator[ControlGroup]:
    """A new group with those of the limits that ``hierarchy`` can enforce, perhaps none; removed in the end."""
    group = _make(limits, hierarchy)
    try:
        yield group
    finally:
        group.close()


def _make(limits: Limits, hierarchy: Hierarchy | None) -> ControlGroup:
    name = f"{Owner.current().mark}-{next(_counter)}"
    group = ControlGroup(hierarchy.version if hierarchy else 2)
    if hierarchy is None:
        return group
    for controller, settings in _settings(limits, hierarchy.version).items():
        parent = hierarchy.parents.get(controller)
        if parent is None:
            continue
        folder = parent / name
        try:
            folder.mkdir(exist_ok=True)
            for file, value in settings.items():
                _write(folder / file, value)
        except OSError:
            if folder not in group.folders.values():
                _remove(folder)
        else:
            group.folders[controller] = folder
    return group


_OPTIONAL = {"memory.memsw.limit_in_bytes", "memory.swap.max", "memory.oom.group"}


def _write(path: Path, value: str) -> None:
    if path.name in _OPTIONAL and not path.exists():
        return  # kernels without swap accounting
    path.write_text(value)


def _settings(limits: Limits, version: int) -> dict[str, dict[str, str]]:
    """File by file, what to write for each controller that has a limit; order matters."""
    settings: dict[str, dict[str, str]] = {}
    if limits.memory is not None:
        memory = str(limits.memory)
        settings["memory"] = (
            {"memory.limit_in_bytes": memory, "memory.memsw.limit_in_bytes": memory}
            if version == 1
            else {"memory.max": memory, "memory.swap.max": "0", "memory.oom.group": "1"}
        )
    if limits.processes is not None:
        settings["pids"] = {"pids.max": str(limits.processes)}
    if limits.cpus is not None and limits.cpus < (os.cpu_count() or 1):
        quota = int(limits.cpus * _CPU_PERIOD_US)
        settings["cpu"] = (
            {"cpu.cfs_period_us": str(_CPU_PERIOD_US), "cpu.cfs_quota_us": str(quota)}
            if version == 1
            else {"cpu.max": f"{quota} {_CPU_PERIOD_US}"}
        )
    return settings


def detect(proc: Path = Path("/proc/self")) -> Hierarchy | None:
    """The hierarchy this process may make groups in; ``None`` where it may not."""
    try:
        memberships = dict(_memberships((proc / "cgroup").read_text()))
        mounts = list(_mounts((proc / "mountinfo").read_text()))
    except OSError:
        return None
    chains = {name: _chain(mounts, "cgroup", name, memberships.get(name, "/")) for name in _CONTROLLERS}
    parents = {name: chain[0] for name, chain in chains.items() if chain and os.access(chain[0], os.W_OK)}
    if parents:
        return Hierarchy(1, parents, frozenset(chains[name][-1] for name in parents))
    chain = _chain(mounts, "cgroup2", "", memberships.get("", "/"))
    for folder in chain:
        if os.access(folder, os.W_OK) and (enabled := _enable(folder)):
            return Hierarchy(2, dict.fromkeys(enabled, folder), frozenset(chain[-1:]))
    return None


def _memberships(text: str) -> Iterator[tuple[str, str]]:
    for line in text.splitlines():
        _, controllers, path = line.split(":", 2)
        for controller in controllers.split(","):
            yield controller, path


def _mounts(text: str) -> Iterator[tuple[str, str, Path, set[str]]]:
    """Type, root within the file system, mount point and options of each control-group mount."""
    for line in text.splitlines():
        fields = line.split()
        separator = fields.index("-")
        kind = fields[separator + 1]
        if kind in {"cgroup", "cgroup2"}:
            yield kind, fields[3], Path(fields[4]), set(fields[separator + 3].split(","))


def _chain(mounts: list[tuple[str, str, Path, set[str]]], kind: str, controller: str, membership: str) -> list[Path]:
    """The group of this process and its ancestors, innermost first, the mount point last."""
    for mounted, root, point, options in mounts:
        if mounted != kind or (controller and controller not in options):
            continue
        inside = Path(membership)
        inside = inside.relative_to(root) if inside.is_relative_to(root) else Path()
        own = point / str(inside).lstrip("/")
        return [folder for folder in (own, *own.parents) if folder.is_relative_to(point)]
    return []


def _enable(folder: Path) -> list[str]:
    """The controllers that children of a version-2 group can have, switched on where that is allowed.

    A group that holds processes itself cannot hand controllers to children; then an ancestor is tried.
    """
    file = folder / "cgroup.subtree_control"
    for name in _CONTROLLERS:
        with suppress(OSError):
            if name not in file.read_text().split():
                file.write_text(f"+{name}")
    try:
        return [name for name in _CONTROLLERS if name in file.read_text().split()]
    except OSError:
        return []


def marked(hierarchy: Hierarchy | None) -> dict[Path, Owner]:
    """Groups that a harness made, here or below another part of the hierarchy, and which one."""
    found = {}
    for mount in hierarchy.mounts if hierarchy else ():
        for folder, names, _ in os.walk(mount):
            for name in names:
                if owner := Owner.parse(name):
                    found[Path(folder, name)] = owner
    return found


def reap(hierarchy: Hierarchy | None) -> int:
    """Remove groups whose harness is dead, with any process still in them; returns how many."""
    dead = [folder for folder, owner in marked(hierarchy).items() if not owner.alive]
    for folder in dead:
        _kill_members(folder)
        _remove(folder)
    return len(dead)


def _kill_members(folder: Path) -> None:
    with suppress(OSError):
        for pid in (folder / "cgroup.procs").read_text().split():
            with suppress(ProcessLookupError):
                os.kill(int(pid), signal.SIGKILL)


def _remove(folder: Path) -> None:
    """Remove a group; the kernel may take a moment to see that its last process is gone."""
    for _ in range(50):
        try:
            folder.rmdir()
        except FileNotFoundError:
            return
        except OSError:
            time.sleep(0.01)
        else:
            return
