"""Finds the named values of one line of output: ``loss: 0.3``, ``acc=81 %``, ``accuracy on test set is 0.83``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from environment.metrics.listed import with_listed
from environment.metrics.mappings import mapping_fields, messages_of, read_mapping
from environment.metrics.named_numbers import BESIDE_ALL, LOOK_BACK, NUMBER, NamedNumbers
from environment.metrics.names import (
    Name,
    is_counter,
    is_metric,
    is_setting,
    is_split,
    read_name,
    split_in,
    words,
)
from environment.metrics.phrases import name_before
from environment.metrics.plain import plain
from environment.metrics.reversed import inverted_fields, leading_fields, rate_fields, share_fields
from environment.metrics.timed import row_time
from environment.metrics.value import Field

_LIST = re.compile(r"[:=]\s{0,8}(?:(?:array|tensor)\()?[\[(]{1,2}([-+.e\d\s,]{3,4000})[\])]", re.IGNORECASE)
_BARE_LIST = re.compile(
    r"[:=]\s{0,8}([-+]?\d*\.\d+(?:e[-+]?\d+)?(?:\s?,\s{0,3}[-+]?\d*\.\d+(?:e[-+]?\d+)?){2,500})\s*\.?$"
)
_PAIRS = re.compile(rf"[:=]\s{{0,8}}\[(\(\d+, {NUMBER}\)(?:, \(\d+, {NUMBER}\)){{0,500}})\]", re.IGNORECASE)
"""Rounds with their values: ``'accuracy': [(1, 0.71), (2, 0.78)]``."""
_OBJECTIVES = re.compile(r"\bfinished with values: \[([-+.e\d\s,]{3,400})\]")
"""A trial of Optuna's with several objectives."""
_LISTED = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?", re.IGNORECASE)
"""A number of a list, where commas stand between numbers."""
_LONGEST_NAME = 20


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
        found = inverted or _with_twins(_with_lists(NamedNumbers(bare, heading), bare) + list(share_fields(bare)))
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
    twins = {name for name in held_out if BESIDE_ALL.isdisjoint(words(name))}
    return [field._replace(split="train") if field.split is None and field.name in twins else field for field in fields]


def _with_rates(fields: list[Field], rates: list[Field]) -> list[Field]:
    """The fields, with the values that their unit names; a time that has a name keeps it: "speed: 0.21s/batch"."""
    named = {field.number for field in fields if field.unit == "seconds"}
    rates = [rate for rate in rates if rate.number not in named]
    spans = {rate.number for rate in rates}
    others = [field for field in fields if field.number not in spans]
    return sorted([*others, *rates], key=lambda field: field.start) if rates else fields


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
        before = line[max(0, start - LOOK_BACK) : start]
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
