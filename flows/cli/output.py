"""How commands print: JSON for programs, tables for people."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import TypeVar

from pydantic_core import to_json
from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleDimensions
from rich.padding import Padding
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from flows.cli.standard_output import are_documents_shown, for_programs
from flows.consoles import plain_console
from flows.text import one_line

Item = TypeVar("Item")


def print_json(value: object) -> None:
    """One JSON document on standard output; JSON has no NaN, which is written as a text as in all records."""
    out = for_programs()
    is_plain = (out.encoding or "utf-8").lower().replace("_", "-") not in {"utf-8", "utf8"}
    print(to_json(value, inf_nan_mode="strings", ensure_ascii=is_plain).decode(), file=out)


LONGEST_WORD = 16
"""Longer words may be broken where a table is wider than its window."""
BETWEEN_COLUMNS = 3


def print_table(rows: Sequence[Mapping[str, str]], *, title: str = "", empty: str = "Nothing to show.") -> None:
    """A table with the keys of the first row as its columns; foreign text is made harmless.

    The first column names what a row is about, mostly by an id that is copied into the next command: it is never
    broken over lines. Nothing is where no window is, as in a pipe. In a window that is too narrow for its columns, each
    row is a few lines instead.
    """
    console = plain_console()
    if not rows:
        console.print(empty)
        return
    if title:
        console.print(Text(title, style="italic"))  # a table's own title is folded to the width of its columns
    table = Table(header_style="bold", box=box.SIMPLE_HEAD, collapse_padding=True)
    cells = [[one_line(value) for value in row.values()] for row in rows]
    needed = BETWEEN_COLUMNS
    for position, name in enumerate(rows[0]):
        texts = [name, *(shown[position] for shown in cells)]
        if position == 0 or not console.is_terminal:
            narrowest = max(map(cell_len, texts))
        else:
            narrowest = min(LONGEST_WORD, max(map(cell_len, " ".join(texts).split(" "))))
        table.add_column(name, overflow="fold", no_wrap=position == 0, min_width=narrowest)
        needed += narrowest + BETWEEN_COLUMNS
    if console.is_terminal and needed > console.width:
        _print_narrow(console, list(rows[0]), cells)
        return
    for shown in cells:
        table.add_row(*map(Text, shown))
    console.size = ConsoleDimensions(max(console.width, needed), console.height)
    console.print(table)


def _print_narrow(console: Console, names: Sequence[str], cells: Sequence[Sequence[str]]) -> None:
    """Each row as its first cell, and below it what is known of the others."""
    for first, *others in cells:
        console.print(Text(first, style="bold"), soft_wrap=True)
        known = (
            Text.assemble((f"{name} ", "dim"), value) for name, value in zip(names[1:], others, strict=True) if value
        )
        console.print(Padding(Text("  ").join(known), (0, 0, 0, 2)))


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
