"""When what was written to a local store is brought onto the disk: each object at once, or several together."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import BinaryIO

_AT_ONCE = 8
_gathered: ContextVar[list[Path] | None] = ContextVar("gathered", default=None)


@contextmanager
def gathered() -> Iterator[list[Path]]:
    """The files that this thread writes in the block, none of which is synced yet."""
    written: list[Path] = []
    token = _gathered.set(written)
    try:
        yield written
    finally:
        _gathered.reset(token)


def sync_content(file: BinaryIO) -> None:
    """Bring the content of a new file onto the disk, unless files are gathered."""
    if _gathered.get() is None:
        file.flush()
        os.fsync(file.fileno())


def sync_name(path: Path) -> None:
    """Bring the name of a new file onto the disk, or gather the file."""
    written = _gathered.get()
    if written is None:
        _sync(path.parent)
    else:
        written.append(path)


def sync_all(written: Iterable[Path]) -> None:
    """Bring files and their names onto the disk at once, which takes a disk hardly longer than one of them."""
    paths = {path for file in written for path in (file, file.parent)}
    for _ in _pool(os.getpid()).map(_sync, paths):
        pass


@cache
def _pool(process: int) -> ThreadPoolExecutor:
    """The threads of a process; a forked one has none of its parent's."""
    return ThreadPoolExecutor(_AT_ONCE, f"sync-{process}")


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
