"""One command's control group, of version 1 or 2: made, filled, read, removed."""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from environment.sandbox.base import Limits
from environment.sandbox.cgroups.mounts import own_folders
from environment.sandbox.owner import Owner

CONTROLLERS = ("memory", "pids", "cpu")

_counter = itertools.count()
_CPU_PERIOD_US = 100_000
_THIS_THREAD = b"0"
_OPTIONAL = {"memory.memsw.limit_in_bytes", "memory.swap.max", "memory.oom.group"}
"""Absent on kernels without swap accounting."""


@dataclass(frozen=True)
class Hierarchy:
    """Where new groups are made: a parent for each controller, on version 2 the same for all.

    ``mounts`` are the roots below which groups of earlier harnesses may have stayed behind.
    """

    version: int
    parents: Mapping[str, Path]
    mounts: frozenset[Path] = frozenset()


@dataclass
class ControlGroup:
    """The groups made for one command: limits it, counts what was refused, and goes with it.

    Attributes:
        version: Of the kernel's interface, 1 or 2.
        folders: The group of each controller that limits the command.
        refusals: Why a controller does not, though it was asked for.
    """

    version: int
    folders: dict[str, Path] = field(default_factory=dict)
    refusals: dict[str, str] = field(default_factory=dict)
    _is_home: bool = field(default=False, init=False)

    @property
    def enforces(self) -> frozenset[str]:
        """Which of ``memory``, ``pids`` and ``cpu`` it limits."""
        return frozenset(self.folders)

    @contextmanager
    def entered(self) -> Iterator[None]:
        """Have what this thread starts in the block belong to the group from its beginning, where that can be.

        For a process that is moved in later, the kernel waits for each controller until no process of the machine is
        just being started, 5 to 15 ms. For a thread that moves itself it waits for nothing; that is version 1's alone.
        """
        with ExitStack() as back:
            self._is_home = self.version == 1 and self._enter(back)
            yield

    def _enter(self, back: ExitStack) -> bool:
        """Move this thread in, until ``back`` closes; whether that could be."""
        try:
            own = own_folders(self.folders)
            ways = {folder: own[controller] for controller, folder in self.folders.items()}
            doors = [(_door(folder, back), _door(outside, back)) for folder, outside in ways.items()]
            for way_in, way_out in doors:
                back.callback(os.write, way_out, _THIS_THREAD)
                os.write(way_in, _THIS_THREAD)
        except (OSError, KeyError):
            back.close()
            return False
        return True

    def add(self, pid: int) -> None:
        """Move a process, with all it starts later, into the group, unless it was started in there.

        A group that does not take it in, or is gone, enforces nothing from then on; that is no error.

        Raises:
            ProcessLookupError: The process has ended.
        """
        for folder in () if self._is_home else set(self.folders.values()):
            try:
                (folder / "cgroup.procs").write_text(str(pid))
            except ProcessLookupError:
                raise
            except OSError as error:
                self._give_up(folder, error)

    def _give_up(self, folder: Path, error: OSError) -> None:
        for controller in [name for name, place in self.folders.items() if place == folder]:
            del self.folders[controller]
            self.refusals[controller] = f"takes no process in: {error.strerror}"
        remove(folder)

    def oom_kills(self) -> int | None:
        """How many of its processes the kernel killed for memory; ``None`` where the group is gone."""
        return self._count("memory", "oom_kill", {1: "memory.oom_control", 2: "memory.events"})

    def refused_forks(self) -> int:
        """How many new processes and threads were refused."""
        return self._count("pids", "max", {1: "pids.events", 2: "pids.events"}) or 0

    def throttled(self) -> int:
        """In how many periods its processes had to wait for the next one."""
        return self._count("cpu", "nr_throttled", {1: "cpu.stat", 2: "cpu.stat"}) or 0

    def peak_memory(self) -> int | None:
        """The most memory used at once, in bytes, page cache included."""
        name = {1: "memory.max_usage_in_bytes", 2: "memory.peak"}[self.version]
        with suppress(OSError, KeyError, ValueError):
            return int((self.folders["memory"] / name).read_text())
        return None

    def cpu_seconds(self) -> float | None:
        """Processor time of its processes; ``None`` where the group does not tell."""
        used = self._count("cpu", "usage_usec", {2: "cpu.stat"})
        return used / 1e6 if used else None

    def _count(self, controller: str, key: str, names: Mapping[int, str]) -> int | None:
        with suppress(OSError, KeyError):
            lines = (self.folders[controller] / names[self.version]).read_text().splitlines()
            return next((int(value) for name, value in map(str.split, lines) if name == key), 0)
        return None

    def close(self) -> None:
        """Remove the groups; their processes have ended."""
        for folder in set(self.folders.values()):
            remove(folder)


def _door(folder: Path, stack: ExitStack) -> int:
    """The file by which a thread moves itself into a group of version 1, open until the stack closes."""
    descriptor = os.open(folder / "tasks", os.O_WRONLY | os.O_CLOEXEC)
    stack.callback(os.close, descriptor)
    return descriptor


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
        except OSError as error:
            group.refusals[controller] = f"takes no limit: {error.strerror}"
            if folder not in group.folders.values():
                remove(folder)
        else:
            group.folders[controller] = folder
    return group


def _write(path: Path, value: str) -> None:
    if path.name in _OPTIONAL and not path.exists():
        return
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


def remove(folder: Path) -> None:
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
