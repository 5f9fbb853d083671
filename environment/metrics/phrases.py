"""What the words before a value name: a metric with its split and unit, or nothing that is measured."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from environment.metrics.chinese import in_english
from environment.metrics.names import (
    Name,
    Split,
    is_aggregate,
    is_counter,
    is_letter,
    is_limit,
    is_metric,
    is_setting,
    read_name,
    split_in,
    without_aggregates,
)
from environment.metrics.value import CUT, FILE_ENDINGS, Unit

_DELIMITER = re.compile(
    r"[,;|│┃┆{}\[\]\t]|[-=]+>|<-+|(?<=\d\s)[<>]=|</?[A-Za-z]\w*/?>|(?:^|(?<=\s))>+(?=\s\s*[^\s\d])|(?<!\w)[\"']|[\"'](?!\w)"
    r"|:\s*|(?<![<>!=])=\s*|\s{2,}(?!\s*\([A-Z]{2,6}\))"
    r"|(?<=\d)\)\s+|\s[-–—]+\s|(?<!\b[Aa]dj)(?<!\b[Aa]vg)\.\s"
)
"""What parts a name from the text before it; ``<`` and ``>`` do as arrows, tags and prompts, not as comparisons."""
_UNIT_NOTE = re.compile(
    r"\s*[(\[](?P<boxed>%|s|secs?|seconds?|ms)[)\]]?\s*$|[ ]in[ ](?P<told>s|secs?|seconds?|ms|milliseconds?)$",
    re.IGNORECASE,
)
_NOTE = re.compile(r"\s?\([\w -]{1,20}\)$")
"""Which of its kind a metric is: "F-score (micro)"."""
_IN_PERCENT = re.compile(r"(?<=\w)%$|[_ ](?:percent|pct)$", re.IGNORECASE)
_COUNTED = re.compile(r"\w+\s*#?\d+$")
_VALUES_BEFORE = re.compile(r"(?:(?:[-+]?[\d.,/%:]+(?:[eE][-+]?\d+|[kKMB])?|\(\s*[\d.]+%?\s*\))\s+)+(?=\S)")
_VALUES_WITHIN = re.compile(r"^.*(?<=\s)\d+\.\d+(?:e[-+]?\d+)?\s+(?=\S)", re.IGNORECASE)
"""Names and values one after another without marks: "kimg 1000.0 sec/kimg 12.1 loss 0.41"."""
_UP_TO = re.compile(
    r"\b(?:up|limited|capped)\s*$|\bremaining time\b"
    r"|\bthan (?:the )?(?:tol(?:erance)?|threshold|(?:min_?)?delta|eps\w*)$",
    re.IGNORECASE,
)
"""Before "to" and a value, which is then what may be reached; before what decides that training stops."""
_IS_FILE = re.compile(rf"\.(?:{FILE_ENDINGS}|tar|gz|zip)$", re.IGNORECASE)
_NUMBER_ALONE = re.compile(r"[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?", re.IGNORECASE)


class Reading(NamedTuple):
    """What a value is by the words before it.

    Attributes:
        text: The metric's name without its split.
        split: The split that the name or the words around it tell.
        divisor: What the number is divided by for the value.
        is_doubtful: It is no metric below a heading of settings.
        needs_subject: The name says only which mean or split of a metric it is, which is named before.
        line_split: The split that holds for the values after it.
    """

    text: str
    split: Split | None
    unit: Unit
    divisor: int
    is_doubtful: bool
    needs_subject: bool
    line_split: Split | None


class _Candidate(NamedTuple):
    """The words before a value, which may be a metric's name.

    Attributes:
        is_exact: The number is written as a measurement: with a point, an exponent or a unit.
    """

    phrase: str
    separator: str
    is_exact: bool
    is_duration: bool

    def accepts(self, name: Name) -> bool:
        stands_alone = (name.split and not name.text) or is_aggregate(self.phrase) or _is_numbered_counter(self.phrase)
        if is_setting(self.phrase) and not stands_alone and not (name.known and not is_setting(name.text)):
            return False
        if self.separator == "took":
            return self.is_duration
        if is_letter(self.phrase) and not self.is_exact:
            return False
        if self.separator[0] not in ":=":
            return name.known and self.is_exact and (self.separator.isalpha() or self._ends_in_metric())
        return name.known or (self.is_exact and any(c.isalpha() for c in self.phrase))

    def _ends_in_metric(self) -> bool:
        words = without_aggregates(_NOTE.sub("", self.phrase)).split()  # "rmse mean 55.36"
        return bool(words) and (is_metric(words[-1]) or words[-1].lower() == "rate")


@lru_cache(maxsize=8_192)
def read_phrase(before: str, separator: str, mark: str | None, is_exact: bool) -> Reading | None:
    """What a value is, or ``None`` where it is none of a metric.

    Args:
        before: The text between the last metric and this value.
        separator: What parts the value from its name.
        mark: The unit written after the number.
        is_exact: Whether the number alone tells that it was measured.
    """
    before = in_english(before)
    phrase = name_before(before, separator)
    if separator.isspace():
        phrase = _VALUES_WITHIN.sub("", phrase)
    if not phrase or is_limit(phrase) or _UP_TO.search(before) or _IS_FILE.search(phrase):
        return None
    unit, divisor = unit_of(mark or noted_unit(phrase))
    separator = separator.lower()
    candidate = _Candidate(phrase, separator, is_exact or unit != "none", unit == "seconds")
    name = _read_name(phrase)
    if not candidate.accepts(name):
        return None
    # A name in groups tells of itself alone: "val-core/reward:0.6 - actor/entropy:0.4".
    line_split = split_in(before.replace(phrase, " ") if "/" in phrase else before)
    text, split, known = name
    if separator == "took":
        return Reading(f"{text} time".strip(), split, unit, divisor, False, False, line_split)
    is_doubtful = separator[0] in ":=" and not known
    needs_subject = not text or is_aggregate(text) or _is_numbered_counter(text)
    return Reading(text, split, unit, divisor, is_doubtful, needs_subject, line_split)


def name_before(before: str, separator: str) -> str:
    """The words that name a value; before "is", "of" or "to" they may reach over a colon."""
    cut, parted = 0, ""
    for match in _DELIMITER.finditer(before.rstrip(" \t\"'")):
        cut, parted = match.end(), match.group()
    if CUT in before:
        return ""
    phrase = before[cut:].strip(" \t\"'")
    if parted == "=" and " " in phrase and before[cut - 2 : cut - 1].isalnum():  # "outcome=won reward=7.1"
        phrase = phrase.partition(" ")[2].strip()
    values = _VALUES_BEFORE.match(phrase)
    if values and (parted.strip() in (":", "=") or not values.group().strip().isdigit()):  # "epoch=3 val_loss"
        phrase = phrase[values.end() :]
    if separator.isalpha() and not is_metric(phrase):
        phrase = _DELIMITER.sub(" ", before).strip()
    return phrase


@lru_cache(maxsize=4_096)
def metric_before(text: str, *, is_split: bool) -> str:
    """The last metric that the line names before a position.

    Args:
        text: The line up to there.
        is_split: What stands there is but a split, which is of another metric where the last has its value already:
            "Loss: 1.8, Train: 0.97".
    """
    pieces = [piece.strip() for piece in _DELIMITER.split(text)]
    at = max((n for n, piece in enumerate(pieces) if is_metric(piece)), default=None)
    if at is None:
        return ""
    name = read_name(pieces[at])
    has_value = at + 1 < len(pieces) and _NUMBER_ALONE.fullmatch(pieces[at + 1])
    return "" if is_split and has_value and not name.split else without_aggregates(name.text)


@lru_cache(maxsize=4_096)
def noted_unit(phrase: str) -> str:
    """The unit that a name notes: "Time (ms)", "acc%"."""
    note = _UNIT_NOTE.search(phrase)
    return note["boxed"] or note["told"] if note else "%" if _IN_PERCENT.search(phrase) else ""


@lru_cache(maxsize=4_096)
def _is_numbered_counter(text: str) -> bool:
    return bool(_COUNTED.match(text)) and is_counter(text.rstrip("0123456789# "))


@lru_cache(maxsize=4_096)
def _read_name(phrase: str) -> Name:
    return read_name(_UNIT_NOTE.sub("", phrase))


def unit_of(mark: str) -> tuple[Unit, int]:
    """The unit, and what a number is divided by to be in it."""
    kind = mark.strip().lower()
    if kind in ("%", "percent"):
        return "percent", 1
    if kind.startswith("m"):
        return "seconds", 1000
    return "seconds" if kind else "none", 1
