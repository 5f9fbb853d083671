"""Copies of this process that foreign code makes, and other processes that it starts."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import psutil

_END_SECONDS = 5.0
_LASTING = "MLAB_SERVICE"
_ENDS_BY_ITSELF = "resource_tracker"
"""Python's own helper, which removes what this process leaves, and then goes."""
_ADOPT_ORPHANS = 36
"""Linux's number for it, ``PR_SET_CHILD_SUBREAPER``."""


@contextmanager
def ending_copies() -> Iterator[None]:
    """A copy of this process that code of others forks inside the block ends with it: it would do all else twice."""
    asked = os.getpid()
    try:
        yield
    finally:
        if os.getpid() != asked:
            os._exit(0)


@contextmanager
def ending_leftovers() -> Iterator[None]:
    """What foreign code started inside the block and left running is killed when it ends, with what that started.

    Copies of this process and other programs alike, also those whose own parent has ended, as where one detaches
    itself: nobody waits for them, and they hold the terminal's pipes. What ran before the block goes on, and so do
    ``lasting`` processes.
    """
    me = psutil.Process()
    before = set(me.children(recursive=True))
    _adopt_orphans(True)
    try:
        yield
    finally:
        left = list(_leftovers(me, before))
        for process in left:
            with suppress(psutil.Error):
                process.kill()
        _adopt_orphans(False)
        psutil.wait_procs(left, timeout=_END_SECONDS)


def lasting(name: str) -> dict[str, str]:
    """The variable to start a process with that is to outlive the block, named unlike any it may be started by."""
    return {_LASTING: name}


def _leftovers(me: psutil.Process, before: set[psutil.Process]) -> Iterator[psutil.Process]:
    own = me.cmdline()
    for child in me.children():
        with suppress(psutil.Error):
            if child.cmdline() == own or (child not in before and not _goes_on(child)):
                yield from (child, *child.children(recursive=True))


def _goes_on(process: psutil.Process) -> bool:
    lasts = process.environ().get(_LASTING)
    if lasts is not None and lasts != os.environ.get(_LASTING):  # all that a worker's runs start inherits the worker's
        return True
    return any(_ENDS_BY_ITSELF in argument for argument in process.cmdline())


def _adopt_orphans(adopt: bool) -> None:
    """Be the parent of what descendants leave behind, where the system has that."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_ADOPT_ORPHANS, int(adopt), 0, 0, 0)
