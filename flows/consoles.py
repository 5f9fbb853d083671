"""Where commands print for people."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from foundation.text import printable

_WIDE = 120
"""Columns where there is no window."""


class _PlainConsole(Console):
    """A console on which nothing that is printed drives the terminal, whoever wrote it; its styles alone do."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """See ``Console.render``."""
        rendered = super().render(renderable, options)
        plain = (each if each.control else Segment(printable(each.text), each.style) for each in rendered)
        return plain if self.is_terminal else _without_padding(plain)


def _without_padding(segments: Iterable[Segment]) -> Iterator[Segment]:
    """What is printed into a file or another program, without the blanks that fill a table's lines up to its width."""
    blanks: list[Segment] = []
    for segment in segments:
        said = segment.text.rstrip(" ")
        if said and said != "\n":
            yield from blanks
        if said or segment.control:
            blanks.clear()
            yield Segment(said, segment.style, segment.control)
        if said != segment.text:
            blanks.append(Segment(segment.text[len(said) :], segment.style))
    yield from blanks


def plain_console(*, stderr: bool = False, width: int | None = None) -> Console:
    """A console on which brackets and colons of paths, names and others' words are no markup and no pictures."""
    return _PlainConsole(stderr=stderr, width=width, markup=False, emoji=False, highlight=False)


def wide_console() -> Console:
    """Standard output, as wide as its window or as a result takes where there is none."""
    return plain_console(width=None if sys.stdout.isatty() else _WIDE)


def tell(text: str) -> None:
    """Print a line on standard error, where no console is."""
    print(printable(text), file=sys.stderr)
