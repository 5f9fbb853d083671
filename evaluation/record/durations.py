"""How long something took and how much memory, as programs print it: "done in 28.4 s", "elapsed: 6m 12s", "9.8 GiB"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from environment.metrics.spans import SPAN, seconds_of

_DURATION = re.compile(
    r"\b(?P<name>(?:[\w ]{0,20}[ _])?(?:done|finished|completed|elapsed|took|takes|ran|runs|time|runtime|duration"
    r"|real))\b(?![ ](?:limit|budget|left|remaining)\b)"
    rf"(?:[\w\s]{{0,12}}\b(?:in|after|for|is|taken))?[\s:=]{{0,6}}(?P<span>{SPAN}|\d+(?:\.\d+)? ?s(?:ec(?:ond)?s?)?\b)",
    re.IGNORECASE,
)
_BARE = re.compile(
    r"^\W*(?P<name>(?:(?:total|elapsed|wall|run|training)[ _])?(?P<unit>seconds|secs|minutes|mins|hours))\s*[:=]\s*"
    r"(?P<n>\d+(?:\.\d+)?)\s*$",
    re.IGNORECASE,
)
"""A line of nothing but a duration under the name of its unit: "seconds: 68"."""
_SIZE = re.compile(
    r"(?P<name>[\w ]{0,20}\b(?:mem(?:ory)?|v?ram|rss)\b[\w ]{0,20}?)[ (\[]*(?:usage|used|allocated|peak)?[)\] :=]{0,6}"
    r"(?P<size>\d+(?:\.\d+)?) ?(?P<unit>[MGT])i?B\b",
    re.IGNORECASE,
)
_OF_MEMORY = re.compile(r"\b(?:mem|v?ram|rss)", re.IGNORECASE)
_GIGABYTES = {"m": 1 / 1024, "g": 1.0, "t": 1024.0}
IN_PARTS = r"(?:\d+h ?)?\d+m(?:in)? ?\d+(?:\.\d+)?s(?!\w)|\d+h ?\d+m(?:in)?(?!\w)|\d{1,3}:\d\d:\d\d(?:\.\d+)?(?![\w:])"
"""A duration of several numbers: "0m26.714s", "1h02m", "00:03:12"."""
_UNITS = {"s": 1.0, "sec": 1.0, "secs": 1.0, "seconds": 1.0, "ms": 1e-3, "us": 1e-6, "minutes": 60.0, "hours": 3600.0}
_WORD = re.compile(r"[a-z]+")
_LONGEST_LINE = 300


class Duration(NamedTuple):
    """A duration in a text: its 1-based line, what it is called, its length in seconds, its line's text."""

    line: int
    name: str
    seconds: float
    text: str


def find_durations(lines: Sequence[str]) -> Iterator[Duration]:
    """The durations that lines of output give, at most one a line."""
    for number, line in enumerate(lines, 1):
        if len(line) > _LONGEST_LINE or not any(character.isdigit() for character in line):
            continue
        bare = _BARE.match(line)
        found = bare or _DURATION.search(line)
        seconds = seconds_of(f"{bare['n']} {bare['unit']}" if bare else found["span"]) if found else 0.0
        if found and seconds:
            yield Duration(number, found["name"].strip(), seconds, line.strip()[:200])


def find_sizes(lines: Sequence[str]) -> Iterator[tuple[int, str, float, str]]:
    """The amounts of memory in gigabytes that lines of output give, each with its line, name and text."""
    for number, line in enumerate(lines, 1):
        found = _SIZE.search(line) if len(line) <= _LONGEST_LINE and _OF_MEMORY.search(line) else None
        if found:
            yield (
                number,
                found["name"].strip(),
                float(found["size"]) * _GIGABYTES[found["unit"].lower()],
                line.strip()[:200],
            )


def unit_in(name: str) -> float | None:
    """The length of the unit of time that a name gives, as "ms/epoch" and "fit_s" do."""
    return next((_UNITS[word] for word in _WORD.findall(name.lower().replace("_", " ")) if word in _UNITS), None)
