"""Repeats a call where that can help: with back-off, as long as the provider asks, at a limited rate."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from agent.models.errors import RetryableError
from agent.models.settings import ModelSettings

if TYPE_CHECKING:
    from tenacity import RetryCallState

_LONGEST_BACKOFF = 120.0
_LONGEST_ASKED_WAIT = 3_600.0

Answer = TypeVar("Answer")


class Times:
    """How the time of a call divides into work and waiting."""

    def __init__(self) -> None:
        self.waited = 0.0
        self._started = time.monotonic()

    @property
    def worked(self) -> float:
        """Seconds without the waiting."""
        return max(time.monotonic() - self._started - self.waited, 0.0)


class Attempts:
    """Makes the calls of one run."""

    def __init__(self, settings: ModelSettings) -> None:
        self._settings = settings
        self._last = float("-inf")

    def make(self, call: Callable[[], Answer], times: Times) -> Answer:
        """The answer of the first attempt that succeeds; waiting is added to ``times``.

        Raises:
            RetryableError: The last attempt's, where all failed.
        """
        from tenacity import Retrying, retry_if_exception_type, stop_after_attempt

        def note_wait(state: RetryCallState) -> None:
            times.waited += state.upcoming_sleep

        def attempt() -> Answer:
            times.waited += self._keep_rate()
            return call()

        retrying = Retrying(
            stop=stop_after_attempt(self._settings.attempts),
            retry=retry_if_exception_type(RetryableError),
            wait=self._wait,
            before_sleep=note_wait,
            reraise=True,
        )
        return retrying(attempt)

    def _wait(self, state: RetryCallState) -> float:
        """What the provider's ``Retry-After`` says, else exponential with jitter."""
        error = state.outcome.exception() if state.outcome else None
        if isinstance(error, RetryableError) and error.retry_after is not None:
            return min(error.retry_after, _LONGEST_ASKED_WAIT)
        backoff: float = self._settings.backoff * 2 ** (state.attempt_number - 1)
        return min(backoff, _LONGEST_BACKOFF) * random.uniform(0.5, 1)

    def _keep_rate(self) -> float:
        """Wait until the next request is due; returns the seconds waited."""
        if self._settings.requests_per_minute is None:
            return 0.0
        wait = max(self._last + 60 / self._settings.requests_per_minute - time.monotonic(), 0.0)
        time.sleep(wait)
        self._last = time.monotonic()
        return wait
