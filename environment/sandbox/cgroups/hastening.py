"""The kernel's wait before a process moves into a group, begun while the process is still being started.

A move waits for a grace period of the kernel, 5 to 15 ms, unless another move was just before it. One that changes
nothing, of this process into the group that it is in, makes the next one quick.
"""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from environment.sandbox.cgroups.mounts import read_memberships, read_mounts

_PROC = Path("/proc/self")


def hasten_moves(proc: Path = _PROC) -> None:
    """Let the kernel begin its wait, in a thread; where that cannot be, the next move takes as long as ever."""
    threading.Thread(target=_stay, args=(proc,), name="control group", daemon=True).start()


def _stay(proc: Path) -> None:
    with suppress(OSError):
        folder = _own_group((proc / "cgroup").read_text(), proc)
        if folder is not None:
            (folder / "cgroup.procs").write_text(str(os.getpid()))


@lru_cache(maxsize=1)  # asked before each command, and hardly ever another
def _own_group(memberships: str, proc: Path) -> Path | None:
    """A group that this process is in, where it may be moved to."""
    mounts = read_mounts((proc / "mountinfo").read_text())
    for controller, group in read_memberships(memberships).items():
        mount = next((mount for mount in mounts if mount.holds(controller)), None)
        folder = mount.folder_of(group) if mount else None
        if folder and os.access(folder / "cgroup.procs", os.W_OK):
            return folder
    return None
