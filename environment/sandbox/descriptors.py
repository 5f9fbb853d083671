"""File descriptors for a child process."""

from __future__ import annotations

import fcntl
import os
from contextlib import ExitStack

_LOWEST = 10  # above those a program expects, also where this process has closed its own
_READ_BYTES = 1 << 20


def pipe(readers: ExitStack, writers: ExitStack) -> tuple[int, int]:
    """A pipe whose ends the two stacks close."""
    ends = os.pipe()
    try:
        return _kept(ends[0], readers), _kept(ends[1], writers)
    finally:
        for end in ends:
            os.close(end)


def memory_file(content: bytes, stack: ExitStack) -> int:
    """A descriptor to read ``content`` from."""
    descriptor = os.memfd_create("mlab")
    try:
        os.write(descriptor, content)
        os.lseek(descriptor, 0, os.SEEK_SET)
        return _kept(descriptor, stack)
    finally:
        os.close(descriptor)


def _kept(descriptor: int, stack: ExitStack) -> int:
    kept = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, _LOWEST)
    stack.callback(os.close, kept)
    return kept


def read_available(descriptor: int) -> bytes | None:
    """What a non-blocking descriptor has: empty where nothing came yet, ``None`` at its end."""
    try:
        return os.read(descriptor, _READ_BYTES) or None
    except BlockingIOError:
        return b""
