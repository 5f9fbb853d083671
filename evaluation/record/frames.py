"""Tables of means and spreads whose metric is named nowhere, a row a model, as pandas prints them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from environment.metrics.names import is_aggregate, is_metric


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
        read = [_number(value) for value in values]
        if not label or None in read or label[0].isdigit() or is_metric(" ".join(label)):
            columns = []
            continue
        cells = zip(columns, read, strict=True)
        yield from (Aggregate(number, " ".join(label), column, value or 0.0, line.strip()) for column, value in cells)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
