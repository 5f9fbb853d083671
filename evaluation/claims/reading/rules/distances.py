"""Settles which results a stated distance lies between, where the words leave that open."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from evaluation.claims.claim import Verdict
from evaluation.claims.judging.difference import judge_difference, lies_between
from evaluation.claims.judging.operands import is_of
from evaluation.claims.judging.order import judge_order
from evaluation.claims.reading.rules.measured import is_factor
from evaluation.claims.reading.rules.numbers import Result
from evaluation.claims.reading.rules.prose import Clause
from evaluation.claims.types.base import Assertion, Operand, Relation
from evaluation.claims.types.difference import Difference
from evaluation.claims.types.order import Order
from evaluation.claims.types.vague import Vague
from evaluation.record.known import Known
from evaluation.record.measurements import Measurement

_MOST = 120
"""Latest results among which two are looked for that lie so far apart."""


def how_far(clause: Clause, amount: Result, relation: Relation, order: Order, known: Known) -> Assertion:
    """The amount that a clause gives of the order in the clause before it."""
    number = replace(amount.number, value=abs(amount.number.value))
    difference = Difference(
        relation=relation,
        amount=number,
        is_factor=is_factor(number, clause.text),
        metric=order.metric,
        split=order.split,
        left=order.left,
        right=order.right,
    )
    return settled(difference, known, is_open=True)


def settled(difference: Difference, known: Known, *, is_open: bool) -> Assertion:
    """The difference as it is meant: where that is open, of whichever results on record fit."""
    verdict = judge_difference(difference, known).verdict
    is_missing = verdict is Verdict.UNSUPPORTED
    if not (is_missing or (is_open and verdict is Verdict.CONTRADICTED)):
        return difference
    found = next(_fitting(difference, known), None)
    if found is None:
        of_which = Vague(metric=difference.metric, split=difference.split)
        return of_which if is_open and _is_turned(difference, known) else difference
    left, right = found
    return difference.model_copy(update={"left": Operand(rows=(left.id,)), "right": Operand(rows=(right.id,))})


def _is_turned(difference: Difference, known: Known) -> bool:
    """Whether the results lie in the other order."""
    order = Order(relation=difference.relation, metric=difference.metric, left=difference.left, right=difference.right)
    return judge_order(order, known).verdict is Verdict.CONTRADICTED


def _fitting(difference: Difference, known: Known) -> Iterator[tuple[Measurement, Measurement]]:
    """The pairs of results of one quantity that lie as far apart as is said."""
    rows = [row for row in _results(known) if is_of(difference.metric, row)]
    for n, left in enumerate(reversed(rows)):
        for right in rows[: len(rows) - n - 1]:
            if known.comparable(left, right) or (left.event is right.event and left.metric == right.metric):
                yield from (pair for pair in ((left, right), (right, left)) if lies_between(difference, *pair, known))


def _results(known: Known) -> Sequence[Measurement]:
    means = [row for measured in known.measured_runs for row in measured.means]
    return [*known.given, *known.finals, *means][-_MOST:]
