"""Temporary files of a run: in one folder a process, which is removed with its run or, after a kill, by the next."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from environment.sandbox import sized
from environment.sandbox.owner import Owner
from environment.snapshots.walk import delete_tree


@contextmanager
def scratch_in(root: Path) -> Iterator[None]:
    """Have this process make its temporary files below ``root``; what dead processes left there is removed first."""
    reap_scratch(root)
    folder = root / Owner.current().mark
    folder.mkdir(parents=True, exist_ok=True)
    before, tempfile.tempdir = tempfile.tempdir, str(folder)
    try:
        yield
    finally:
        tempfile.tempdir = before
        with suppress(OSError):  # another run of this process still uses it
            folder.rmdir()


def reap_scratch(root: Path) -> int:
    """Remove what dead processes left below ``root``, and what they mounted anywhere; returns of how many."""
    sized.reap()
    folders = list(root.iterdir()) if root.is_dir() else []
    dead = [folder for folder in folders if (owner := Owner.parse(folder.name)) and not owner.alive]
    for folder in dead:
        delete_tree(folder)
    return len(dead)
