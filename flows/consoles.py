"""Where commands print for people."""

from __future__ import annotations

import sys

from rich.console import Console

_WIDE = 120
"""Columns where there is no window."""


def plain_console(*, stderr: bool = False, width: int | None = None) -> Console:
    """A console on which brackets and colons of paths, names and others' words are no markup and no pictures."""
    return Console(stderr=stderr, width=width, markup=False, emoji=False, highlight=False)


def wide_console() -> Console:
    """Standard output, as wide as its window or as a result takes where there is none."""
    return plain_console(width=None if sys.stdout.isatty() else _WIDE)
