"""Reads whether a goal is said to have been reached: "the target of 0.1 s is met"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from evaluation.claims.judging.finding import ids_of
from evaluation.claims.reading.rules import references
from evaluation.claims.reading.rules.numbers import Result
from evaluation.claims.reading.rules.prose import Clause
from evaluation.claims.reading.rules.references import Meant
from evaluation.claims.reading.rules.vocabulary import phrases
from evaluation.claims.types.base import Assertion, Operand, Relation
from evaluation.claims.types.difference import Difference
from evaluation.claims.types.order import Order
from evaluation.record.known import Known

_NOT = re.compile(r"\b(?:not|n't|never|yet to|fails?|failed|missed|short of|without)\b|n't\b", re.IGNORECASE)


def is_of_goal(clause: Clause) -> bool:
    """Whether a clause says that a goal was reached, or was not."""
    return bool(phrases("words.goal").search(clause.text)) and bool(phrases("reached").search(clause.text))


def read_goal(clause: Clause, known: Known, results: Sequence[Result]) -> Assertion | None:
    """What was reached, as an order or a difference; ``None`` where that cannot be told."""
    if len(results) != 1:
        return None
    result, missed = results[0], bool(_NOT.search(clause.text))
    own = references.current(known, Meant(result.metric, result.split))
    if not own:
        return None
    left = Operand(rows=ids_of(own))
    if not result.is_amount:
        goal = Operand(stated=result.number, is_goal=True)
        relation: Relation = "worse" if missed else "not worse"
        return Order(relation=relation, metric=result.metric, split=result.split, left=left, right=goal)
    what = Meant(own[-1].metric, own[-1].split)
    base = tuple(row.id for row in references.baseline(known, what) if row.id != own[-1].id)
    number = replace(result.number, bound="<" if missed else ">")
    return Difference(
        relation="better", amount=number, metric=what.metric, split=what.split, left=left, right=Operand(rows=base)
    )
