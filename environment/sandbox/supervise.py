"""Watching over a started command: its output as it comes, and the limits that only a watcher can enforce."""

from __future__ import annotations

import selectors
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from environment.records import KilledBy
from environment.sandbox.base import Limits

TICK = 0.02
"""Seconds between looks at what no file descriptor tells; also how soon an exception from outside is felt."""

_DRAIN_SECONDS = 5.0


class Job(Protocol):
    """A started command, as the supervisor needs it."""

    @property
    def output_fd(self) -> int:
        """Readable when there is output."""
        ...

    @property
    def exit_fd(self) -> int:
        """Readable once the command has ended."""
        ...

    def read(self) -> bytes | None:
        """What output there is, without waiting: empty where nothing came yet, ``None`` at its end."""
        ...

    def kill(self) -> None:
        """End the command and all it started, at once; harmless when called again."""
        ...


class Watch:
    """A limit that is checked now and then, and once more when the command has ended."""

    def __init__(self, check: Callable[[], bool], exceeded: KilledBy, *, every: float) -> None:
        """Check every so many seconds, or in five times as long as a check takes, whichever is later."""
        self.check, self.exceeded = check, exceeded
        self._interval = every
        self._due = time.monotonic() + every

    def is_exceeded(self) -> bool:
        """Check, where it is time to."""
        began = time.monotonic()
        if began < self._due:
            return False
        result = self.check()
        took = time.monotonic() - began
        self._due = began + max(self._interval, 5 * took)
        return result


@dataclass(frozen=True)
class Supervised:
    """What came out, and the limit that ended it."""

    output: bytes
    seconds: float
    killed_by: KilledBy | None


class _Output:
    """Collects output up to the limit."""

    def __init__(self, limit: int, on_output: Callable[[bytes], None] | None) -> None:
        self._limit, self._on_output = limit, on_output
        self._chunks: list[bytes] = []
        self._size = 0
        self.overflown = False

    def add(self, chunk: bytes) -> None:
        kept = chunk[: self._limit - self._size]
        self.overflown = self.overflown or len(kept) < len(chunk)
        if kept:
            self._chunks.append(kept)
            self._size += len(kept)
            if self._on_output:
                self._on_output(kept)

    def bytes(self) -> bytes:
        return b"".join(self._chunks)


def supervise(
    job: Job,
    limits: Limits,
    watches: Sequence[Watch] = (),
    on_output: Callable[[bytes], None] | None = None,
    cancel: threading.Event | None = None,
) -> Supervised:
    """Wait for the command's end or for the first limit it exceeds; then nothing of it is left.

    An exception, from ``on_output`` or from outside (an interrupt), kills the command and goes on.
    """
    began = time.monotonic()
    output = _Output(limits.output, on_output)
    try:
        killed_by = _until_end(job, limits, watches, output, cancel, began)
        seconds = time.monotonic() - began
        job.kill()
        killed_by = killed_by or next((watch.exceeded for watch in watches if watch.check()), None)
        _drain(job, output)
    except BaseException:
        job.kill()
        raise
    return Supervised(output.bytes(), seconds, killed_by)


def _until_end(
    job: Job,
    limits: Limits,
    watches: Sequence[Watch],
    output: _Output,
    cancel: threading.Event | None,
    began: float,
) -> KilledBy | None:
    deadline = began + limits.timeout if limits.timeout is not None else float("inf")
    with selectors.DefaultSelector() as selector:
        selector.register(job.output_fd, selectors.EVENT_READ)
        selector.register(job.exit_fd, selectors.EVENT_READ)
        while True:
            wait = max(0.0, min(TICK, deadline - time.monotonic()))
            ready = {key.fd for key, _ in selector.select(wait)}
            if job.output_fd in ready:
                chunk = job.read()
                if chunk is None:  # closed by the command, which may still run
                    selector.unregister(job.output_fd)
                else:
                    output.add(chunk)
            if output.overflown:
                return KilledBy.OUTPUT
            if job.exit_fd in ready:
                return None
            if time.monotonic() >= deadline:
                return KilledBy.TIMEOUT
            if cancel is not None and cancel.is_set():
                return KilledBy.CANCELLED
            exceeded = next((watch.exceeded for watch in watches if watch.is_exceeded()), None)
            if exceeded:
                return exceeded


def _drain(job: Job, output: _Output) -> None:
    """Take what is still in the pipe; its writers have ended."""
    deadline = time.monotonic() + _DRAIN_SECONDS
    with selectors.DefaultSelector() as selector:
        selector.register(job.output_fd, selectors.EVENT_READ)
        while time.monotonic() < deadline and not output.overflown:
            chunk = job.read()
            if chunk is None:
                return
            output.add(chunk)
            selector.select(TICK)
