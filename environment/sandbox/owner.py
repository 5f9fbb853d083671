"""Who started a sandbox, so that what a dead harness left behind is told from what a live one uses."""

from __future__ import annotations

import os
import re
import signal
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import psutil

from foundation.processes import process_namespace, start_ticks

OWNER_VARIABLE = "MLAB_SANDBOX"
"""Marks what runs without a sandbox."""

_MARK = re.compile(r"mlab-(\d+)-(\d+)-(\d+)")


class Owner(NamedTuple):
    """A process of this machine; the start time guards against a reused process id.

    Attributes:
        namespace: The process namespace in which ``pid`` means it: a container's is not the host's.
    """

    namespace: int
    pid: int
    started: int

    @classmethod
    def current(cls) -> Owner:
        """The owner of what is started now: this process."""
        return cls.of(os.getpid())

    @classmethod
    def of(cls, pid: int) -> Owner:
        """A process that runs."""
        return cls(process_namespace(), pid, start_ticks(pid) or 0)

    @classmethod
    def parse(cls, text: str) -> Owner | None:
        """The owner whose mark stands in ``text``."""
        match = _MARK.search(text)
        return cls(*map(int, match.groups())) if match else None

    @property
    def mark(self) -> str:
        """Written into the names of processes, control groups and containers."""
        return f"mlab-{self.namespace}-{self.pid}-{self.started}"

    @property
    def alive(self) -> bool:
        """Whether that very process still runs; one in another namespace is taken to, for none can tell."""
        return self.namespace != process_namespace() or start_ticks(self.pid) == self.started


def marked_processes(mark: str) -> list[int]:
    """Processes with ``mark`` in their command line or environment, zombies left out."""
    wanted = mark.encode()
    return [pid for pid in psutil.pids() if pid != os.getpid() and any(wanted in text for text in _marks(pid))]


def _marks(pid: int) -> list[bytes]:
    """Where a mark may stand: bubblewrap has it in its arguments, an unconfined process in a variable."""
    texts = []
    with suppress(OSError):
        if (arguments := Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0"))[0].endswith(b"bwrap"):
            texts += [argument for argument in arguments if argument.startswith(b"mlab-")]
        variables = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
        texts += [variable for variable in variables if variable.startswith(OWNER_VARIABLE.encode())]
    return texts


def owner_of(pid: int) -> Owner | None:
    """Who started a process of a sandbox; ``None`` for any other process."""
    owners = (Owner.parse(text.decode(errors="replace")) for text in _marks(pid))
    return next((owner for owner in owners if owner), None)


def reap_processes() -> int:
    """End processes of sandboxes whose harness is dead; returns how many.

    Under bubblewrap a command dies with its harness, but for one that was killed in the instant before
    that was set up. Without a sandbox nothing else ends it.
    """
    reaped = 0
    for pid in psutil.pids():
        owner = owner_of(pid)
        if owner and not owner.alive:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
                reaped += 1
    return reaped
