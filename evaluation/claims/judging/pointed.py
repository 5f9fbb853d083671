"""Printed numbers that a claim points at: what they are is what the claim calls them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from environment.metrics.meaning import canonical, is_known
from evaluation.claims.types.base import Measured
from evaluation.record.durations import unit_in
from evaluation.record.line import place_of
from evaluation.record.measurements import UNNAMED, Measurement

_SEVERAL = 2
"""Cells of either side from which each has its own on the other."""


def named_as(claim: Measured, row: Measurement) -> Measurement:
    """A row as the claim speaks of it: a cell is of the metric and split that the claim or its column names.

    What was printed under no metric's name is of the well-known one that the claim names.
    """
    if not row.is_cell:
        is_named = not row.ranked_by and is_known(claim.metric)
        return replace(row, metric=canonical(claim.metric)) if is_named else row
    column = row.name if row.name != UNNAMED else ""
    return replace(row, metric=canonical(claim.metric or column) or UNNAMED, split=claim.split)


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
