"""Tells results apart by the settings that a phrase, an output or a command line gives: "k=9", "lr of 0.01"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from evaluation.record.events import Event
from evaluation.record.measurements import Measurement

_SETTING = re.compile(
    r"(?<![\w.])(?P<name>[A-Za-z_][A-Za-z_-]*(?: [A-Za-z_-]+){0,2}?)[`*\"']*"
    r"(?:\s*[=:]\s*|\s+(?:of|is|at|to)\s+|\s*#|\s+)[`*\"']*"
    r"(?P<value>\d[\d_,]*(?:\.\d+)?(?:e[-+]?\d+)?)(?!\.?\w|%)",
    re.IGNORECASE,
)
_OPTION = re.compile(r"--?(?P<name>[A-Za-z][\w-]*)[= ](?P<value>\d[\d_]*(?:\.\d+)?(?:e[-+]?\d+)?)(?![\w.])", re.I)
_LINE = 2_000
_N = r"\s*\$?(?P<n>\d[\d,]*[a-z]{0,2})(?!\.?\d)"
_SIDES = {
    ">": re.compile(
        rf"(?:[>≥]=?|\b(?:over|above|(?:more|older|greater|larger|higher) than|at least)){_N}"
        r"|(?<![\w.])(?P<m>\d[\d,]*[a-z]{0,2})\+",
        re.IGNORECASE,
    ),
    "<": re.compile(
        rf"(?:[<≤]=?|\b(?:under|below|(?:less|younger|fewer|smaller|lower) than|at most|up to)){_N}(?P<m>)",
        re.IGNORECASE,
    ),
}
"""What lies on one side of a number: ">50K", "over 40", "65+"; and on the other."""


@dataclass(frozen=True)
class Setting:
    """A name and the number it was set to."""

    name: tuple[str, ...]
    value: float

    def is_called(self, other: Setting) -> bool:
        """Whether both have one name: in full, its last words, or its initials ("lr" for "learning rate")."""
        one, two = sorted((self.name, other.name), key=lambda words: len("".join(words)))
        if "".join(one) == "".join(two) or two[-len(one) :] == one:
            return True
        return len(one) == 1 and len(one[0]) > 1 and "".join(word[0] for word in two).endswith(one[0])


@lru_cache(maxsize=4096)
def settings_in(text: str) -> tuple[Setting, ...]:
    """The settings that a phrase or a printed label gives."""
    return tuple(_setting(found) for found in _SETTING.finditer(text))


def settings_of(row: Measurement) -> tuple[Setting, ...]:
    """What a row's own label says, else the options of the command that printed it."""
    return settings_in(row.label) or options_of(row.event)


def options_of(event: Event) -> tuple[Setting, ...]:
    """The options of a command line that are numbers."""
    return _options_in(event.command[:_LINE].partition("\n")[0])


@lru_cache(maxsize=4096)
def _options_in(line: str) -> tuple[Setting, ...]:
    return tuple(_setting(found) for found in _OPTION.finditer(line))


def _setting(found: re.Match[str]) -> Setting:
    words = re.findall(r"[a-z]+", found["name"].lower())
    return Setting(tuple(words), float(found["value"].replace(",", "").replace("_", "")))


def sides_in(text: str) -> frozenset[tuple[str, str]]:
    """The sides of numbers that a text speaks of: ``(">", "40")``."""
    return frozenset(
        (side, (found["n"] or found["m"]).replace(",", "").lower())
        for side, pattern in _SIDES.items()
        for found in pattern.finditer(text)
    )


def without_sides(text: str) -> str:
    """A text without them, in which the same words say what something is held against."""
    for pattern in _SIDES.values():
        text = pattern.sub(" ", text)
    return text
