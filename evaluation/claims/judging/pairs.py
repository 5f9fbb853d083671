"""Which values of two sides are held against each other, and on which scale."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from environment.metrics.meaning import SHARES, canonical
from evaluation.claims.judging.operands import Side, on_scale_of
from evaluation.record.durations import unit_in
from evaluation.record.line import place_of
from evaluation.record.measurements import UNNAMED, Measurement

_NO_RESULT = {"loss", "step time", "time", "memory"}
"""What a value without a name is not."""
_WHOLE = 100.0
_MOST_ROWS = 300
"""Rows of a side that are paired with those of the other."""
_SEVERAL = 2
"""Cells of either side from which each has its own on the other."""
Rows: TypeAlias = tuple[Measurement, ...]


def compared(left: Side, right: Side) -> Iterator[tuple[Rows, float, float]]:
    """Each two values of one quantity on either side, a goal among them, on one scale; with the rows they are of."""
    if right.goal is not None:
        yield from (((row,), row.value, on_scale_of(row, right.goal)) for row in left.rows)
    elif left.goal is not None:
        yield from (((row,), on_scale_of(row, left.goal), row.value) for row in right.rows)
    else:
        yield from (((a, b), scaled(a, b), b.value) for a, b in _pairs(left.rows, right.rows))


def _pairs(left: Sequence[Measurement], right: Sequence[Measurement]) -> Iterator[tuple[Measurement, Measurement]]:
    """The pairs of rows that measure one quantity, on one split and of several things the same, where both have it.

    Of a side of very many, such as all steps of a training, the latest are held against the other.
    """
    left, right = left[-_MOST_ROWS:], right[-_MOST_ROWS:]
    if matched := pairs_of_cells(left, right) or _steps(left, right):
        yield from matched
        return
    every = [(a, b) for a in left for b in right if a.id != b.id and _is_one_metric(a, b)]
    every = [(a, b) for a, b in every if a.split == b.split] or every
    alike = [(a, b) for a, b in every if a.words == b.words]
    is_of_lines = len({(row.event.id, row.line) for row in (*left, *right)}) == 2
    if not alike and is_of_lines and len(left) > 1 and len(right) > 1:
        alike = [(a, b) for a, b in every if _place(a) == _place(b)]
    yield from alike or every


def _place(row: Measurement) -> str:
    """The how manieth value of its line a row is, by its letter."""
    return row.id.partition(":")[2].lstrip("0123456789")


def _steps(left: Sequence[Measurement], right: Sequence[Measurement]) -> list[tuple[Measurement, Measurement]]:
    """Each with the one before it, where one row after another is held against the last: "each run was better"."""
    is_chain = len(left) == len(right) > 1 and not {row.id for row in left}.isdisjoint(row.id for row in right)
    return [(a, b) for a, b in zip(left, right, strict=True) if a.id != b.id] if is_chain else []


def _is_one_metric(a: Measurement, b: Measurement) -> bool:
    """Whether two rows are of one metric; a run that prints no name for it may have measured that of another run.

    Of a cell that is pointed at the claim says what it is of, as far as its column does not.
    """
    if a.is_cell or b.is_cell:
        return may_be_of_one(a, b)
    may_be_one = a.event is not b.event and UNNAMED in (a.metric, b.metric) and not (a.is_of_facet or b.is_of_facet)
    return a.metric == b.metric or (may_be_one and not {a.metric, b.metric} & _NO_RESULT)


def scaled(row: Measurement, other: Measurement) -> float:
    """A row's value on the scale of another's."""
    if row.percent == other.percent:
        is_share = canonical(row.metric) in SHARES
        if is_share and abs(row.value) <= 1 < abs(other.value):
            return row.value * _WHOLE
        return row.value / _WHOLE if is_share and abs(other.value) <= 1 < abs(row.value) else row.value
    return row.value / _WHOLE if row.percent and abs(other.value) <= 1 else row.value * (1 if row.percent else _WHOLE)


def may_be_of_one(a: Measurement, b: Measurement) -> bool:
    """Whether two rows, one of them a cell, may be of one quantity: not where one is in seconds, the other in ms."""
    units = {1.0 if row.in_seconds and not row.is_cell else unit_in(row.name) for row in (a, b)} - {None}
    return len(units) <= 1


def pairs_of_cells(left: Sequence[Measurement], right: Sequence[Measurement]) -> list[tuple[Measurement, Measurement]]:
    """The cells of two sides, each with the one in its line or its column, as of several seeds; none of other rows."""
    if min(len(left), len(right)) < _SEVERAL or not all(row.is_cell for row in (*left, *right)):
        return []
    for of in (lambda row: (row.event.id, row.line), lambda row: (row.event.id, row.name, place_of(row))):
        places = {of(row): row for row in right}
        if len({of(row) for row in left} & set(places)) == len(left) == len(right) == len(places):
            return [(row, places[of(row)]) for row in left if may_be_of_one(row, places[of(row)])]
    pairs = zip(left, right, strict=True) if len(left) == len(right) else ()
    return [pair for pair in pairs if may_be_of_one(*pair)]
