"""Copies of this process that foreign code makes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import psutil

_END_SECONDS = 5.0


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

    What was started as another program goes on.
    """
    try:
        yield
    finally:
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
