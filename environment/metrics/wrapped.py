"""Arrays that numpy prints over several lines, as one line with its breaks: ``CV scores: [0.81 0.79``, `` 0.83]``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_OPENS = re.compile(r"[:=\s(]\[[-+.\deE\s,]*\d\.?$")
"""A list of numbers that does not end on its line."""
_GOES_ON = re.compile(r"\s+[-+.\deE\s,]*\d\.?\s*(?P<end>\](?:, dtype=\w+)?\)?)?")
_MOST = 40
"""Lines of one array."""


def unwrapped(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """The numbered lines; those of one array together, under the number of the first, which has its name."""
    held: list[tuple[int, str]] = []
    for number, line in lines:
        goes_on = _GOES_ON.fullmatch(line) if held else None
        if goes_on:
            held.append((number, line))
            if goes_on["end"]:
                yield held[0][0], "\n".join(text for _, text in held)
                held = []
            elif len(held) == _MOST:
                yield from held
                held = []
            continue
        yield from held
        held = []
        if line.rfind("[") > line.rfind("]") and _OPENS.search(line):
            held.append((number, line))
        else:
            yield number, line
    yield from held
