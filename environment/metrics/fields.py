"""Finds the named values of one line of output: ``loss: 0.3``, ``acc=81 %``, ``accuracy on test set is 0.83``."""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator

from environment.metrics.listed import with_listed
from environment.metrics.mappings import mapping_fields, messages_of, read_mapping
from environment.metrics.names import (
    Name,
    Split,
    is_aggregate,
    is_counter,
    is_letter,
    is_metric,
    is_setting,
    is_split,
    read_name,
    split_in,
    words,
)
from environment.metrics.phrases import metric_before, name_before, read_phrase
from environment.metrics.plain import as_written, plain
from environment.metrics.reversed import inverted_fields, leading_fields, rate_fields, share_fields
from environment.metrics.spans import SPAN, names_span, seconds_of
from environment.metrics.timed import row_time
from environment.metrics.value import FILE_ENDINGS, SETTINGS_HEADING_WORDS, Field, number_of

_DECIMAL_COMMA = r"0,\d\d+(?![\d,]|\.\d)"
_NUMBER = (
    rf"[-+]?(?:(?:{_DECIMAL_COMMA}|\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?"
    r"|nan\b|inf(?:inity)?\b)"
)
# One of the characters before a value first: only there is the rest of the expression tried.
_FIELD = re.compile(
    rf"""(?P<sep>(?-i:[:=\ \tiIİıoOwWtTrR])(?:(?<=[:=])(?<![<>!]=)[:=]?>?|(?<=[ \t])
      |(?<=\b\w)(?:(?<=i)s|(?<=o)f|(?<=w)as|(?<=t)o(?:ok)?|(?<=r)each(?:ed|es))\b))[ \t]{{0,60}}["'$]?
    (?:\d+/\d+[ ]?\([ ]?(?P<share>{_NUMBER})[ ]?%[ ]?\)
      |(?P<span>{SPAN})
      |(?P<value>{_NUMBER})(?P<unit>[ ]?%|[ ]percent\b|[ ]?(?:s|secs?|seconds?|ms|milliseconds?)\b)?(?:x|dB\b|mm\b)?
       (?![\w%]|(?<=%)(?:\||\s?[━─╸])|[.:\-]\d|/(?!1(?:\.0*)?(?![\d.]))\d|,\d\d?(?![\d,]*[\d.])|,\d+\.\d
         |-[A-Za-z]|\.(?:{FILE_ENDINGS})\b|[ ]?[×x*][ ]?10\b|[ ]?(?:[KMGT]i?B|bytes|it/s|s/it)\b))""",
    re.VERBOSE | re.IGNORECASE,
)
_SETTINGS_HEADING = re.compile(SETTINGS_HEADING_WORDS, re.IGNORECASE)
_SETTINGS_WORD = re.compile(r"params|parameters|config|arguments|settings", re.IGNORECASE)
_ON_SPLIT = re.compile(r"[ ](?:on|for|in)[ ](?:the[ ])?\w+(?:[ ]\w+)?|[ ]?\(\w+\)")
_LIST = re.compile(r"[:=]\s{0,8}(?:(?:array|tensor)\()?[\[(]{1,2}([-+.e\d\s,]{3,4000})[\])]", re.IGNORECASE)
_BARE_LIST = re.compile(
    r"[:=]\s{0,8}([-+]?\d*\.\d+(?:e[-+]?\d+)?(?:\s?,\s{0,3}[-+]?\d*\.\d+(?:e[-+]?\d+)?){2,500})\s*\.?$"
)
_PAIRS = re.compile(rf"[:=]\s{{0,8}}\[(\(\d+, {_NUMBER}\)(?:, \(\d+, {_NUMBER}\)){{0,500}})\]", re.IGNORECASE)
"""Rounds with their values: ``'accuracy': [(1, 0.71), (2, 0.78)]``."""
_OBJECTIVES = re.compile(r"\bfinished with values: \[([-+.e\d\s,]{3,400})\]")
"""A trial of Optuna's with several objectives."""
_LISTED = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?", re.IGNORECASE)
"""A number of a list, where commas stand between numbers."""
_PROGRESS = re.compile(r"\[\s*\d+(?:/\d+|\]\[)")
"""How far an epoch is, which meters print before their values."""
_AVERAGE = re.compile(rf"\s?s?\s*\(\s*(?P<average>{_NUMBER})\s*s?\s*\)", re.IGNORECASE)
"""The mean over the epoch so far, behind the value of a batch: ``Acc@1: 76.1 (75.9)``."""
_THEN = re.compile(rf"%?[ ]?(?:[-=]+>|→)[ ]?(?P<then>{_NUMBER})(?![\w%]*[^\W\d%])", re.IGNORECASE)
"""What a value became: ``val_acc 0.81 -> 0.85``."""
_SPREAD = re.compile(r"[ ]?%?[ ]?\(?(?:±|\+/-|\+-)[ ]?(?P<spread>\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?)", re.IGNORECASE)
"""The scatter behind a mean: ``rmse 53.84 ± 3.53``."""
_OPENED = re.compile(r"\([^)]*$")
"""A remark in brackets that a value stands in: ``predicted 3 (p=0.55)``."""
_ON = (" on ", " for ", " in ", "(", " (")
_ENDS_A_NAME = re.compile(r"[^\W\d].?$|\)$|@[a-zA-Z]?[\d.]{1,5}$")
_BESIDE_ALL = frozenset(["time", "elapsed", "duration", "throughput"])
"""What a line ends with for all its splits: no split holds on to it."""
_LOOK_BACK = 100
_LONGEST_NAME = 20
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
        bare = plain(line)
        inverted = list(inverted_fields(bare))
        found = inverted or _with_twins(_with_lists(_text_fields(bare, heading), bare) + list(share_fields(bare)))
        found = _with_rates(found, list(rate_fields(bare)))
        yield from with_listed([*found, *row_time(found, bare)], bare) or leading_fields(bare)
    elif any(is_metric(key) or is_counter(key) or is_split(key) for key, _ in mapping):
        yield from _with_twins(list(mapping_fields(mapping)))
    else:
        for message in messages_of(mapping):
            yield from (field._replace(start=0, number=None) for field in line_fields(message, heading))


def _with_twins(fields: list[Field]) -> list[Field]:
    """Beside ``val_loss`` a bare ``loss`` is the training loss (Keras), unless that has its own name."""
    named = {field.name for field in fields if field.split == "train"}
    held_out = {field.name for field in fields if field.split == "validation"} - named
    twins = {name for name in held_out if _BESIDE_ALL.isdisjoint(words(name))}
    return [field._replace(split="train") if field.split is None and field.name in twins else field for field in fields]


def _with_rates(fields: list[Field], rates: list[Field]) -> list[Field]:
    """The fields, with the values that their unit names; a time that has a name keeps it: "speed: 0.21s/batch"."""
    named = {field.number for field in fields if field.unit == "seconds"}
    rates = [rate for rate in rates if rate.number not in named]
    spans = {rate.number for rate in rates}
    others = [field for field in fields if field.number not in spans]
    return sorted([*others, *rates], key=lambda field: field.start) if rates else fields


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
    told: set[tuple[str, Split | None]] = set()
    settings = _Settings(line)
    has_meters = _PROGRESS.search(line) is not None
    for match in _FIELD.finditer(line):
        separator, share, span, number, mark = match.groups()
        start = match.start()
        before = line[max(end, start - _LOOK_BACK) : start]
        if separator.isspace() and not _ENDS_A_NAME.search(before[-7:]):
            continue
        if share is not None:
            number, mark, group = share, "%", "share"
        else:
            group = "value" if span is None else "span"
        if span is not None:
            if not names_span(f"{before} {separator}", span):
                continue
            value, mark, is_exact = seconds_of(span), "s", True
        else:
            value = number_of(number)
            is_exact = "." in number or "e" in number or "E" in number or not math.isfinite(value)
        if not is_exact and line.startswith("/", match.end()):
            continue
        reading = read_phrase(before, separator, mark, is_exact)
        if reading is None:
            continue
        text, split, unit, divisor, is_doubtful, needs_subject, named_split = reading
        if is_doubtful and settings.reach(start):
            continue
        if _OPENED.search(text) and not is_metric(text):
            continue
        if is_letter(text) and line.startswith(":", match.end()):  # what a bar is called: "R: 2.1: 100%|"
            continue
        if needs_subject:
            subject = metric_before(line[max(0, start - _LOOK_BACK) : start], is_split=not text) or heading
            text = (f"{subject} {text}" if is_aggregate(text) else subject).strip() or "score"
        line_split = named_split or line_split
        end = match.end()
        name = as_written(text)
        if split is None and (name, line_split) not in told and _BESIDE_ALL.isdisjoint(words(name)):
            split = line_split
        told.add((name, split))
        if split is None and line.startswith(_ON, end):
            split = _split_after(line[end : end + _LOOK_BACK])
        yield Field(name, value / divisor, unit, split, start, match.span(group), divisor, span is not None)
        then = _THEN.match(line, end)
        if then is not None:
            end = then.end()
            value = number_of(then["then"])
            yield Field(name, value / divisor, unit, split, start, then.span("then"), divisor)
        spread = _SPREAD.match(line, end)
        if spread is not None:
            end = spread.end()
            value = number_of(spread["spread"])
            yield Field(f"{name} std", value / divisor, unit, split, start, spread.span("spread"), divisor)
        average = _AVERAGE.match(line, end) if has_meters else None
        if average is not None:
            mean = number_of(average["average"]) / divisor
            yield Field(f"{name} average", mean, unit, split, start, average.span("average"), divisor)


def _with_lists(fields: Iterable[Field], line: str) -> list[Field]:
    """The fields of a line, where a list of values is not only its first."""
    listed = list(_list_fields(line))
    begun = {field.start for field in listed}
    return [*(field for field in fields if field.start not in begun), *listed]


def _list_fields(line: str) -> Iterator[Field]:
    """``CV scores: [0.81 0.79 0.83]``, also without brackets: one value a fold; of several objectives one each."""
    several = _OBJECTIVES.search(line)
    if several is not None:
        for n, number in enumerate(_LISTED.finditer(line, *several.span(1))):
            yield Field(f"values[{n}]", float(number.group()), "none", None, several.start(), number.span())
        return
    if "[" not in line and "(" not in line and line.count(",") < 2:
        return
    paired = list(_PAIRS.finditer(line))
    for match in (*paired, *_LIST.finditer(line), *_BARE_LIST.finditer(line)):
        start = match.start()
        before = line[max(0, start - _LOOK_BACK) : start]
        numbers = list(_LISTED.finditer(line, *match.span(1)))
        if match.re is _PAIRS:
            numbers = numbers[1::2]
        elif any(start == pairs.start() for pairs in paired):
            continue
        names = _names_of(before, len(numbers))
        if names:
            for each, number in zip(names, numbers, strict=True):
                yield Field(each.text, float(number.group()), "none", each.split, start, number.span())
            continue
        phrase = name_before(before, ":")
        name = read_name(phrase)
        if name.known and not is_setting(phrase):
            split = name.split or split_in(before)
            for number in numbers:
                yield Field(name.text, float(number.group()), "none", split, start, number.span())


def _names_of(before: str, count: int) -> list[Name]:
    """The metrics that as many values are of: ``loss, acc = (0.3, 0.8)``; none where it is one that they all have."""
    words_before = [part.strip(" \t\"'([") for part in before.rstrip(" \t])").split(",")]
    names = [read_name(part) for part in words_before[-count:]]
    several = 1 < count == len(names) and all(name.known and len(name.text) < _LONGEST_NAME for name in names)
    return names if several else []


def _split_after(text: str) -> Split | None:
    """The split of "… on the test set" after a value."""
    match = _ON_SPLIT.match(text)
    return split_in(match.group()) if match else None
