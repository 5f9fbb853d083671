"""Control groups that harnesses made: whose they are, and the removal of those whose harness is dead."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path

from environment.sandbox.cgroups.group import Hierarchy, remove
from environment.sandbox.owner import Owner


def marked(hierarchy: Hierarchy | None) -> dict[Path, Owner]:
    """Groups that a harness made, here or below another part of the hierarchy, and which one."""
    groups = {}
    for mount in hierarchy.mounts if hierarchy else ():
        for folder, names, _ in os.walk(mount):
            for name in names:
                if owner := Owner.parse(name):
                    groups[Path(folder, name)] = owner
    return groups


def reap(hierarchy: Hierarchy | None) -> int:
    """Remove groups whose harness is dead, with any process still in them; returns how many."""
    dead = [folder for folder, owner in marked(hierarchy).items() if not owner.alive]
    for folder in dead:
        _kill_members(folder)
        remove(folder)
    return len(dead)


def _kill_members(folder: Path) -> None:
    with suppress(OSError):
        for pid in (folder / "cgroup.procs").read_text().split():
            with suppress(ProcessLookupError):
                os.kill(int(pid), signal.SIGKILL)
