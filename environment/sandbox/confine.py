"""Limits on a started process and all below it, by control groups where there are, else by the next best."""

from __future__ import annotations

import math
import os
import platform
import random
import resource
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

from environment.errors import SandboxError
from environment.records import KilledBy
from environment.sandbox import usage
from environment.sandbox.base import Execution, Limits
from environment.sandbox.cgroups import ControlGroup
from environment.sandbox.supervise import Supervised, Watch

_MEMORY_HEADROOM = 1.25
"""Without control groups a process may map this much more than the limit before its allocations fail;
the watcher, which can say what happened, kills at the limit."""

_MEMORY_SECONDS = 0.05
_DISK_SECONDS = 0.5


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

    def apply(self) -> None:
        """Set the limits that hold from the start; the process must not have begun its work."""
        self.group.add(self.pid)
        limits, by_group = self.limits, self.group.enforces
        self._limit(resource.RLIMIT_CORE, 0)
        if limits.file_size is not None:
            self._limit(resource.RLIMIT_FSIZE, limits.file_size)
        if limits.memory is not None and "memory" not in by_group:
            self._limit(resource.RLIMIT_DATA, int(limits.memory * _MEMORY_HEADROOM))
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
        watches = []
        if "memory" in self.group.enforces:
            watches.append(Watch(lambda: self.group.oom_kills() > 0, KilledBy.MEMORY, _MEMORY_SECONDS))
        elif self.limits.memory is not None:
            watches.append(Watch(self._memory_exceeded, KilledBy.MEMORY, _MEMORY_SECONDS))
        if self.limits.workspace_size is not None:
            watches.append(Watch(self.disk_exceeded, KilledBy.WORKSPACE, _DISK_SECONDS))
        return watches

    def _memory_exceeded(self) -> bool:
        limit = self.limits.memory or 0
        used = usage.memory(usage.descendants(self.pid), limit=limit)
        self._peak = max(self._peak, used)
        return used > limit

    def disk_exceeded(self) -> bool:
        """Whether the writable folders, and files deleted in them but still open, are past their limit."""
        limit = self.limits.workspace_size
        if limit is None:
            return False
        used = usage.disk_usage(self.folders, ceiling=limit)
        return used > limit or used + usage.deleted_file_bytes(usage.descendants(self.pid), self.folders) > limit

    def peak_memory(self) -> int | None:
        """Bytes, as far as known."""
        return self.group.peak_memory() or self._peak or None


def finished(done: Supervised, exit_code: Callable[[], int | None], confinement: Confinement) -> Execution:
    """The record of a supervised command; what happened between the last look and the end is looked at once more.

    Raises:
        SandboxError: The command never started.
    """
    killed_by = done.killed_by or next((watch.exceeded for watch in confinement.watches() if watch.is_exceeded()), None)
    code = None if killed_by else exit_code()
    if code is None and not killed_by:
        message = done.output.decode(errors="replace").strip()
        raise SandboxError(f"the sandbox could not be set up: {message or 'no message'}")
    forks = confinement.group.refused_forks()
    return Execution(
        exit_code=code,
        output=done.output,
        seconds=done.seconds,
        killed_by=killed_by,
        peak_memory=confinement.peak_memory(),
        refused=(f"{forks} new processes or threads beyond the limit",) if forks else (),
    )


def pins_cpus(limits: Limits, group: ControlGroup) -> bool:
    """Whether the CPU limit has to be an affinity mask: whole CPUs, rounded up."""
    return limits.cpus is not None and "cpu" not in group.enforces and limits.cpus < len(os.sched_getaffinity(0))


def _kernel() -> tuple[int, ...]:
    return tuple(int(part) for part in platform.release().split(".")[:2] if part.isdigit())
