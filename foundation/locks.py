"""Files by which one process at a time does something."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock of a file while the block lasts; whoever has it is waited for.

    Args:
        path: The file, made where it is missing, in a folder that is there.
    """
    # Most commands take no lock, and its library brings twenty modules along.
    from filelock import FileLock

    with FileLock(path):
        yield
