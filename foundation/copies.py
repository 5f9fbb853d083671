"""Copies of this process that foreign code makes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def ending_copies() -> Iterator[None]:
    """A copy of this process that code of others forks inside the block ends with it: it would do all else twice."""
    asked = os.getpid()
    try:
        yield
    finally:
        if os.getpid() != asked:
            os._exit(0)
