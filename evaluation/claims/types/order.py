"""An order between two results, and whether it holds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from pydantic import Field

from evaluation.claims.claim import Kind
from evaluation.claims.judging.finding import Finding, contradicted, supported, uncheckable
from evaluation.claims.judging.noise import is_within_noise
from evaluation.claims.judging.operands import Side, states
from evaluation.claims.judging.pairs import Rows, compared
from evaluation.claims.judging.relations import holds, sides_of
from evaluation.claims.types.base import Measured, Operand, Relation
from evaluation.language.quantity import Quantity
from evaluation.record.known import Known

_STRICT = ("higher", "lower", "better", "worse")


class Order(Measured):
    """One result stands above or below another or a goal: "better than the baseline", "rose from 0.81 to 0.83"."""

    kind: ClassVar[Kind] = Kind.COMPARISON
    type: Literal["order"] = "order"
    relation: Relation
    left: Operand = Field(description="the result spoken of, usually the newer")
    right: Operand = Field(description="what it is held against")
    every: bool = Field(default=True, description="said of every row given, not of at least one")

    @property
    def quantity(self) -> Quantity | None:
        """The newer value, else the one it is held against."""
        return self.left.stated or self.right.stated

    def judge(self, known: Known) -> Finding:
        """Held against the rows of both sides, or against a goal."""
        sides = sides_of(known, self, self.left, self.right)
        if isinstance(sides, Finding):
            return sides
        stated = self.left.stated or self.right.stated
        answered = [each for each in answers(self.relation, *sides, known, stated) if each[1] is not None]
        if not answered:
            return uncheckable("nothing says that the values can be ordered so")
        wrong = [rows for rows, answer in answered if not answer]
        right_ones = [rows for rows, answer in answered if answer]
        is_of_group = self.relation == "similar" and len(sides[1].rows) > 1  # which need not be alike themselves
        if wrong and not (right_ones and (is_of_group or not self.every)):
            return contradicted(*wrong[0], note=" against ".join(f"{row.value:g}" for row in wrong[0]))
        rows = right_ones[0]
        noisy = len(rows) > 1 and self.relation in _STRICT and is_within_noise(known, *rows[:2])
        return supported(*rows, note="within noise" if noisy else "", within_noise=noisy)


def answers(
    relation: Relation, left: Side, right: Side, known: Known, stated: Quantity | None = None
) -> Iterator[tuple[Rows, bool | None]]:
    """For each pair of one quantity, its rows and whether the relation holds.

    Two results are the same, too, where the number that is stated of one of them is, to its digits, that of both.
    """
    for rows, a, b in compared(left, right):
        is_one = relation == "same" and len(rows) > 1 and stated is not None and all(states(stated, r) for r in rows)
        yield rows, is_one or holds(relation, a, b, known, rows[0].ranked_by)
