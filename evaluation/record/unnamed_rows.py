"""Rows of output that give a value by its split alone: "RandomForest  train 0.943  val 0.790"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from environment.metrics.names import is_metric
from evaluation.language.splits import Split

_VALUE = re.compile(
    r"(?<![a-z])(?:(?P<train>train\w*)|(?P<validation>val\w*|dev)|(?P<test>test\w*)|(?P<cv>cv))(?:[ _](?:set"
    r"|score))?\s*[:=]?\s*"
    r"(?P<value>-?\d*\.\d+)(?P<percent>\s?%)?(?![\w.])",
    re.IGNORECASE,
)
_PRECISION_RECALL = re.compile(
    r"(?<![\w.])P(?:rec)?[ :=]+(?P<precision>\d*\.\d+)(?P<percent>\s?%)?[ ,;|/]+R(?:ec)?[ :=]+(?P<recall>\d*\.\d+)"
)
_RIGHT = re.compile(
    r"\b(?:accuracy|correct(?:ly)?|passed|solved|right|score)\b[^\d/]{0,30}(?P<a>\d+) ?(?:/|out of|of)"
    r" ?(?P<b>\d+)(?![\d.])"
    r"|(?<![\d.])(?P<c>\d+) ?(?:/|out of|of) ?(?P<d>\d+) (?:\w+ ){0,2}(?:correct|passed|solved|right)\b",
    re.IGNORECASE,
)
_OF_SPREAD = re.compile(r"±|\+/?-|std", re.IGNORECASE)
_SPREAD = re.compile(
    r"(?P<mean>-?\d+(?:\.\d+)?) ?%?\s*\(?(?:±|\+/-|\+-"
    r"|,? ?\(?std(?:[. ]dev)?(?: of)?[ :=]{0,3})\s*(?P<spread>\d+(?:\.\d+)?)",
    re.IGNORECASE,
)
_SPLITS: tuple[Split, ...] = ("train", "validation", "test", "cv")
_LONGEST_LINE = 200


class ShortValue(NamedTuple):
    """A precision or recall that is printed as "P" or "R": its 1-based line, the metric, the value, the line's text."""

    line: int
    metric: str
    value: float
    percent: bool
    text: str


def precision_and_recall(lines: Sequence[str]) -> Iterator[ShortValue]:
    """The values of "P 82.9 R 81.1 F1 82.0" that have but a letter for a name."""
    for number, line in enumerate(lines, 1):
        found = _PRECISION_RECALL.search(line) if len(line) <= _LONGEST_LINE and "P" in line else None
        for metric in ("precision", "recall") if found else ():
            value = float(found[metric]) if found else 0.0
            yield ShortValue(number, metric, value, bool(found and found["percent"]), line.strip())


def counted_right(lines: Sequence[str]) -> Iterator[ShortValue]:
    """The accuracies that follow from counts: "Accuracy: 9871/10000 (99%)", "12/20 passed"."""
    for number, line in enumerate(lines, 1):
        found = _RIGHT.search(line) if len(line) <= _LONGEST_LINE and ("/" in line or " of " in line) else None
        right, total = (float((found[a] or found[b]) if found else 0) for a, b in (("a", "c"), ("b", "d")))
        if total > 0 and right <= total:
            yield ShortValue(number, "accuracy", right / total, False, line.strip())


def spread_behind(text: str, value: float) -> float | None:
    """How far the values of a mean lie apart, where that stands right behind it: "15.61 +/- 1.2"."""
    if not _OF_SPREAD.search(text):
        return None
    for found in _SPREAD.finditer(text):
        if float(found["mean"]) == value:
            return float(found["spread"])
    return None


class RowValue(NamedTuple):
    """A value of a row: its 1-based line, what the row is called, the split, the value, the line's text."""

    line: int
    name: str
    split: Split
    value: float
    percent: bool
    text: str


def unnamed_rows(lines: Sequence[str]) -> Iterator[RowValue]:
    """The values of lines that name splits and no metric."""
    for number, line in enumerate(lines, 1):
        if len(line) > _LONGEST_LINE or "." not in line:
            continue
        found = list(_VALUE.finditer(line))
        if not found or is_metric(line):
            continue
        name = line[: found[0].start()].strip(" :|-=\t")
        for match in found:
            value = float(match["value"])
            split = next(split for split in _SPLITS if match[split])
            yield RowValue(number, name, split, value, bool(match["percent"]), line.strip())
