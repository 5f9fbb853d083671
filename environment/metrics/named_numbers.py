"""The numbers that stand behind a name in a line: ``loss: 0.3``, ``val_acc 0.81 -> 0.85``, ``rmse 53.8 ± 3.5``."""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from environment.metrics.names import Split, is_aggregate, is_letter, is_metric, split_in, words
from environment.metrics.phrases import Reading, metric_before, read_phrase
from environment.metrics.plain import as_written
from environment.metrics.spans import SPAN, names_span, seconds_of
from environment.metrics.value import FILE_ENDINGS, SETTINGS_HEADING_WORDS, Field, number_of

_DECIMAL_COMMA = r"(?:0,\d\d+|\d{1,4},\d\d)(?!\d|,\d|\.\d)"
NUMBER = (
    rf"[-+]?(?:(?:{_DECIMAL_COMMA}|\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?"
    r"|nan\b|inf(?:inity)?\b)"
)
# One of the characters before a value first: only there is the rest of the expression tried.
_FIELD = re.compile(
    rf"""(?P<sep>(?-i:[:=\ \tiIİıoOwWtTrR])(?:(?<=[:=])(?<![<>!]=)[:=]?>?|(?<=[ \t])
      |(?<=\b\w)(?:(?<=i)s|(?<=o)f|(?<=w)as|(?<=t)o(?:ok)?|(?<=r)each(?:ed|es))\b))[ \t]{{0,60}}["'$]?
    (?:\d+/\d+[ ]?\([ ]?(?P<share>{NUMBER})[ ]?%[ ]?\)
      |(?P<span>{SPAN})
      |(?P<value>{NUMBER})(?P<unit>[ ]?%|[ ]percent\b|[ ]?(?:s|secs?|seconds?|ms|milliseconds?)\b)?(?:x|dB\b|mm\b)?
       (?![\w%]|(?<=%)(?:\||\s?[━─╸])|[.:\-]\d|/(?!1(?:\.0*)?(?![\d.]))\d|,\d\d?(?![\d,]*[\d.])|,\d+\.\d
         |-[A-Za-z]|\.(?:{FILE_ENDINGS})\b|[ ]?[×x*][ ]?10\b|[ ]?(?:[KMGT]i?B|bytes|it/s|s/it)\b))""",
    re.VERBOSE | re.IGNORECASE,
)
_SETTINGS_HEADING = re.compile(SETTINGS_HEADING_WORDS, re.IGNORECASE)
_SETTINGS_WORD = re.compile(r"params|parameters|config|arguments|settings", re.IGNORECASE)
_ON_SPLIT = re.compile(r"[ ](?:on|for|in)[ ](?:the[ ])?\w+(?:[ ]\w+)?|[ ]?\(\w+\)")
_PROGRESS = re.compile(r"\[\s*\d+(?:/\d+|\]\[)")
"""How far an epoch is, which meters print before their values."""
_AVERAGE = re.compile(rf"\s?s?\s*\(\s*(?P<average>{NUMBER})\s*s?\s*\)", re.IGNORECASE)
"""The mean over the epoch so far, behind the value of a batch: ``Acc@1: 76.1 (75.9)``."""
_THEN = re.compile(rf"%?[ ]?(?:[-=]+>|→)[ ]?(?P<then>{NUMBER})(?![\w%]*[^\W\d%])", re.IGNORECASE)
"""What a value became: ``val_acc 0.81 -> 0.85``."""
_SPREAD = re.compile(r"[ ]?%?[ ]?\(?(?:±|\+/-|\+-)[ ]?(?P<spread>\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?)", re.IGNORECASE)
"""The scatter behind a mean: ``rmse 53.84 ± 3.53``."""
_SCATTERED = re.compile(r"\d[ ]?(?:±|\+/?-)[ ]?[\d.,]+(?:e[-+]?\d+)?[ ]?%?[\s,;|]+", re.IGNORECASE)
"""A value with its scatter under a name that nobody knows, which is no part of the next name."""
_BEHIND = ((_THEN, ""), (_SPREAD, " std"))
_BEHIND_METERS = (*_BEHIND, (_AVERAGE, " average"))
"""What may stand behind a value, and how that is called after the value's name."""
_OPENED = re.compile(r"\([^)]*$")
"""A remark in brackets that a value stands in: ``predicted 3 (p=0.55)``."""
_ON = (" on ", " for ", " in ", "(", " (")
_ENDS_A_NAME = re.compile(r"[^\W\d].?$|\)$|@[a-zA-Z]?[\d.]{1,5}$")
_PARTED = re.compile(r"[ \u00a0\u202f]\d{3}[.,]\d")
"""Behind a whole number: the rest of one whose thousands are parted by spaces."""
BESIDE_ALL = frozenset(["time", "elapsed", "duration", "throughput"])
"""What a line ends with for all its splits: no split holds on to it."""
LOOK_BACK = 100
_SETTINGS_REACH = 400
"""Characters after "params:" in which unknown names are taken for settings."""


class NamedNumbers:
    """Reads a line from left to right.

    Args:
        line: Without control codes.
        heading: The metric that a heading above the line named.
    """

    def __init__(self, line: str, heading: str) -> None:
        self._line = line
        self._heading = heading
        self._end = 0
        self._line_split: Split | None = None
        self._told: set[tuple[str, Split | None]] = set()
        self._settings = _Settings(line)
        self._behind_values = _BEHIND_METERS if _PROGRESS.search(line) else _BEHIND

    def __iter__(self) -> Iterator[Field]:
        """The values, each before what stands behind it."""
        for match in _FIELD.finditer(self._line):
            field = self._field(match)
            if field is not None:
                yield field
                yield from self._behind(field)

    def _field(self, match: re.Match[str]) -> Field | None:
        start, separator = match.start(), match["sep"]
        before = _SCATTERED.split(self._line[max(self._end, start - LOOK_BACK) : start])[-1]
        if separator.isspace() and not _ENDS_A_NAME.search(before[-7:]):
            return None
        number = _number_in(match, before)
        if number is None or (not number.is_exact and self._is_more(match.end())):
            return None
        reading = read_phrase(before, separator, number.mark, number.is_exact)
        if reading is None or self._is_no_metric(reading, match):
            return None
        name = as_written(self._text(reading, start))
        self._line_split = reading.line_split or self._line_split
        self._end = match.end()
        span, is_span = match.span(number.group), number.group == "span"
        divisor = reading.divisor
        return Field(
            name, number.value / divisor, reading.unit, self._split(name, reading), start, span, divisor, is_span
        )

    def _is_more(self, end: int) -> bool:
        """Whether a whole number goes on: "3/10", "1 234.56"."""
        return self._line.startswith("/", end) or _PARTED.match(self._line, end) is not None

    def _is_no_metric(self, reading: Reading, match: re.Match[str]) -> bool:
        if reading.is_doubtful and self._settings.reach(match.start()):
            return True
        if _OPENED.search(reading.text) and not is_metric(reading.text):
            return True
        # What a bar is called: "R: 2.1: 100%|".
        return is_letter(reading.text) and self._line.startswith(":", match.end())

    def _text(self, reading: Reading, start: int) -> str:
        """The metric's name, of a value that only a mean or split is told of from the words before."""
        text = reading.text
        if not reading.needs_subject:
            return text
        before = self._line[max(0, start - LOOK_BACK) : start]
        subject = metric_before(before, is_split=not text) or self._heading
        return (f"{subject} {text}" if is_aggregate(text) else subject).strip() or "score"

    def _split(self, name: str, reading: Reading) -> Split | None:
        split = reading.split
        if split is None and (name, self._line_split) not in self._told and BESIDE_ALL.isdisjoint(words(name)):
            split = self._line_split
        self._told.add((name, split))
        if split is None and self._line.startswith(_ON, self._end):
            return _split_after(self._line[self._end : self._end + LOOK_BACK])
        return split

    def _behind(self, field: Field) -> Iterator[Field]:
        """What a value became, its scatter, and its mean so far."""
        for pattern, ending in self._behind_values:
            match = pattern.match(self._line, self._end)
            if match is not None:
                value = number_of(match[1]) / field.divisor
                yield field._replace(name=field.name + ending, value=value, number=match.span(1), is_span=False)
                if pattern is not _AVERAGE:
                    self._end = match.end()


class _Number(NamedTuple):
    """The number of a match.

    Attributes:
        group: Where it stands in the match.
        mark: The unit behind it.
        is_exact: It is written as a measurement.
    """

    group: str
    value: float
    mark: str | None
    is_exact: bool


def _number_in(match: re.Match[str], before: str) -> _Number | None:
    """The number of a match; ``None`` where it is a time of something that lasts none."""
    span = match["span"]
    if span is not None:
        is_named = names_span(f"{before} {match['sep']}", span)
        return _Number("span", seconds_of(span), "s", is_exact=True) if is_named else None
    group, mark = ("value", match["unit"]) if match["share"] is None else ("share", "%")
    value = number_of(match[group])
    is_exact = "." in match[group] or "e" in match[group].lower() or not math.isfinite(value)
    return _Number(group, value, mark, is_exact)


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


def _split_after(text: str) -> Split | None:
    """The split of "… on the test set" after a value."""
    match = _ON_SPLIT.match(text)
    return split_in(match.group()) if match else None
