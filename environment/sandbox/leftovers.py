"""What sandboxes hold on this machine at the moment, and whose it is."""

from __future__ import annotations

from typing import NamedTuple

import psutil

from environment.sandbox import cgroups, owner
from environment.sandbox.owner import Owner


class Held(NamedTuple):
    """A process, control group or container of a sandbox."""

    what: str
    owner: Owner


def held(kind: str) -> list[Held]:
    """All that sandboxes of a kind hold; without a live owner it is left over, and the next start removes it.

    Args:
        kind: ``docker``, ``bubblewrap`` or ``none``.

    Raises:
        SandboxUnavailableError: For Docker, when no daemon answers.
    """
    if kind == "docker":
        from environment.sandbox.containers import owned_containers
        from environment.sandbox.docker import connect

        return [Held(f"container {name[:12]}", whose) for name, whose in owned_containers(connect()).items()]
    processes = ((pid, owner.owner_of(pid)) for pid in psutil.pids())
    groups = cgroups.marked(cgroups.found().hierarchy)
    return [
        *(Held(f"process {pid}", whose) for pid, whose in processes if whose),
        *(Held(f"control group {folder}", whose) for folder, whose in groups.items()),
    ]
