"""Reads whether a goal is said to have been reached: "the target of 0.1 s is met"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from evaluation.claims.reading.rules import references
from evaluation.claims.reading.rules.numbers import Result
from evaluation.claims.reading.rules.prose import Clause
from evaluation.claims.reading.rules.references import Meant
from evaluation.claims.reading.rules.vocabulary import phrases
from evaluation.claims.types.base import Assertion, Operand
from evaluation.claims.types.difference import Difference
from evaluation.claims.types.order import Order
from evaluation.language.numbers import find_numbers
from evaluation.record.known import Known

_GOAL = re.compile(
    r"\b(?:goal|target|required?|requirement|threshold|\d+ ?% (?:relative )?improvement)\b", re.IGNORECASE
)
_SHARE = re.compile(
    r"\d+(?:\.\d+)? ?%(?= (?:relative )?(?:goal|target|improvement|gain|threshold|mark)\b)"
    r"|(?:(?<=goal of )|(?<=target of )|(?<=improvement of ))(?:an? |at least )*\d+(?:\.\d+)? ?%",
    re.IGNORECASE,
)
_NOT = re.compile(r"\b(?:not|n't|never|yet to|fails?|failed|missed|short of|without)\b|n't\b", re.IGNORECASE)


def is_of_goal(clause: Clause) -> bool:
    """Whether a clause says that a goal was reached, or was not."""
    return bool(_GOAL.search(clause.text)) and bool(phrases("reached").search(clause.text))


def read_goal(clause: Clause, known: Known, results: Sequence[Result]) -> Assertion | None:
    """What was reached, as an order or a difference; ``None`` where that cannot be told."""
    share = _SHARE.search(clause.text)
    numbers = find_numbers(share.group()) if share else []
    if numbers and not any(each.is_amount for each in results):
        results = [Result(numbers[0], is_amount=True)]
    if len(results) != 1 or not known.measured_runs:
        return None
    result = results[0]
    missed = bool(_NOT.search(clause.text))
    what = Meant(result.metric, result.split)
    own = references.current(known, what)
    if not own:
        return None
    left = Operand(rows=tuple(row.id for row in own))
    if not result.is_amount:
        goal = Operand(stated=result.number, is_goal=True)
        return Order(
            relation="worse" if missed else "not worse", metric=what.metric, split=what.split, left=left, right=goal
        )
    base = [row for row in references.baseline(known, Meant(own[-1].metric, own[-1].split)) if row.id != own[-1].id]
    if not base:
        return None
    right = Operand(rows=tuple(row.id for row in base))
    if missed and not known.better(own[-1].value, base[-1].value, own[-1].metric):
        return Order(relation="not better", metric=own[-1].metric, split=own[-1].split, left=left, right=right)
    number = replace(result.number, bound="<" if missed else ">")
    return Difference(
        relation="better", amount=number, metric=own[-1].metric, split=own[-1].split, left=left, right=right
    )
