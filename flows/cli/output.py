"""How commands print: JSON for programs, tables for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic_core import to_json
from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleDimensions
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from flows.cli.standard_output import for_programs
from flows.consoles import plain_console
from flows.text import one_line


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
