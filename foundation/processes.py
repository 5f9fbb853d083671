"""Which process a number means: process ids are used again, and mean something else on another machine."""

from __future__ import annotations

import os
import socket
import time
from pathlib import Path

import psutil

from foundation.records import Record

_CLOCK_DRIFT = 2.0
"""Seconds by which the same start may read differently: the kernel counts from boot, and the clock is set meanwhile."""


def born(pid: int) -> float | None:
    """When a living process started, in seconds since the epoch; ``None`` where there is none, or a zombie."""
    try:
        process = psutil.Process(pid)
        return None if process.status() == psutil.STATUS_ZOMBIE else process.create_time()
    except psutil.Error:
        return None


def lives(pid: int, since: float) -> bool:
    """Whether the process that had this number and start time still lives."""
    current = born(pid)
    return current is not None and abs(current - since) < _CLOCK_DRIFT


class Identity(Record):
    """A process as it is known after it has ended.

    Attributes:
        machine: Tells apart machines, boots and containers of one name.
        pid: Its number there.
        born: When it started, so that a reused number is not taken for it.
    """

    machine: str
    pid: int
    born: float

    def lives(self) -> bool | None:
        """Whether it still lives; ``None`` of another machine's, of which nobody here knows."""
        return lives(self.pid, self.born) if self.machine == machine() else None


def own() -> Identity:
    """The process that asks."""
    pid = os.getpid()
    return Identity(machine=machine(), pid=pid, born=born(pid) or time.time())


def start_ticks(pid: int) -> int | None:
    """When a living process started, in the kernel's ticks since boot: exact, and meaningless after the next boot.

    Returns:
        ``None`` where there is no such process, or a zombie.
    """
    try:
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return None
    return None if fields[0] in {b"Z", b"X"} else int(fields[19])


def process_namespace() -> int:
    """Names the namespace in which this process's ids count: a container's are not the host's."""
    return Path("/proc/self/ns/pid").stat().st_ino


def machine() -> str:
    """The boot and process namespace that a pid belongs to; the host's name where Linux doesn't say."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        return f"{boot}-{process_namespace()}"
    except OSError:
        return socket.gethostname()


def usable_cores() -> int:
    """Cores that this process may use: all of the machine's, or those of its allocation."""
    return len(os.sched_getaffinity(0))
