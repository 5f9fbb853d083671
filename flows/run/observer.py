"""Who wants to know how a run goes on: the terminal's live view, or nobody."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import TracebackType
from typing import Self

from environment.gpus.card import Card, CardSample
from environment.records import Budget, Checkpoint, Decision, Effect, RunConfig, RunResult
from flows.consoles import tell


class Observer:
    """Told of everything that happens in a run, in order; must not fail. This one looks at nothing.

    It watches while its ``with`` block lasts.
    """

    def __enter__(self) -> Self:
        """Begin to watch."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Watch no more."""

    def connected(self, ui_url: str, then: str = "preparing the workspace") -> None:
        """The Prefect server answers; says what comes next."""

    def notice(self, text: str) -> None:
        """Somebody should do something, and the run waits for it."""

    def prepared(self, run_id: str, config: RunConfig, budget: Budget, sandbox: str) -> None:
        """The workspace stands; on a resume, at the last commit."""

    def decided(self, n: int, decision: Decision) -> None:
        """The agent said what to do."""

    def output(self, chunk: bytes) -> None:
        """A script printed something."""

    def sampled(self, card: Card, sample: CardSample) -> None:
        """A card that the script was given was looked at; called from another thread."""

    def executed(self, n: int, effect: Effect) -> None:
        """The action came back."""

    def committed(self, n: int, decision: Decision, checkpoint: Checkpoint) -> None:
        """The step is part of the trajectory."""

    def ending(self, doing: str) -> None:
        """The steps are over, and this is done now, in words: grading, checking claims, writing the report."""

    def stopping(self) -> None:
        """A signal to stop has come; called from another thread."""

    def warned(self, text: str) -> None:
        """Something beside the run did not work; that, everybody is told."""
        tell(text)

    def finished(self, result: RunResult) -> None:
        """The run is graded and stored."""


_current: ContextVar[Observer | None] = ContextVar("observer", default=None)


def current_observer() -> Observer:
    """The observer of this context."""
    return _current.get() or Observer()


@contextmanager
def watched_by(observer: Observer) -> Iterator[None]:
    """Let ``observer`` follow the runs started inside the block."""
    token = _current.set(observer)
    try:
        yield
    finally:
        _current.reset(token)
