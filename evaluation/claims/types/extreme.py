"""The best or worst of several results, and whether it is."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from evaluation.claims.claim import Kind
from evaluation.claims.judging.finding import Finding, contradicted, supported, uncheckable
from evaluation.claims.judging.noise import is_within_noise
from evaluation.claims.judging.operands import absent, named_as, rows_of, side_of
from evaluation.claims.judging.pairs import may_be_of_one, scaled
from evaluation.claims.judging.relations import upward
from evaluation.claims.types.base import Ids, Measured, Operand
from evaluation.language.quantity import Quantity
from evaluation.record.known import Known
from evaluation.record.measurements import Measurement


class Extreme(Measured):
    """A result is the best, worst, highest or lowest: "our best score so far", "fold 3 was the worst"."""

    kind: ClassVar[Kind] = Kind.COMPARISON
    type: Literal["extreme"] = "extreme"
    extreme: Literal["best", "worst", "highest", "lowest"]
    of: Operand = Field(description="the result that is called so")
    among: Ids = Field(default=(), description="the results it is held against; none for all measured so far")

    @property
    def quantity(self) -> Quantity | None:
        """The stated value."""
        return self.of.stated

    def judge(self, known: Known) -> Finding:
        """Held against the rows named, else against the final values of every other run."""
        side = side_of(known, self, self.of)
        if isinstance(side, Finding):
            return side
        if not side.rows:
            return absent(known, "nothing on record is called so")
        own = side.rows[-1]
        relation = {"best": "better", "worst": "worse", "highest": "higher", "lowest": "lower"}[self.extreme]
        plain = upward(known, relation, own.ranked_by)
        if plain is None:
            return uncheckable("nothing says which way the metric is better")
        named = rows_of(known, self, self.among)
        others = [row for row in named if _is_comparable(row, own)] or _rivals(own, self, known)
        sign = 1 if plain == "higher" else -1
        beyond = [row for row in others if sign * (scaled(row, own) - own.value) > 0]
        if beyond and own.is_cell and not named:
            return uncheckable(f"{beyond[-1].value:g} is beyond {own.value:g}, but may not be meant")
        if beyond:
            best = max(beyond, key=lambda row: sign * row.value)
            return contradicted(best, own, note=f"{best.value:g} is beyond {own.value:g}")
        rivals = [row for row in others if row.id != own.id]
        if not rivals:
            return supported(own)
        near = min(rivals, key=lambda row: abs(row.value - own.value))
        noisy = near.value != own.value and is_within_noise(known, own, near)
        return supported(own, near, note="within noise" if noisy else "", within_noise=noisy)


def _rivals(own: Measurement, claim: Extreme, known: Known) -> list[Measurement]:
    """What a result is held against where that is not said: its column, or the final values printed under its name.

    A mean over parts is no better than a part. Where nothing else has the name, whatever is of the metric is held
    against it.
    """
    if own.is_cell:
        return [named_as(claim, cell) for cell in known.index.cells.of(own.event).column(own)]
    found = [row for row in known.finals if _is_comparable(row, own) and known.comparable(row, own)]
    called = own.name.casefold()
    return [row for row in found if row.name.casefold() == called and row.id != own.id] or found


def _is_comparable(row: Measurement, own: Measurement) -> bool:
    is_one = may_be_of_one(row, own) if row.is_cell or own.is_cell else row.key == own.key
    return is_one and not row.is_baseline
