"""A script's output as a person at a terminal would read it: lines, without control codes and dead bar states."""

from __future__ import annotations

import re
from collections.abc import Iterator

_ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-_])")
_OVERWRITE = re.compile(r"\r|\x08+")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_BAR = re.compile(r"\d+%\||\b\d+/(?:\d+|Unknown)\s*[\[━─=]|\d+(?:it|batch)?/s\b|s/it\b")
_COUNTER = re.compile(r"\d+%|\d+/(?:\d+|Unknown)\b")
_HALF = 4_000_000
"""Of a longer output only so many characters of its beginning and of its end are read."""
_HEAD, _TAIL = 100_000, 50_000
"""Of a longer line only the beginning and the end are read."""


def output_lines(text: str) -> Iterator[tuple[int, str]]:
    """Give each readable line with its 1-based number, counted by line feeds.

    A line that was overwritten with carriage returns gives each text that stood there, but of the
    states of one progress bar only the last. Of a text longer than eight million characters the first and
    last four million are read, and of a line longer than 150,000 the first 100,000 and the last 50,000:
    whoever waits for the values of an output waits for seconds, whatever it holds.
    """
    for number, raw in _numbered(text):
        if raw.isprintable() and len(raw) <= _HEAD:
            yield number, raw.rstrip()
            continue
        if "\x1b" in raw:
            raw = _ESCAPE.sub("", raw)
        if "\r" not in raw and "\x08" not in raw:
            yield number, _readable(raw)
            continue
        for state in _last_states(_OVERWRITE.split(raw)):
            yield number, _readable(state)


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
    held: str | None = None
    for segment in segments:
        if not segment.strip():
            continue
        is_bar = bool(_BAR.search(segment[:2_000]))
        if held is not None and not (is_bar and _bar_key(segment) == _bar_key(held)):
            yield held
            held = None
        if is_bar:
            held = segment
        else:
            yield segment
    if held is not None:
        yield held


def _bar_key(segment: str) -> str:
    """What names a bar: the text before its counter."""
    return _COUNTER.split(segment[:200], maxsplit=1)[0].strip()
