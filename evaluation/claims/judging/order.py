"""Whether an order holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evaluation.claims.judging.finding import Finding, contradicted, supported, uncheckable
from evaluation.claims.judging.noise import is_within_noise
from evaluation.claims.judging.operands import Side, on_scale_of, pairs, scaled, states
from evaluation.claims.judging.relations import holds
from evaluation.claims.judging.sides import sides_of
from evaluation.claims.types.base import Relation
from evaluation.claims.types.order import Order
from evaluation.language.quantity import Quantity
from evaluation.record.known import Known
from evaluation.record.measurements import Measurement

Rows = tuple[Measurement, ...]
_STRICT = ("higher", "lower", "better", "worse")


def judge_order(claim: Order, known: Known) -> Finding:
    """Held against the rows of both sides, or against a goal."""
    sides = sides_of(known, claim, claim.left, claim.right)
    if isinstance(sides, Finding):
        return sides
    stated = claim.left.stated or claim.right.stated
    compared = list(answers(claim.relation, *sides, known, stated))
    if not compared or any(answer is None for _, answer in compared):
        return uncheckable("nothing says that the values can be ordered so")
    wrong = [rows for rows, answer in compared if not answer]
    right_ones = [rows for rows, answer in compared if answer]
    if wrong and right_ones and not claim.every and _are_parts(wrong, right_ones):
        return uncheckable("it holds of some of what was measured, not of all")
    if wrong and (claim.every or not right_ones):
        return contradicted(*wrong[0], note=" against ".join(f"{row.value:g}" for row in wrong[0]))
    rows = right_ones[0]
    noisy = len(rows) > 1 and claim.relation in _STRICT and is_within_noise(known, *rows[:2])
    return supported(*rows, note="within noise" if noisy else "", within_noise=noisy)


def _are_parts(wrong: Sequence[Rows], right: Sequence[Rows]) -> bool:
    """Whether it holds of some parts of a run and not of others, whatever they are held against."""
    left = {rows[0].id for rows in right}
    return any(rows[0].id not in left and rows[0].event is right[0][0].event and rows[0].label for rows in wrong)


def answers(
    relation: Relation, left: Side, right: Side, known: Known, stated: Quantity | None = None
) -> Iterator[tuple[Rows, bool | None]]:
    """For each pair of one quantity, its rows and whether the relation holds.

    Two results are the same, too, where the number that is stated of one of them is, to its digits, that of both.
    """
    if right.goal is not None:
        for row in left.rows:
            yield (row,), holds(relation, row.value, on_scale_of(row, right.goal), known, row.metric)
    elif left.goal is not None:
        for row in right.rows:
            yield (row,), holds(relation, on_scale_of(row, left.goal), row.value, known, row.metric)
    else:
        for a, b in pairs(left.rows, right.rows):
            is_one = relation == "same" and stated is not None and states(stated, a) and states(stated, b)
            yield (a, b), is_one or holds(relation, scaled(a, b), b.value, known, a.metric)
