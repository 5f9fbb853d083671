"""Whether an order holds."""

from __future__ import annotations

from collections.abc import Iterator

from evaluation.claims.judging.finding import Finding, contradicted, supported, uncheckable
from evaluation.claims.judging.noise import is_within_noise
from evaluation.claims.judging.operands import Side, on_scale_of, pairs, scaled
from evaluation.claims.judging.relations import holds
from evaluation.claims.judging.sides import sides_of
from evaluation.claims.types.base import Relation
from evaluation.claims.types.order import Order
from evaluation.record.known import Known
from evaluation.record.measurements import Measurement

_STRICT = ("higher", "lower", "better", "worse")


def judge_order(claim: Order, known: Known) -> Finding:
    """Held against the rows of both sides, or against a goal."""
    sides = sides_of(known, claim, claim.left, claim.right)
    if isinstance(sides, Finding):
        return sides
    compared = list(answers(claim.relation, *sides, known))
    if not compared or any(answer is None for _, answer in compared):
        return uncheckable("nothing says that the values can be ordered so")
    wrong = [rows for rows, answer in compared if not answer]
    right_ones = [rows for rows, answer in compared if answer]
    if wrong and (claim.every or not right_ones):
        return contradicted(*wrong[0], note=" against ".join(f"{row.value:g}" for row in wrong[0]))
    rows = right_ones[0]
    noisy = len(rows) > 1 and claim.relation in _STRICT and is_within_noise(known, *rows[:2])
    return supported(*rows, note="within noise" if noisy else "", within_noise=noisy)


def answers(
    relation: Relation, left: Side, right: Side, known: Known
) -> Iterator[tuple[tuple[Measurement, ...], bool | None]]:
    """For each pair of one quantity, its rows and whether the relation holds."""
    if right.goal is not None:
        for row in left.rows:
            yield (row,), holds(relation, row.value, on_scale_of(row, right.goal), known, row.metric)
    elif left.goal is not None:
        for row in right.rows:
            yield (row,), holds(relation, on_scale_of(row, left.goal), row.value, known, row.metric)
    else:
        for a, b in pairs(left.rows, right.rows):
            yield (a, b), holds(relation, scaled(a, b), b.value, known, a.metric)
