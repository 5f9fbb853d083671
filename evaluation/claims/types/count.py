"""How many of several results are so, and whether that many are."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from evaluation.claims.claim import Kind
from evaluation.claims.judging.finding import Finding, contradicted, supported, uncheckable
from evaluation.claims.judging.operands import Side, absent, rows_of, side_of
from evaluation.claims.judging.pairs import pairs_of_cells
from evaluation.claims.types.base import Ids, Measured, Operand, Relation, Stated
from evaluation.claims.types.order import answers
from evaluation.language.quantity import Quantity
from evaluation.record.known import Known


class Count(Measured):
    """So many of several results are so: "3 of 5 seeds reach 90", "no model beats the baseline"."""

    kind: ClassVar[Kind] = Kind.COMPARISON
    type: Literal["count"] = "count"
    number: Stated | None = Field(default=None, description="how many; left out for none of them")
    rows: Ids = Field(default=(), description="the results that are counted over")
    relation: Relation
    limit: Operand = Field(description="what each is held against")

    @property
    def quantity(self) -> Quantity | None:
        """The stated number."""
        return self.number

    def judge(self, known: Known) -> Finding:
        """Counts the rows for which the relation to the limit holds."""
        rows = rows_of(known, self, self.rows)
        if not rows:
            return absent(known, "nothing on record that could be counted")
        is_bound = self.limit.stated is not None and not self.limit.rows
        limit = side_of(known, self, self.limit.model_copy(update={"is_goal": True}) if is_bound else self.limit)
        if isinstance(limit, Finding):
            return limit
        if self.number is not None and self.number.value > len(rows):
            return uncheckable("not all of the results are named")
        held = {row.id: other for row, other in pairs_of_cells(rows, limit.rows)}
        sides = [(row, Side((held[row.id],)) if row.id in held else limit) for row in rows]
        found = [
            (row, [answer for _, answer in answers(self.relation, Side((row,)), side, known)]) for row, side in sides
        ]
        if any(None in given or not given for _, given in found):
            return uncheckable("nothing says that the values can be ordered so")
        counted = [row for row, given in found if all(given)]
        wanted = self.number.value if self.number is not None else 0
        is_so = self.number.is_satisfied_by(len(counted)) if self.number is not None else not counted
        if is_so:
            return supported(*(counted or rows))
        return contradicted(*(counted or rows), note=f"{len(counted)} of {len(rows)}, not {wanted:g}")
