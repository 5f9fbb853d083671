"""The streams that this process prints to, which foreign code may close, or put others in the place of."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast


class _Lent:
    """A stream that foreign code may close: it stays open for its owner."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def __enter__(self) -> _Lent:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._stream.flush()


@contextmanager
def own_streams() -> Iterator[None]:
    """After the block ``sys.stdin``, ``sys.stdout`` and ``sys.stderr`` are what they were, whatever became of them."""
    before = sys.stdin, sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (cast("TextIO", _Lent(stream)) for stream in (sys.stdout, sys.stderr))
    try:
        yield
    finally:
        sys.stdin, sys.stdout, sys.stderr = before
