"""Finds the named values of one line of output: ``loss: 0.3``, ``acc=81 %``, ``accuracy on test set is 0.83``."""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from environment.metrics.mappings import mapping_fields, read_mapping
from environment.metrics.names import (
    Name,
    Split,
    is_aggregate,
    is_counter,
    is_letter,
    is_metric,
    is_setting,
    read_name,
    split_in,
    without_aggregates,
)
from environment.metrics.value import CUT, SETTINGS_HEADING_WORDS, Field, Unit

_NUMBER = r"[-+]?(?:(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?|nan\b|inf(?:inity)?\b)"
# One of the characters before a value first: only there is the rest of the expression tried.
_FIELD = re.compile(
    rf"""(?P<sep>(?-i:[:=\ \tiIİıoOwWtTrR])(?:(?<=[:=])(?<![<>!]=)[:=]?>?|(?<=[ \t])
      |(?<=\b\w)(?:(?<=i)s|(?<=o)f|(?<=w)as|(?<=t)o(?:ok)?|(?<=r)each(?:ed|es))\b))[ \t]{{0,20}}
    (?:(?:tensor|array|np\.float\d+|np\.int\d+)\()?["'$]?
    (?:\d+/\d+[ ]?\([ ]?(?P<share>{_NUMBER})[ ]?%[ ]?\)
      |(?P<value>{_NUMBER})(?P<unit>[ ]?%|[ ]?(?:s|secs?|seconds?|ms|milliseconds?)\b)?x?
       (?![\w%|]|[.:/\-]\d|-[A-Za-z]|[ ]?(?:[KMGT]i?B|bytes|it/s|s/it)\b))""",
    re.VERBOSE | re.IGNORECASE,
)
_DELIMITER = re.compile(
    r"[,;|│┃{}\[\]\t]|[-=]+>|<-+|</?[A-Za-z]\w*/?>|(?:^|(?<=\s))>+(?=\s\s*[^\s\d])|(?<!\w)[\"']|[\"'](?!\w)"
    r"|:|(?<![<>!=])=|\s{2,}"
    r"|\s[-–—]+\s|\.\s"
)
"""What parts a name from the text before it; ``<`` and ``>`` do as arrows, tags and prompts, not as comparisons."""
_SETTINGS_GROUP = re.compile(
    r"\b(?:hyper-?)?(?:params?|parameters?|config(?:uration)?|args|arguments|settings)\b[^{\n]{0,30}\{[^}]{0,4000}",
    re.IGNORECASE,
)
_CONSTRUCTOR = re.compile(r"\b([A-Z][A-Za-z]+)\((?=[^()]{0,400}\w=)[^()]{0,4000}")
_SETTINGS_HEADING = re.compile(SETTINGS_HEADING_WORDS, re.IGNORECASE)
_SETTINGS_WORD = re.compile(r"params|parameters|config|arguments|settings", re.IGNORECASE)
_UNIT_NOTE = re.compile(r"\s*[(\[](%|s|secs?|seconds?|ms)[)\]]?\s*$", re.IGNORECASE)
_IN_PERCENT = re.compile(r"(?<=\w)%$|[_ ](?:percent|pct)$", re.IGNORECASE)
_COUNTED = re.compile(r"\w+\s*#?\d+$")
_ON_SPLIT = re.compile(r"[ ](?:on|for|in)[ ](?:the[ ])?\w+(?:[ ]\w+)?")
_LIST = re.compile(r"[:=]\s{0,8}(?:array\()?[\[(]([-+.e\d\s,]{3,4000})[\])]", re.IGNORECASE)
_LISTED = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?", re.IGNORECASE)
"""A number of a list, where commas stand between numbers."""
_ON = (" on ", " for ", " in ")
_ENDS_A_NAME = re.compile(r"[^\W\d]|\)$")
_CONDITION = re.compile(
    r"(?:(?<=\w )|(?<=\w))\((?P<subject>\w{1,40})\s?[<>=!]?=\s?[\w.+-]{1,40}\)(?=\s?[:=])"
    r"|@\w=\d+(?=\s?[:=])|@\s?\[[^\[\]]{1,80}\](?=\s?[:=])"
)
"""What a value was measured under, which is part of its name: ``accuracy (k=5): 0.7``, ``mAP@[0.5:0.95]: 0.4``."""
_PARTING, _JOINED = ":=|[]<>", "\ue000\ue001\ue002\ue003\ue004\ue005\ue006"
_AS_ONE, _AS_WRITTEN = str.maketrans(_PARTING, _JOINED), str.maketrans(_JOINED, _PARTING)
_LOOK_BACK = 100
_SETTINGS_REACH = 400
"""Characters after "params:" in which unknown names are taken for settings."""


def line_fields(line: str, heading: str = "") -> Iterator[Field]:
    """The metrics of one line, left to right.

    Args:
        line: One line, free of control codes.
        heading: The metric that a heading above the line named, for values that have only a split
            ("train: 0.9").
    """
    mapping = read_mapping(line)
    if mapping is None:
        bare = _with_whole_names(_without_settings(line))
        yield from _with_twins([*_text_fields(bare, heading), *_list_fields(bare)])
    elif any(is_metric(key) or is_counter(key) for key, _ in mapping):
        yield from _with_twins(list(mapping_fields(mapping)))


def _with_twins(fields: list[Field]) -> list[Field]:
    """Beside ``val_loss`` a bare ``loss`` is the training loss (Keras)."""
    twins = {field.name for field in fields if field.split == "validation"}
    return [field._replace(split="train") if field.split is None and field.name in twins else field for field in fields]


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
            return name.known and self.is_exact and (self.separator.isalpha() or is_metric(self.phrase.split()[-1]))
        return name.known or (self.is_exact and any(c.isalpha() for c in self.phrase))


class _Reading(NamedTuple):
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


@lru_cache(maxsize=8_192)
def _reading(before: str, separator: str, mark: str | None, is_exact: bool) -> _Reading | None:
    """What a value is, or ``None`` where it is none of a metric.

    Args:
        before: The text between the last metric and this value.
        separator: What parts the value from its name.
        mark: The unit written after the number.
        is_exact: Whether the number alone tells that it was measured.
    """
    phrase = _phrase(before, separator)
    if not phrase:
        return None
    unit, divisor = _unit(mark or _noted_unit(phrase))
    separator = separator.lower()
    candidate = _Candidate(phrase, separator, is_exact or unit != "none", unit == "seconds")
    name = _read_name(phrase)
    if not candidate.accepts(name):
        return None
    line_split = split_in(before)
    text, split, known = name
    if separator == "took":
        return _Reading(f"{text} time".strip(), split, unit, divisor, False, False, line_split)
    is_doubtful = separator[0] in ":=" and not known
    needs_subject = not text or is_aggregate(text) or _is_numbered_counter(text)
    return _Reading(text, split, unit, divisor, is_doubtful, needs_subject, line_split)


class _Settings:
    """Where a line names settings ("params:"), looked for once."""

    def __init__(self, line: str) -> None:
        self._line = line
        self._words: list[int] | None = None

    def reach(self, start: int) -> bool:
        """Whether a heading of settings stands close before the position."""
        if self._words is None:
            self._words = [match.start() for match in _SETTINGS_WORD.finditer(self._line)]
        first = max(0, start - _SETTINGS_REACH)
        if bisect_left(self._words, first) == bisect_left(self._words, start):
            return False
        return _SETTINGS_HEADING.search(self._line[first:start]) is not None


def _text_fields(line: str, heading: str) -> Iterator[Field]:
    end = 0
    line_split: Split | None = None
    settings = _Settings(line)
    for match in _FIELD.finditer(line):
        separator, share, number, mark = match.groups()
        start = match.start()
        before = line[max(end, start - _LOOK_BACK) : start]
        if separator.isspace() and not _ENDS_A_NAME.search(before[-2:]):
            continue
        if share is not None:
            number, mark, group = share, "%", "share"
        else:
            group = "value"
        value = float(number.replace(",", "") if "," in number else number)
        is_exact = "." in number or "e" in number or "E" in number or not math.isfinite(value)
        reading = _reading(before, separator, mark, is_exact)
        if reading is None:
            continue
        text, split, unit, divisor, is_doubtful, needs_subject, named_split = reading
        if is_doubtful and settings.reach(start):
            continue
        if is_letter(text) and line.startswith(":", match.end()):  # what a bar is called: "R: 2.1: 100%|"
            continue
        if needs_subject:
            subject = _metric_before(line[max(0, start - _LOOK_BACK) : start]) or heading
            text = (f"{subject} {text}" if is_aggregate(text) else subject).strip() or "score"
        line_split = named_split or line_split
        end = match.end()
        split = split or line_split
        if split is None and line.startswith(_ON, end):
            split = _split_after(line[end : end + _LOOK_BACK])
        yield Field(text.translate(_AS_WRITTEN), value / divisor, unit, split, start, match.span(group), divisor)


def _list_fields(line: str) -> Iterator[Field]:
    """``CV scores: [0.81 0.79 0.83]``: one value a fold."""
    if "[" not in line and "(" not in line:
        return
    for match in _LIST.finditer(line):
        start = match.start()
        phrase = _phrase(line[max(0, start - _LOOK_BACK) : start], ":")
        name = read_name(phrase)
        if name.known and not is_setting(phrase):
            split = name.split or split_in(line[max(0, start - _LOOK_BACK) : start])
            for number in _LISTED.finditer(line, *match.span(1)):
                yield Field(name.text, float(number.group()), "none", split, start, number.span())


def _phrase(before: str, separator: str) -> str:
    """The words that name a value; before "is", "of" or "to" they may reach over a colon."""
    cut = 0
    for match in _DELIMITER.finditer(before.rstrip(" \t\"'")):
        cut = match.end()
    if CUT in before:
        return ""
    phrase = before[cut:].strip(" \t\"'")
    if separator.isalpha() and not is_metric(phrase):
        phrase = _DELIMITER.sub(" ", before).strip()
    return phrase


def _split_after(text: str) -> Split | None:
    """The split of "… on the test set" after a value."""
    match = _ON_SPLIT.match(text)
    return split_in(match.group()) if match else None


@lru_cache(maxsize=4_096)
def _is_numbered_counter(text: str) -> bool:
    return bool(_COUNTED.match(text)) and is_counter(text.rstrip("0123456789# "))


@lru_cache(maxsize=4_096)
def _metric_before(text: str) -> str:
    """The last metric that the line names before a position, where its value does not follow."""
    part = _DELIMITER.split(text)
    named = [piece.strip() for piece in part if is_metric(piece)]
    return without_aggregates(read_name(named[-1]).text) if named else ""


@lru_cache(maxsize=4_096)
def _read_name(phrase: str) -> Name:
    return read_name(_UNIT_NOTE.sub("", phrase))


@lru_cache(maxsize=4_096)
def _noted_unit(phrase: str) -> str:
    note = _UNIT_NOTE.search(phrase)
    return note.group(1) if note else "%" if _IN_PERCENT.search(phrase) else ""


def _unit(mark: str) -> tuple[Unit, int]:
    """The unit, and what a number is divided by to be in it."""
    kind = mark.strip().lower()
    if kind == "%":
        return "percent", 1
    if kind.startswith("m"):
        return "seconds", 1000
    return "seconds" if kind else "none", 1


def _with_whole_names(line: str) -> str:
    """Let no condition part a name, keeping every position."""
    if "(" not in line and "@" not in line:
        return line

    def joined(match: re.Match[str]) -> str:
        subject = match["subject"] or ""
        is_value = is_metric(subject) or split_in(subject) is not None
        return match.group() if is_value else match.group().translate(_AS_ONE)

    return _CONDITION.sub(joined, line)


def _without_settings(line: str) -> str:
    """Blank out parameter dictionaries and constructor calls, keeping every position."""
    if "{" not in line and "(" not in line:
        return line

    def blank(match: re.Match[str]) -> str:
        if match.re is _CONSTRUCTOR and is_metric(match.group(1)):
            return match.group()
        return " " * len(match.group())

    return _CONSTRUCTOR.sub(blank, _SETTINGS_GROUP.sub(blank, line))
