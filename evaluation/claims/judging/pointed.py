"""Printed numbers that a claim points at: what they are is what the claim calls them, and whether it may be amiss.

A reader that names a cell of a table may be a column or a row off. Where a stated number stands beside the cell that is
named, and nothing that is printed there tells the two apart, the claim is not refuted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from environment.metrics.meaning import canonical
from evaluation.claims.judging.finding import Finding, contradicted, uncheckable
from evaluation.claims.types.base import Measured
from evaluation.language.quantity import Quantity
from evaluation.language.splits import Split, splits_in
from evaluation.record.cells import place_of
from evaluation.record.known import Known
from evaluation.record.measured_runs import words_of
from evaluation.record.measurements import UNNAMED, Measurement

_SEVERAL = 2
"""Cells of either side from which each has its own on the other."""


def named_as(claim: Measured, row: Measurement) -> Measurement:
    """A row as the claim speaks of it: a cell is of the metric and split that the claim or its column names."""
    if not row.is_cell:
        return row
    column = row.name if row.name != UNNAMED else ""
    return replace(row, metric=canonical(claim.metric or column) or UNNAMED, split=claim.split)


def pairs_of_cells(left: Sequence[Measurement], right: Sequence[Measurement]) -> list[tuple[Measurement, Measurement]]:
    """The cells of two sides, each with the one in its line or its column, as of several seeds; none of other rows."""
    if min(len(left), len(right)) < _SEVERAL or not all(row.is_cell for row in (*left, *right)):
        return []
    for of in (lambda row: (row.event.id, row.line), lambda row: (row.event.id, row.name, place_of(row))):
        places = {of(row): row for row in right}
        if len({of(row) for row in left} & set(places)) == len(left) == len(right) == len(places):
            return [(row, places[of(row)]) for row in left]
    return list(zip(left, right, strict=True)) if len(left) == len(right) else []


def refuted(known: Known, claim: Measured, stated: Quantity, rows: Sequence[Measurement]) -> Finding:
    """The verdict on a number that none of the rows bears which a claim names."""
    others = ", ".join(dict.fromkeys(f"{row.value:g}" for row in rows[-3:]))
    note = f"{stated.value:g} was stated, {others} is on record"
    for cell in (row for row in rows if row.is_cell):
        slip = _slip(known, claim, stated, cell)
        if slip:
            return uncheckable(f"{note}, but {stated.value:g} {slip}")
    return contradicted(*rows[-1:], note=note)


def namesakes(known: Known, claim: Measured, rows: Iterable[Measurement]) -> list[Measurement]:
    """The numbers of other outputs' lines with the name and in the column of those cells that a claim names."""
    cells = (row for row in rows if row.is_cell)
    return [named_as(claim, each) for cell in cells for each in known.index.cells.namesakes(cell, known.step)]


def _slip(known: Known, claim: Measured, stated: Quantity, cell: Measurement) -> str:
    """Where the stated number stands so near a cell that another cell may have been meant; "" where it does not."""
    cells = known.index.cells
    line = cells.line_of(cell)
    beside = _bearing(stated, (each for n, each in enumerate(line.cells) if not line.is_total(n)))
    if any(not _tells_apart(claim, cell, other) for other in beside):
        return "stands in the same line"
    below = _bearing(stated, cells.column(cell))
    return "stands in a line of nearly that name" if any(_is_part(cell.label, other.label) for other in below) else ""


def _bearing(stated: Quantity, cells: Iterable[Measurement]) -> list[Measurement]:
    return [cell for cell in cells if stated.states(cell.value, recorded_percent=cell.percent)]


def _tells_apart(claim: Measured, named: Measurement, other: Measurement) -> bool:
    """Whether what stands over or in front of two numbers of a line says that the claim speaks of the first."""
    return _fit(claim, named) > _fit(claim, other)


def _fit(claim: Measured, cell: Measurement) -> int:
    """How much of what the claim speaks of is in a cell's name."""
    name = cell.name if cell.name != UNNAMED else ""
    is_metric = bool(claim.metric) and bool(name) and canonical(name) == canonical(claim.metric)
    is_split = claim.split is not None and claim.split in _splits(name)
    return len({*words_of(claim.metric)} & {*words_of(name)}) + is_metric + is_split


def _splits(name: str) -> set[Split]:
    return {found[0] for found in splits_in(name)}


def _is_part(one: str, other: str) -> bool:
    """Whether all words of one name are in the other."""
    a, b = set(words_of(one)), set(words_of(other))
    return a <= b or b <= a
