"""The end of a server that nobody uses: after an idle hour, or when its home folder is gone."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from flows.services.processes import withdraw

_LOOK_SECONDS = 10.0
_END_SECONDS = 20.0
_UNUSED_SECONDS = 60.0
"""A command asks the server it had begin as soon as its own imports are done."""


class Activity:
    """An application that remembers when it was last asked for something; open connections count as asking.

    Attributes:
        is_used: Whether anybody has ever asked: a command that finds a mistake in its options has a server begin, and
            then has no use for it.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._open = 0
        self.is_used = False
        self._last = time.monotonic()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve."""
        if scope["type"] == "lifespan":  # as long as the server itself
            await self._app(scope, receive, send)
            return
        self.is_used = True
        self._open += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._open -= 1
            self._last = time.monotonic()

    def idle_seconds(self) -> float:
        """For how long nobody has asked."""
        return 0.0 if self._open else time.monotonic() - self._last


def end_when_unused(server: uvicorn.Server, activity: Activity, home: Path, limit: float) -> None:
    """Watch from a thread, and end the server once it is of no use.

    Args:
        server: What to end.
        activity: Its application.
        home: The folder of its record and database.
        limit: Idle seconds.
    """

    def is_idle() -> bool:
        return activity.idle_seconds() > (limit if activity.is_used else min(limit, _UNUSED_SECONDS))

    def watch() -> None:
        gone = _gone(home)
        held = None  # until the end of the process, so that nobody finds it between its record's end and its own
        while held is None and not gone():
            time.sleep(min(_LOOK_SECONDS, limit / 4))
            if is_idle() and home.exists():
                held = withdraw(home, still=is_idle)
        server.should_exit = True
        time.sleep(_END_SECONDS)
        os._exit(1)  # a database that was deleted below it can keep it from ending in order

    threading.Thread(target=watch, daemon=True, name="end when unused").start()


def _gone(folder: Path) -> Callable[[], bool]:
    """Whether a folder is another one than now, or none."""
    before = folder.stat().st_ino

    def gone() -> bool:
        try:
            return folder.stat().st_ino != before
        except OSError:
            return True

    return gone
