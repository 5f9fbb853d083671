"""Who started a sandbox, so that what a dead harness left behind is told from what a live one uses."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import NamedTuple

import psutil

_MARK = re.compile(r"mlab-(\d+)-(\d+)")


class Owner(NamedTuple):
    """A process of this machine; the start time guards against a reused process id."""

    pid: int
    started: int

    @classmethod
    def current(cls) -> Owner:
        """The owner of what is started now: this process."""
        return cls(os.getpid(), _start_ticks(os.getpid()) or 0)

    @classmethod
    def parse(cls, text: str) -> Owner | None:
        """The owner whose mark stands in ``text``."""
        match = _MARK.search(text)
        return cls(int(match[1]), int(match[2])) if match else None

    @property
    def mark(self) -> str:
        """Written into the names of processes, control groups and containers."""
        return f"mlab-{self.pid}-{self.started}"

    @property
    def alive(self) -> bool:
        """Whether that very process still runs."""
        return _start_ticks(self.pid) == self.started


def machine() -> str:
    """Names the machine, since it was booted, as far as its process ids mean the same."""
    boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    return f"{boot}-{Path('/proc/self/ns/pid').stat().st_ino}"


def _start_ticks(pid: int) -> int | None:
    try:
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return None
    return None if fields[0] in {b"Z", b"X"} else int(fields[19])


def reap_processes() -> int:
    """End sandboxes whose harness is dead; returns how many.

    A sandbox dies with its harness; this is for one that was killed in the instant before that was set up.
    """
    reaped = 0
    for process in psutil.process_iter(["name", "cmdline"]):
        if process.info["name"] != "bwrap":
            continue
        owner = Owner.parse(" ".join(process.info["cmdline"] or ()))
        if owner and not owner.alive:
            process.kill()
            reaped += 1
    return reaped
