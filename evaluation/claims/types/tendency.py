"""How a series of values goes, and whether it does."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import ClassVar, Literal

from pydantic import Field

from evaluation.claims.claim import Kind, Verdict
from evaluation.claims.judging.finding import Finding, contradicted, supported, uncheckable
from evaluation.claims.judging.operands import absent, rows_of
from evaluation.claims.judging.relations import upward
from evaluation.claims.types.base import Ids, Measured
from evaluation.record.known import Known
from evaluation.record.measurements import UNNAMED, Measurement

_EXCEPTIONS = 0.1
"""Share of the steps of a steady series that may go the other way."""
_MANY, _BACK = 20, 0.5
"""Values of a series that is noisy from step to step, and the share of its change that may be noise."""
_ENDS = 2
"""Cells that are the ends of a series; more are the series."""
_COUNT = "0123456789. "
"""What two columns of one series may differ in."""
_FLAT = 0.02
"""Relative change up to which a series stays where it is."""


class Tendency(Measured):
    """A series goes up, down or nowhere over the epochs or steps of one run: "the loss kept falling"."""

    kind: ClassVar[Kind] = Kind.COMPARISON
    type: Literal["tendency"] = "tendency"
    tendency: Literal["rises", "falls", "improves", "worsens", "stays"]
    rows: Ids = Field(default=(), description="the first and the last measurement of the series")
    is_steady: bool = Field(default=False, description="said of every step of the series, not of its ends")

    def judge(self, known: Known) -> Finding:
        """Held against the series that the rows named belong to, from the first to the last of them."""
        rows = rows_of(known, self, self.rows)
        if not rows:
            return absent(known, "no such series is on record")
        if len(rows) > 1 and _are_of_columns(rows):
            finding = self._judge(rows, known)
            is_refuted = finding.verdict is Verdict.CONTRADICTED
            return uncheckable("nothing says which of the columns came first") if is_refuted else finding
        series = _series(rows, known)
        return self._judge(series, known) if len(series) > 1 else uncheckable("a single value is on record")

    def _judge(self, series: list[Measurement], known: Known) -> Finding:
        first, last = series[0], series[-1]
        change = last.value - first.value
        if self.tendency == "stays":
            is_flat = abs(change) <= _FLAT * max(abs(first.value), abs(last.value))
            return supported(first, last) if is_flat else contradicted(first, last, note=_ends(first, last))
        relation = {"rises": "higher", "falls": "lower", "improves": "better", "worsens": "worse"}[self.tendency]
        plain = upward(known, relation, first.ranked_by)
        if plain is None:
            return uncheckable("nothing says which way the metric is better")
        sign = 1 if plain == "higher" else -1
        if sign * change <= 0:
            return contradicted(first, last, note=_ends(first, last))
        against = [(b, -sign * (b.value - a.value)) for a, b in pairwise(series) if sign * (b.value - a.value) < 0]
        is_noise = len(series) > _MANY and sum(size for _, size in against) <= _BACK * abs(change)
        if self.is_steady and len(against) > _EXCEPTIONS * (len(series) - 1) and not is_noise:
            return contradicted(against[0][0], note=f"{len(against)} of {len(series) - 1} steps go the other way")
        return supported(first, last)


def _are_of_columns(rows: list[Measurement]) -> bool:
    """Whether they stand in columns of different names, not only of different numbers as "epoch 5" and "epoch 10"."""
    names = {row.name.strip(_COUNT) for row in rows} - {UNNAMED}
    return all(row.is_cell for row in rows) and len(names) > 1


def _series(rows: list[Measurement], known: Known) -> list[Measurement]:
    """All values between the first and the last row named, where they are of one run."""
    first, last = rows[0], rows[-1]
    if first.event.id != last.event.id:
        return rows
    if first.is_cell and last.is_cell:
        between = known.index.cells.of(first.event).between(first, last)
        return [replace(cell, metric=first.metric) for cell in between] if len(rows) <= _ENDS else rows
    own = [row for row in known.index.of_event(first.event) if row.key == first.key]
    own = [row for row in own if row.label == first.label and not row.derived_from]
    ids = [row.id for row in own]
    if first.id not in ids or last.id not in ids:
        return rows
    start, end = sorted((ids.index(first.id), ids.index(last.id)))
    return own[start : end + 1] if start != end else own


def _ends(first: Measurement, last: Measurement) -> str:
    return f"from {first.value:g} to {last.value:g}"
