"""Reads claims by rules: clause by clause, comparisons first, then values, what was done and how it ended."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from evaluation.claims.reading.reader import QUOTE, Reading
from evaluation.claims.reading.rules import naming, places, references
from evaluation.claims.reading.rules.asserted import is_asserted, is_hedged, is_target
from evaluation.claims.reading.rules.bounds import is_bound
from evaluation.claims.reading.rules.comparisons import is_gap, read_comparison
from evaluation.claims.reading.rules.distances import how_far
from evaluation.claims.reading.rules.done import read_deed
from evaluation.claims.reading.rules.numbers import Result, metrics_in, results_in
from evaluation.claims.reading.rules.other_side import left_of, names_other_side
from evaluation.claims.reading.rules.outcomes import read_outcome
from evaluation.claims.reading.rules.parts import reading, reading_of
from evaluation.claims.reading.rules.prose import Clause, clauses, sentences
from evaluation.claims.reading.rules.ranges import read_range
from evaluation.claims.reading.rules.references import Meant
from evaluation.claims.reading.rules.relations import relation_in
from evaluation.claims.reading.rules.tables import read_tables
from evaluation.claims.reading.rules.targets import is_of_goal, read_goal
from evaluation.claims.reading.rules.vocabulary import phrases
from evaluation.claims.types.base import Assertion
from evaluation.claims.types.difference import Difference
from evaluation.claims.types.order import Order
from evaluation.claims.types.vague import Vague
from evaluation.language.quantity import Unit
from evaluation.record.known import Known

_GOES_ON = frozenset({"which", "with", "an", "a", "-", "–", "—", "and", "so", "", ";"})
"""Words behind which a clause goes on about the result before it."""
_PRONOUN = re.compile(r"\W*(?:it|this|that|which)\b", re.IGNORECASE)


_DONE = re.compile(r"\b(?:has|have|had|was|were|did|done|is|are|\w{3,}ed|completed)\b", re.IGNORECASE)
"""What is said of something done, in a list of what is to be done."""
_OF_ONE = re.compile(r"\b(?:one|each|every|a single|per)\b", re.IGNORECASE)
"""A quantity of one part of what was measured, which the agent has worked out."""


def read_by_rules(prose: str, field: str, known: Known) -> Iterator[Reading]:
    """The assertions of one prose, in order."""
    for quote, start, value in read_tables(prose, known):
        yield Reading(quote[:QUOTE], start, value)
    before: list[Result] = []
    last: Order | None = None
    for sentence in sentences(prose):
        for clause in clauses(sentence):
            if not is_asserted(clause) or (field.startswith("plan") and not _DONE.search(clause.text)):
                continue
            results = [each for each in results_in(clause, known) if not is_hedged(clause, each.number.start)]
            for found in _read_clause(clause, known, results, before, last):
                yield found
                says = found.says
                last = says if isinstance(says, Order) else last if isinstance(says, Difference) else None
            before = left_of(clause, results) or before


def _read_clause(
    clause: Clause, known: Known, results: Sequence[Result], before: Sequence[Result], last: Order | None
) -> Iterator[Reading]:
    """What one clause asserts; ``before`` are the results that the clauses before it gave."""
    if is_of_goal(clause):
        goal = read_goal(clause, known, results)
        yield from [reading(clause, goal)] if goal else []
        return
    if is_target(clause):
        return
    said = relation_in(clause.text)
    if (
        last is not None
        and results
        and all(each.is_amount for each in results)
        and _goes_on(clause)
        and not names_other_side(clause)
        and not _names_another(clause, known, last.metric)
    ):
        for amount in results:
            difference = how_far(clause, amount, said.relation if said else last.relation, last, known)
            yield reading_of(clause, difference, amount, results)
        return
    if ends := list(read_range(clause, known, results)):
        yield from (reading_of(clause, value, result, results) for result, value in ends)
        return
    compared: Sequence[Assertion] = []
    if said is None or not is_hedged(clause, said.start):
        compared = list(read_comparison(clause, known, [*_goes_on_from(clause, known, results, before), *results]))
    yield from (reading(clause, each) for each in compared)
    if compared or is_gap(clause):
        if compared and isinstance(compared[0], Order | Difference):
            for each in left_of(clause, results):
                if each.is_named:
                    yield reading_of(clause, places.value(clause.text, known, each), each, results)
        return
    stated = [
        result
        for result in results
        if not result.is_amount and not _is_limit(result, known) and not is_bound(result, clause.text, known)
    ]
    for result in stated:
        value = places.value(clause.text, known, result)
        is_worked_out = _OF_ONE.search(clause.text) and not references.bearing(
            known, Meant(result.metric, result.split), result.number
        )
        yield reading_of(clause, Vague() if is_worked_out else value, result, stated)
    if stated:
        return
    done = read_deed(clause, known) or read_outcome(clause, known)
    if done is not None:
        yield reading(clause, done)
    elif _is_vague(clause, known):
        yield reading(clause, Vague())


def _is_limit(result: Result, known: Known) -> bool:
    """Whether a time is the one after which something was stopped."""
    number = result.number
    return number.unit is Unit.SECONDS and any(
        event.timed_out and number.text.split()[0] in event.observation for event in known.failures()
    )


def _goes_on_from(clause: Clause, known: Known, results: Sequence[Result], before: Sequence[Result]) -> list[Result]:
    """The result that a clause goes on about: "…, which is 2 points better", "This is the best so far"."""
    if not before or left_of(clause, results) or naming.labelled(known, clause.text, Meant("", None)):
        return []
    if any(each.what not in ("", "score", before[-1].metric) for each in metrics_in(clause.text, known)):
        return []
    return [replace(before[-1], number=replace(before[-1].number, start=-1, end=-1))] if _goes_on(clause) else []


def _names_another(clause: Clause, known: Known, metric: str) -> bool:
    """Whether a clause names another metric, or something that outputs tell apart."""
    names = {each.what for each in metrics_in(clause.text, known)} - {"", "score", metric}
    return bool(names or naming.labelled(known, clause.text, Meant(metric, None)))


def _goes_on(clause: Clause) -> bool:
    return clause.joint in _GOES_ON if clause.before else bool(_PRONOUN.match(clause.text))


def _is_vague(clause: Clause, known: Known) -> bool:
    match = phrases("vague.words").search(clause.text)
    if match is None or is_hedged(clause, match.start()):
        return False
    return bool(phrases("performance").search(clause.text) or metrics_in(clause.text, known))
