"""The streams that this process prints to, which foreign code may put others in the place of."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def own_streams() -> Iterator[None]:
    """After the block ``sys.stdin``, ``sys.stdout`` and ``sys.stderr`` are what they were, whatever became of them."""
    before = sys.stdin, sys.stdout, sys.stderr
    try:
        yield
    finally:
        sys.stdin, sys.stdout, sys.stderr = before
