"""Limits on a started process and all below it, by control groups where there are, else by the next best."""

from __future__ import annotations

import logging
import math
import os
import platform
import random
import resource
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import psutil

from environment.records import HeldBy, KilledBy
from environment.sandbox import sized, usage
from environment.sandbox.base import Limits
from environment.sandbox.cgroups import ControlGroup
from environment.sandbox.disk import DiskWatch
from environment.sandbox.supervise import Watch

_LOG = logging.getLogger(__name__)

CONTROL_GROUP, WATCHER = "control group", "watcher"

_MEMORY_HEADROOM = 2
"""Without control groups a process may map this many times the limit before its allocations fail:
the watcher, which can say what happened, should be the first to notice, and kills at the limit."""

_MEMORY_SECONDS = 0.02
_KILLED_SECONDS = 0.1
"""Between looks at whether a control group, which holds the limit by itself, has killed a process for memory."""
CPU_SECONDS = 0.5
"""Between looks at the processor time, where no control group counts it."""
DISK_SECONDS = 0.5
"""Between looks at the size of the workspace."""


@dataclass
class Confinement:
    """The limits of one command.

    Attributes:
        pid: Its first process; everything it starts is below.
        folders: Host folders it can write to.
        uid: Whose processes the process limit counts.
        own_namespace: Its processes are counted in a user namespace of their own.
    """

    pid: int
    limits: Limits
    group: ControlGroup
    folders: Sequence[Path]
    uid: int
    own_namespace: bool = False
    _peak: int = 0
    _cpu: float = 0.0

    def apply(self) -> None:
        """Set the limits that hold from the start; the process must not have begun its work."""
        self.group.add(self.pid)
        for controller, reason in self.group.refusals.items():
            _LOG.warning("A control group of this command's %s %s; the next best holds its limit.", controller, reason)
        limits, by_group = self.limits, self.group.enforces
        self._limit(resource.RLIMIT_CORE, 0)
        if limits.file_size is not None:
            self._limit(resource.RLIMIT_FSIZE, limits.file_size)
        if limits.memory is not None and "memory" not in by_group:
            self._limit(resource.RLIMIT_DATA, limits.memory * _MEMORY_HEADROOM)
        if limits.processes is not None and "pids" not in by_group:
            self._limit(resource.RLIMIT_NPROC, limits.processes + self._counted_already())
        if pins_cpus(limits, self.group):
            allowed = sorted(os.sched_getaffinity(0))
            os.sched_setaffinity(self.pid, random.sample(allowed, math.ceil(limits.cpus or 1)))

    def _limit(self, which: int, value: int) -> None:
        _, hard = resource.prlimit(self.pid, which)
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.prlimit(self.pid, which, (value, value))

    def _counted_already(self) -> int:
        """Threads of the user that count towards its limit already; from Linux 5.14 per user namespace."""
        if self.own_namespace and _kernel() >= (5, 14):
            return 0
        return sum(
            process.info["num_threads"] or 0
            for process in psutil.process_iter(["uids", "num_threads"])
            if process.info["uids"] and process.info["uids"].real == self.uid
        )

    def watches(self) -> list[Watch]:
        """The limits that someone has to look at while the command runs."""
        limits, watches = self.limits, []
        if limits.memory is not None:
            seconds = _KILLED_SECONDS if "memory" in self.group.enforces else _MEMORY_SECONDS
            watches.append(Watch(partial(self._memory_exceeded, limits.memory), KilledBy.MEMORY, every=seconds))
        if limits.workspace_size is not None:
            disk = DiskWatch(self.folders, limits.workspace_size, self._processes)
            watches.append(Watch(disk.is_exceeded, KilledBy.WORKSPACE, every=DISK_SECONDS))
        if "cpu" not in self.group.enforces or self.group.version == 1:
            watches.append(Watch(self._look_at_cpu, KilledBy.CANCELLED, every=CPU_SECONDS))
        return watches

    def _look_at_cpu(self) -> bool:
        """Remember the processor time used so far; no limit is on it."""
        self._cpu = max(self._cpu, usage.cpu_seconds(self._processes()))
        return False

    def _processes(self) -> list[int]:
        return usage.descendants(self.pid)

    def _memory_exceeded(self, limit: int) -> bool:
        kills = self.group.oom_kills()
        if kills is not None:
            return kills > 0
        used = usage.memory(self._processes(), limit=limit)
        self._peak = max(self._peak, used)
        return used > limit

    def peak_memory(self) -> int | None:
        """Bytes, as far as known."""
        return self.group.peak_memory() or self._peak or None

    def cpu_seconds(self) -> float | None:
        """Processor time of all its processes, as far as known."""
        return self.group.cpu_seconds() or self._cpu or None

    def refused(self) -> tuple[str, ...]:
        """What was tried and refused, as far as the kernel counts it."""
        forks = self.group.refused_forks()
        return (f"{forks} new processes or threads beyond the limit",) if forks else ()


def held_by(groups: frozenset[str], *, root: bool) -> HeldBy:
    """What holds each limit of a command.

    Args:
        groups: The controllers whose control groups do.
        root: The command runs as root, whose processes no other limit counts.
    """
    return HeldBy(
        memory=CONTROL_GROUP if "memory" in groups else WATCHER,
        processes=CONTROL_GROUP if "pids" in groups else "nothing" if root else "RLIMIT_NPROC",
        cpus=CONTROL_GROUP if "cpu" in groups else "whole CPUs",
        disk=disk_held_by(),
        time=WATCHER,
    )


def disk_held_by() -> str:
    """What holds the size of a workspace that this process makes: a file system of its own where it can mount one."""
    return sized.FILE_SYSTEM if sized.refusal() is None else WATCHER


def pins_cpus(limits: Limits, group: ControlGroup) -> bool:
    """Whether the CPU limit has to be an affinity mask: whole CPUs, rounded up."""
    return limits.cpus is not None and "cpu" not in group.enforces and limits.cpus < len(os.sched_getaffinity(0))


def _kernel() -> tuple[int, ...]:
    return tuple(int(part) for part in platform.release().split(".")[:2] if part.isdigit())
