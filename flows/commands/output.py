"""How commands print: JSON for programs, tables for people."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from flows.text import one_line


def print_json(value: object) -> None:
    """One JSON document on standard output."""
    print(json.dumps(value, ensure_ascii=False))


LONGEST_WORD = 16
"""Longer words may be broken where a table is wider than its window."""


def print_table(rows: Sequence[Mapping[str, str]], *, title: str = "", empty: str = "Nothing to show.") -> None:
    """A table with the keys of the first row as its columns; foreign text is made harmless."""
    console = Console()
    if not rows:
        console.print(empty)
        return
    table = Table(
        title=title or None, title_justify="left", header_style="bold", box=box.SIMPLE_HEAD, collapse_padding=True
    )
    cells = [[one_line(value) for value in row.values()] for row in rows]
    for position, name in enumerate(rows[0]):
        words = " ".join([name, *(shown[position] for shown in cells)]).split(" ")
        widest = min(LONGEST_WORD, max(map(len, words)))
        # A name stays on one line, unless that would leave nothing of the columns behind it.
        whole = position == 0 and max(len(shown[0]) for shown in cells) <= console.width // 2
        table.add_column(name, overflow="fold", no_wrap=whole, min_width=widest)
    for shown in cells:
        table.add_row(*map(Text, shown))
    console.print(table)
