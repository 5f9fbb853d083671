"""What sandboxes hold on this machine at the moment, and whose it is."""

from __future__ import annotations

from typing import NamedTuple

import psutil

from environment.sandbox import cgroups, owner, sized
from environment.sandbox.owner import Owner


class Held(NamedTuple):
    """A process, control group, file system or container of a sandbox; without a live owner it is left over."""

    what: str
    owner: Owner


def held_processes() -> list[Held]:
    """The processes of sandboxes that run as such, their control groups, and the file systems of workspaces."""
    processes = ((pid, owner.owner_of(pid)) for pid in psutil.pids())
    groups = cgroups.marked(cgroups.found().hierarchy)
    return [
        *(Held(f"process {pid}", whose) for pid, whose in processes if whose),
        *(Held(f"control group {folder}", whose) for folder, whose in groups.items()),
        *(Held(f"file system {point}", whose) for point, whose in sized.mounted().items()),
    ]
