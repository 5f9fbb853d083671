"""A metric with its measured value, and whether the record bears it."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from evaluation.claims.claim import Kind, Verdict
from evaluation.claims.judging.finding import Finding, contradicted, supported, uncheckable
from evaluation.claims.judging.operands import absent, bearers, can_be, may_be, missing, rows_of, states, summary_of
from evaluation.claims.types.base import Ids, Measured, Stated
from evaluation.language.quantity import Quantity
from evaluation.record.events import Event
from evaluation.record.known import Known
from evaluation.record.measurements import Measurement


class Value(Measured):
    """A metric has a value: "test accuracy is 81.2 %", "it took 5.6 s"."""

    kind: ClassVar[Kind] = Kind.RESULT
    type: Literal["value"] = "value"
    stated: Stated
    rows: Ids = Field(default=(), description="the measurements whose value the text states, right or wrong")

    @property
    def quantity(self) -> Quantity:
        """The stated value."""
        return self.stated

    def judge(self, known: Known) -> Finding:
        """Supported by a row that bears the number; contradicted by rows of the same quantity that bear another."""
        rows = rows_of(known, self, self.rows)
        if not rows and any(id_ not in known.rows or isinstance(known.rows[id_], Event) for id_ in self.rows):
            found = missing(known, self.stated, self.metric)
            is_printed = found.verdict is Verdict.UNCHECKABLE
            return found if is_printed else absent(known, f"{', '.join(self.rows)} showed no such value")
        if self.split is not None:
            rows = [row for row in rows if may_be(row.split, self.split)]
        bearing = [row for row in rows if states(self.stated, row)]
        if self.stated.bound and 0 < len(bearing) < len(rows):
            return uncheckable("it holds of some of the results alone")
        bearing = bearing or [row for row in _other_baselines(rows, self, known) if states(self.stated, row)]
        if bearing:
            return supported(bearing[-1])
        if summary_of(self.stated, rows):
            return supported(*rows)
        if rows:
            others = ", ".join(dict.fromkeys(f"{row.value:g}" for row in rows[-3:]))
            note = f"{self.stated.value:g} was stated, {others} is on record{_elsewhere(self, known)}"
            return contradicted(*rows[-1:], note=note)
        elsewhere = bearers(known, self, self.stated)
        return supported(elsewhere[0]) if elsewhere else missing(known, self.stated, self.metric)


def _other_baselines(rows: list[Measurement], claim: Value, known: Known) -> list[Measurement]:
    """Where a baseline is meant, the results of other events that may be called so, too."""
    first = {row.id for row in known.baseline if row.is_baseline or row.event is known.baseline[0].event}
    if claim.stated.bound or not rows or not all(row.id in first for row in rows):
        return []
    seen = {row.event.id for row in rows}
    others = [row for row in known.baseline if row.event.id not in seen or row.is_official]
    others = [row for row in others if row.is_baseline or not row.event.varies(rows[-1].event)]
    others = [row for row in others if may_be(row.split, claim.split)]
    return [row for row in others if can_be(claim.metric, row, known)]


def _elsewhere(claim: Value, known: Known) -> str:
    """What the stated number is on record as, where it is there under the same metric."""
    if not claim.metric and not claim.stated.is_telling:
        return ""
    found = [row for row in known.stating(claim.stated) if can_be(claim.metric, row, known)]
    name = " ".join(part for part in (found[-1].label, found[-1].split, found[-1].metric) if part) if found else ""
    return f"; {claim.stated.value:g} is the {name} of {found[-1].id}" if found else ""
