"""How far long work has come, on the terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from flows.cli.standard_output import are_documents_shown
from flows.consoles import plain_console

Item = TypeVar("Item")


def with_bar(items: Iterable[Item], what: str, total: int | None = None) -> Iterator[Item]:
    """The items, with a bar while they are gone through.

    Args:
        items: What takes long.
        what: What is done with them.
        total: How many there are, where that is known.
    """
    with Bar(what, total) as bar:
        for item in items:
            yield item
            bar.advance()


class Bar:
    """A bar on the terminal while its ``with`` block lasts; none where standard error is no terminal or shows JSON.

    Args:
        what: What takes long.
        total: How many there are, where that is known.
        console: Where it is drawn.
    """

    def __init__(self, what: str, total: int | None = None, console: Console | None = None) -> None:
        console = console or plain_console(stderr=True)
        described, counted = TextColumn("{task.description}", markup=False), TextColumn("{task.fields[done]}")
        self._progress = Progress(
            *(described, BarColumn(), counted, TimeElapsedColumn()),
            console=console,
            transient=True,
            disable=not console.is_terminal or are_documents_shown(),
            redirect_stdout=sys.stdout.isatty(),  # else what is printed for programs would go to standard error
        )
        self._total, self._done = total, 0
        self._task = self._progress.add_task(what, total=total, done="0")

    def __enter__(self) -> Bar:
        """Start drawing."""
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave nothing of it."""
        self._progress.stop()

    def advance(self) -> None:
        """One more is done."""
        self._done += 1
        done = f"{self._done:,}" if self._total is None else f"{self._done:,} of {self._total:,}"
        self._progress.update(self._task, completed=self._done, total=self._total, done=done)

    def within(self, done: int, total: int) -> None:
        """How far the one that is under way has come."""
        before = f"{self._done:,} done · " if self._done else ""
        parts = f"{before}{done:,} of {total:,} steps"
        self._progress.update(self._task, completed=done, total=total, done=parts)
