"""Copies of this process that foreign code makes."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import psutil

_END_SECONDS = 5.0
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
def killing_copies() -> Iterator[None]:
    """Copies of this process that are left when the block ends are killed, with what they started: nobody waits.

    Also those whose own parent has ended, as where one detaches itself. What was started as another program goes on.
    """
    _adopt_orphans(True)
    try:
        yield
    finally:
        _adopt_orphans(False)
        left = list(_copies(psutil.Process()))
        for copy in left:
            with suppress(psutil.Error):
                copy.kill()
        psutil.wait_procs(left, timeout=_END_SECONDS)


def _copies(process: psutil.Process) -> Iterator[psutil.Process]:
    own = process.cmdline()
    for child in process.children():
        with suppress(psutil.Error):
            if child.cmdline() == own:
                yield from (child, *child.children(recursive=True))


def _adopt_orphans(adopt: bool) -> None:
    """Be the parent of what descendants leave behind, where the system has that."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_ADOPT_ORPHANS, int(adopt), 0, 0, 0)
