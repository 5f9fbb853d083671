"""How much processor time a run's commands take while they run."""

from __future__ import annotations

import os
import time

from environment.sandbox.usage import cpu_seconds, descendants

_LOOK_SECONDS = 1.0


class CpuShare:
    """The share of one core that all processes below this one took since the last look, a second ago or more.

    Attributes:
        share: 1.0 is one core; ``None`` before the second look.
    """

    def __init__(self) -> None:
        self.share: float | None = None
        self._looked = 0.0
        self._used = 0.0

    def look(self) -> float | None:
        """The share now."""
        now = time.monotonic()
        if now - self._looked >= _LOOK_SECONDS:
            used = cpu_seconds(descendants(os.getpid())[1:])
            self.share = max(0.0, used - self._used) / (now - self._looked) if self._looked else None
            self._looked, self._used = now, used
        return self.share
