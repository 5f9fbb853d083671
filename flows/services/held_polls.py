"""Holds a worker's question for runs until there may be one.

Answering in vain is most of what a server with a worker does while nothing runs. Held, a worker may ask at once again:
then a new run is begun the sooner, and the server is asked the less.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable

from starlette.types import ASGIApp, Receive, Scope, Send

_POLL, _NEW, _CHANGED = "/get_scheduled_flow_runs", "/create_flow_run", "/set_state"

LONGEST = 15.0
"""Seconds; a worker that waits longer for its answers takes itself for ill, and runs of a schedule must be found."""
AT_WORK = 3.0
"""Seconds for which a poll is held at least where runs change: one that ends makes room, one may be taken up again."""
BETWEEN_POLLS = 6.0
"""Seconds between a poll and the next one of the same worker: what comes meanwhile must not be missed."""
_LOOK_SECONDS = 0.3


class HeldPolls:
    """An application whose polls wait for a new run, a change of one, or ``LONGEST``.

    Args:
        app: What is asked.
        is_ending: Whether the server is about to end; then nothing waits.
    """

    def __init__(self, app: ASGIApp, is_ending: Callable[[], bool]) -> None:
        self._app, self._is_ending = app, is_ending
        self._new = self._changed = -math.inf

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve, a poll perhaps later."""
        path = scope["path"] if scope["type"] == "http" and scope["method"] == "POST" else ""
        if path.endswith(_POLL):
            await self._hold()
        await self._app(scope, receive, send)
        if path.endswith(_NEW):
            self._new = time.monotonic()
        elif path.endswith(_CHANGED):
            self._changed = time.monotonic()

    async def _hold(self) -> None:
        began = time.monotonic()
        known = began - BETWEEN_POLLS
        while not self._is_ending() and self._new < known:
            held = time.monotonic() - began
            if held >= LONGEST or (held >= AT_WORK and self._changed >= known):
                return
            await asyncio.sleep(_LOOK_SECONDS)
