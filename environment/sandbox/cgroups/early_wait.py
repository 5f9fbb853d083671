"""What the kernel waits for before it moves a process into a group, begun before there is a process to move."""

from __future__ import annotations

import threading
from contextlib import suppress

from environment.sandbox.cgroups.group import Hierarchy
from environment.sandbox.cgroups.mounts import own_folders

_OF_VERSION_2 = ""
_THIS_PROCESS = "0"


def wait_early(hierarchy: Hierarchy | None) -> threading.Thread | None:
    """Have the kernel wait from now on, in a thread, so that a process moved by a group's ``add`` soon after finds it
    done.

    It waits until no process of the machine is just being started (5 to 15 ms), and what was waited for serves all
    moves of the next 10 ms. On version 1 a thread that moves itself waits for nothing (``ControlGroup.entered``).

    Returns:
        The thread, on version 2.
    """
    if hierarchy is None or hierarchy.version == 1:
        return None
    thread = threading.Thread(target=_move_to_where_it_is, name="mlab-early-wait", daemon=True)
    thread.start()
    return thread


def _move_to_where_it_is() -> None:
    """The least that makes the kernel wait: it changes nothing, and where it may not be done nothing is lost."""
    with suppress(OSError, KeyError):
        (own_folders([_OF_VERSION_2])[_OF_VERSION_2] / "cgroup.procs").write_text(_THIS_PROCESS)
