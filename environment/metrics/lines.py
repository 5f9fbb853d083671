"""A script's output as a person at a terminal would read it: lines, without control codes and dead bar states."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import groupby

_ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-_])")
_OVERWRITE = re.compile(r"\r|\x08+")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_UP = re.compile(r"\x1b\[(\d{0,4})[AF]")
_REDRAWS = re.compile(r"\r(?!\n)|\x08|\x1b")
_DIGITS = re.compile(r"\d+")
_SCREEN = 200
"""Rows that the cursor may go back to."""
_MANY = 10
"""Texts that differ only in their numbers and overwrite each other are a bar where there are more of them."""
_BAR = re.compile(r"\d+%\||\b\d+/(?:\d+|Unknown)\s*[\[━─=]|\d+(?:it|batch)?/s\b|s/it\b")
_COUNTER = re.compile(r"\d+%|\d+/(?:\d+|Unknown)\b")
_DRAWN = re.compile(r"[━─█▏▎▍▌▋▊▉▓▒░■]+")
_COUNT = re.compile(r"^(?!.*\bep(?:och)?\b)[^\d]{0,60}\b\d+/(\d{2,})\b", re.IGNORECASE)
"""A count without more, as some bars are drawn; one of epochs is a result's."""
_HALF = 4_000_000
"""Of a longer output only so many characters of its beginning and of its end are read."""
_HEAD, _TAIL = 100_000, 50_000
"""Of a longer line only the beginning and the end are read."""


def output_lines(text: str) -> Iterator[tuple[int, str]]:
    """Give each readable line with its 1-based number, counted by line feeds.

    A line that was overwritten, with carriage returns or by moving the cursor up, gives each text that stood there, but
    of the states of one progress bar only the last, under the number of the line feed before it. Of a text longer than
    eight million characters the first and last four million are read, and of a line longer than 150,000 the first
    100,000 and the last 50,000: whoever waits for the values of an output waits for seconds, whatever it holds.
    """
    lines = _numbered(text)
    for number, states in _redrawn(lines) if _UP.search(text) else _overwritten(lines):
        for state in states:
            yield number, state


def readable_output(text: str) -> str:
    """An output as ``output_lines`` reads it: control codes gone, one state of each bar, every other line."""
    if text.isprintable() or not _REDRAWS.search(text):
        return text
    return "\n".join(line for _, line in output_lines(text))


def _overwritten(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, list[str]]]:
    """The readable texts of each line."""
    for number, raw in lines:
        if raw.isprintable() and len(raw) <= _HEAD:
            yield number, [raw.rstrip()]
            continue
        if "\x1b" in raw:
            raw = _ESCAPE.sub("", raw)
        if "\r" not in raw and "\x08" not in raw:
            yield number, [_readable(raw)]
            continue
        yield number, [_readable(state) for state in _last_states(_OVERWRITE.split(raw))]


class _Row:
    """One row of a screen: every text that stood there, of a progress bar only the last."""

    def __init__(self) -> None:
        self.states: list[tuple[int, str]] = []

    def write(self, number: int, texts: Iterable[str]) -> None:
        """Put texts there one after another."""
        for text in texts:
            if not text:
                continue
            if self.states and _is_next_state(self.states[-1][1], text):
                self.states.pop()
            self.states.append((number, text))


def _redrawn(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, list[str]]]:
    """The readable texts of each row of a screen whose cursor was moved up, as nested progress bars do."""
    rows, at = deque([_Row()]), 0
    for number, raw in lines:
        if number > 1:
            at += 1
            if at == len(rows):
                rows.append(_Row())
        pieces = _UP.split(raw)
        for n, piece in enumerate(pieces):
            if n % 2:  # how far up
                at = max(0, at - min(int(piece or 1), _SCREEN))
                continue
            rows[at].write(number, map(_readable, _last_states(_OVERWRITE.split(_ESCAPE.sub("", piece)))))
        while len(rows) > _SCREEN:
            yield from _of_row(rows.popleft(), number - _SCREEN)
            at -= 1
    for row in rows:
        yield from _of_row(row, 0)


def _of_row(row: _Row, number: int) -> Iterator[tuple[int, list[str]]]:
    """The texts of a row under the lines that they were written in; an empty row is an empty line."""
    yield from ((line, [text]) for line, text in row.states) if row.states else [(max(number, 1), [""])]


def _numbered(text: str) -> Iterator[tuple[int, str]]:
    if len(text) <= 2 * _HALF:
        yield from enumerate(text.split("\n"), start=1)
        return
    yield from enumerate(text[:_HALF].split("\n"), start=1)
    # The tail begins in the middle of a line, which is left out.
    skipped = text.count("\n", 0, len(text) - _HALF)
    for number, raw in enumerate(text[-_HALF:].split("\n")):
        if number:
            yield skipped + number + 1, raw


def _readable(line: str) -> str:
    if len(line) > _HEAD + _TAIL:
        line = f"{line[:_HEAD]} {line[-_TAIL:]}"
    return _CONTROL.sub(" ", line).rstrip()


def _last_states(segments: list[str]) -> Iterator[str]:
    """What stood in an overwritten line: of a bar its last state, and of a long row of alike texts the last."""
    held: str | None = None
    for _, alike in groupby(filter(str.strip, segments), key=_form):
        states = list(alike)
        for segment in states[-1:] if len(states) > _MANY else states:
            if held is not None and not _is_next_state(held, segment):
                yield held
            held = segment
    if held is not None:
        yield held


def _form(segment: str) -> str:
    return _DIGITS.sub("0", segment[:200])


def _is_next_state(before: str, text: str) -> bool:
    """Whether both are states of one progress bar."""
    if not (_is_bar(before) and _is_bar(text)):
        return before.strip() == text.strip()
    return _bar_key(before) == _bar_key(text)


def _is_bar(segment: str) -> bool:
    text = segment[:2_000]
    return bool(_BAR.search(text) or _DRAWN.search(text) or _COUNT.match(text))


def _bar_key(segment: str) -> str:
    """What names a bar: the text before its counter."""
    return _COUNTER.split(_DRAWN.sub("", segment[:200]), maxsplit=1)[0].strip()
