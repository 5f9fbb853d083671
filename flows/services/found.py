"""The local servers of this user, whatever home folder each belongs to."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import psutil

from flows.services.processes import recorded

_PROGRAMS = {"flows.services.prefect_server": "Prefect", "flows.services.mlflow_pages": "MLflow"}


class FoundServer(NamedTuple):
    """A server that runs.

    Attributes:
        name: What it serves.
        pid: Its process.
        home: The home folder it was started for.
        url: Where it answers; ``None`` where its home no longer tells.
    """

    name: str
    pid: int
    home: Path
    url: str | None

    @property
    def sentence(self) -> str:
        """Where it is, and whose."""
        where = self.url or "its home no longer knows it, so it ends by itself soon"
        return f"process {self.pid} of {self.home}: {where}"


def servers_of_user() -> list[FoundServer]:
    """All of them, those of one home beside each other."""
    return sorted(_servers(), key=lambda found: (found.home, found.name))


def _servers() -> Iterator[FoundServer]:
    for process in psutil.process_iter():
        # Processes end while they are looked at, and those of others are none of ours.
        with suppress(psutil.Error, OSError):
            name = _name(process.cmdline())
            if name is not None and process.uids().real == os.getuid():
                # A service works in the folder of its record, which lies in the home.
                folder = Path(process.cwd())
                record = recorded(folder)
                url = record.url if record and record.pid == process.pid else None
                yield FoundServer(name, process.pid, folder.parent, url)


def _name(command: list[str]) -> str | None:
    """What a command line serves: ``python -m flows.services.prefect_server …``."""
    return _PROGRAMS.get(command[2]) if len(command) > 2 and command[1] == "-m" else None
