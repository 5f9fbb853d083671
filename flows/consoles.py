"""Where commands print for people."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from foundation.text import printable

_WIDE = 120
"""Columns where there is no window."""


class _PlainConsole(Console):
    """A console on which nothing that is printed drives the terminal, whoever wrote it; its styles alone do."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """See ``Console.render``."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(printable(segment.text), segment.style)


def plain_console(*, stderr: bool = False, width: int | None = None) -> Console:
    """A console on which brackets and colons of paths, names and others' words are no markup and no pictures."""
    return _PlainConsole(stderr=stderr, width=width, markup=False, emoji=False, highlight=False)


def wide_console() -> Console:
    """Standard output, as wide as its window or as a result takes where there is none."""
    return plain_console(width=None if sys.stdout.isatty() else _WIDE)


def tell(text: str) -> None:
    """Print a line on standard error, where no console is."""
    print(printable(text), file=sys.stderr)
