"""The streams that this process prints to, which foreign code may close, or put others in the place of."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, TextIO, cast

_STANDARD = (0, 1, 2)
_NAMES = ("stdin", "stdout", "stderr", "__stdin__", "__stdout__", "__stderr__")
_INNER = {"buffer", "raw"}


class _Lent:
    """A stream, or one below it, that foreign code may close or take apart: it stays whole for its owner."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._stream, name)
        return _Lent(found) if name in _INNER else found

    def __enter__(self) -> _Lent:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[Any]:
        return iter(self._stream)

    def close(self) -> None:
        self._stream.flush()

    def detach(self) -> _Lent:
        self._stream.flush()
        return cast("_Lent", self.raw if hasattr(self._stream, "raw") else self.buffer)


@contextmanager
def own_streams() -> Iterator[None]:
    """After the block the standard streams are what they were, as objects and below them, whatever became of them."""
    before = {name: getattr(sys, name) for name in _NAMES}
    with _descriptors_kept():
        for name, stream in before.items():
            setattr(sys, name, _lent(stream))
        try:
            yield
        finally:
            for name, stream in before.items():
                setattr(sys, name, stream)


def _lent(stream: TextIO | None) -> TextIO | None:
    return None if stream is None else cast("TextIO", _Lent(stream))


@contextmanager
def _descriptors_kept() -> Iterator[None]:
    copies = {}
    for number in _STANDARD:
        with suppress(OSError):  # it is closed, or no more files may be open
            copies[number] = os.dup(number)
    try:
        yield
    finally:
        for number, copy in copies.items():
            os.dup2(copy, number)
            os.close(copy)
