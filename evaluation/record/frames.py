"""Tables of means and spreads whose metric is named nowhere, a row a model, as pandas prints them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import isfinite
from typing import NamedTuple

from environment.metrics.names import is_aggregate, is_metric

_NUMBER = re.compile(r"[-+]?(?:\d+(?:\.\d*)?(?:e[-+]?\d+)?|nan|inf)", re.IGNORECASE)


class Aggregate(NamedTuple):
    """A cell: its 1-based line, what its row is called, its column ("mean"), the value, the line's text."""

    line: int
    label: str
    column: str
    value: float
    text: str


def aggregates(lines: Sequence[str]) -> Iterator[Aggregate]:
    """The cells of rows that have a name, under a head of nothing but aggregates."""
    columns: list[str] = []
    for number, line in enumerate(lines, 1):
        words = line.split()
        if len(words) > 1 and all(is_aggregate(word) for word in words):
            columns = words
            continue
        label, values = words[: -len(columns)], words[-len(columns) :] if columns else []
        read = [float(value) for value in values if _NUMBER.fullmatch(value)]
        if not label or len(read) < len(values) or label[0].isdigit() or is_metric(" ".join(label)):
            columns = []
            continue
        for column, value in zip(columns, read, strict=True):
            if isfinite(value):  # of a single value pandas prints no spread
                yield Aggregate(number, " ".join(label), column, value, line.strip())
