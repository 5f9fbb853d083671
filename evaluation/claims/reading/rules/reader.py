"""Reads claims by rules: clause by clause, comparisons first, then values, what was done and how it ended."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import exp

from evaluation.claims.reading.reader import QUOTE, Reading
from evaluation.claims.reading.rules import places, references
from evaluation.claims.reading.rules.asserted import is_asserted, is_hedged, is_on_list_of_tasks, is_target
from evaluation.claims.reading.rules.comparisons import is_gap, is_of_goal, read_comparison, read_goal
from evaluation.claims.reading.rules.counted import miscalled
from evaluation.claims.reading.rules.done import read_deed
from evaluation.claims.reading.rules.mentions import metrics_in
from evaluation.claims.reading.rules.numbers import Result, results_in
from evaluation.claims.reading.rules.outcomes import read_outcome
from evaluation.claims.reading.rules.prose import Clause, clauses, sentences
from evaluation.claims.reading.rules.references import Meant
from evaluation.claims.reading.rules.relations import left_of, relation_in
from evaluation.claims.reading.rules.vocabulary import phrases
from evaluation.claims.reading.rules.whose_value import misplaced, read_tables
from evaluation.claims.types.base import Assertion
from evaluation.claims.types.difference import Difference
from evaluation.claims.types.order import Order
from evaluation.claims.types.vague import Vague
from evaluation.language.numbers import Number
from evaluation.language.quantity import Unit
from evaluation.language.splits import TIMES, without_metrics
from evaluation.record.known import Known

_BETWEEN = re.compile(r"\s*[,;]\s+(?:and\s+|but\s+)?|\s+(?:and|while|but)\s+")
"""What parts two results of a list."""
_GOES_ON = re.compile(r"\W*(?:it|this|that)\b", re.IGNORECASE)
"""What a sentence begins with that goes on about the result before it."""
_DONE = re.compile(r"\b(?:has|have|had|was|were|did|done|is|are|\w{3,}ed|completed)\b", re.IGNORECASE)
"""What is said of something done, in a list of what is to be done."""
_LARGEST_LOSS = 20.0
_TELLING = 3
"""Digits from which a number that stands apart from its metric is rather a value than a setting."""
_OF_STEP = re.compile(r"\ban? (?:epoch|step|batch|iteration)\b", re.IGNORECASE)
_COUNT = re.compile(r"(?<![\w.])\d{2,}(?![\w.])")
"""A whole number on a line, such as that of the steps."""
_MEAN = re.compile(r"\b(?:mean|average|avg)(?![a-z])", re.IGNORECASE)
_OF_ONE = re.compile(r"\b(?:one|each|every|a single|per)\b", re.IGNORECASE)
"""A quantity of one part of what was measured, which the agent has worked out."""


def read_by_rules(prose: str, field: str, known: Known) -> Iterator[Reading]:
    """The assertions of one prose, in order."""
    for quote, start, value in read_tables(prose, known):
        yield Reading(quote[:QUOTE], start, value)
    before: list[Result] = []
    for sentence in sentences(prose):
        for clause in clauses(sentence):
            if not is_asserted(clause) or (field.startswith("plan") and not _DONE.search(clause.text)):
                continue
            results = [each for each in results_in(clause, known) if not is_hedged(clause, each.number.start)]
            own = left_of(clause, results)
            goes_on = not own and (clause.joint == "which" if clause.before else _GOES_ON.match(clause.text))
            for each in _read_clause(clause, known, results, before if goes_on else []):
                yield replace(each, quote=prose[each.start : each.start + len(each.quote)])
            before = [replace(each, number=replace(each.number, start=-1, end=-1)) for each in own[-1:]] or before


def _read_clause(
    clause: Clause, known: Known, results: Sequence[Result], before: Sequence[Result]
) -> Iterator[Reading]:
    """What one clause asserts; ``before`` is the result that it goes on about: "…, which is 16 % less"."""
    if is_of_goal(clause):
        goal = read_goal(clause, known, results)
        yield from [_reading(clause, goal)] if goal else []
        return
    if is_target(clause):
        return
    of_others = [each for read in (misplaced, miscalled) for each in read(clause, known)]
    if of_others:
        yield from (_reading(clause, each) for each in of_others)
        return
    said = relation_in(clause.text, known.measured_names)
    compared: Sequence[Assertion] = []
    is_inferred = clause.joint == "so" and not results and re.match(r"\w+ing\b", clause.text)
    is_open = any(not each.is_amount and _is_unsure(clause, each, known) for each in results)
    is_said = said is None or not is_hedged(clause, said.start)
    if is_said and not is_open and not is_inferred and not is_on_list_of_tasks(clause):
        compared = read_comparison(clause, known, results) or _going_on(clause, known, results, before)
    yield from (_reading(clause, each) for each in compared)
    if compared or is_gap(clause):
        if compared and isinstance(compared[0], Order | Difference):
            for each in left_of(clause, results):
                if each.is_named:
                    yield _reading_of(clause, _stated(clause, each, known), each, results)
        return
    stated = [result for result in results if not result.is_amount and not _is_limit(result, known)]
    for result in stated:
        yield _reading_of(clause, _stated(clause, result, known), result, stated)
    if stated:
        return
    done = read_deed(clause, known) or read_outcome(clause, known)
    if done is not None:
        yield _reading(clause, done)
    elif _is_vague(clause, known):
        yield _reading(clause, Vague())


def _going_on(clause: Clause, known: Known, results: Sequence[Result], before: Sequence[Result]) -> Sequence[Assertion]:
    """What a clause says of the result before it: too much of a guess to be refuted."""
    found = read_comparison(clause, known, [*before, *results]) if before else []
    return [each for each in found if not each.judge(known).verdict.is_problem]


def _stated(clause: Clause, result: Result, known: Known) -> Assertion:
    """The value that a number states; where it may be another's, only what the record bears."""
    return Vague() if _is_unsure(clause, result, known) else places.value(clause.text, known, result)


def _is_unsure(clause: Clause, result: Result, known: Known) -> bool:
    """Whether a number that no row bears may be of something else, or worked out."""
    return _may_be_other(clause, result, known) or _is_worked_out(clause, result, known)


def _may_be_other(clause: Clause, result: Result, known: Known) -> bool:
    """Whether a number that no row bears is hardly tied to its metric: it may be a setting, or of something else."""
    wanted = _TELLING + (not result.is_named and bool(clause.before))  # of a clause with a subject of its own
    number = result.number
    has_unit = number.percent_like or number.unit is Unit.SECONDS
    is_tied = result.is_bound or (has_unit and (bool(result.metric) or _digits(number) > 1))
    is_tied = is_tied or _digits(number) >= wanted
    return not is_tied and (bool(number.bound) or not result.metric or not _is_borne(result, known))


def _is_borne(result: Result, known: Known) -> bool:
    return bool(references.bearing(known, Meant(result.metric, result.split), result.number))


def _is_worked_out(clause: Clause, result: Result, known: Known) -> bool:
    """Whether the agent has worked out a value that no output can hold: of one part, of all steps, or e to the loss."""
    if _is_borne(result, known):
        return False
    number = result.number
    is_of_loss = result.metric == "perplexity" and any(
        number.states(exp(row.value)) for row in known.values if row.metric == "loss" and row.value < _LARGEST_LOSS
    )
    is_of_steps = result.metric == "time" and any(
        number.is_near(row.value * float(n) / number.seconds)
        for row in known.values
        if row.metric in TIMES
        for n in _COUNT.findall(row.text)
    )
    is_of_parts = _MEAN.search(without_metrics(clause.text)) and _has_parts_alone(result, known)
    is_rough = number.approximate and _OF_STEP.search(clause.text)
    return bool(is_of_loss or is_of_steps or is_of_parts or is_rough or _OF_ONE.search(clause.text))


def _has_parts_alone(result: Result, known: Known) -> bool:
    """Whether the latest run measured several parts, such as seeds, and printed nothing of them all."""
    latest = references.current(known, Meant(result.metric, result.split))[-1:]
    parts = [each for row in latest for each in references.parts(known, row)]
    return len(parts) > 1 and not any(_MEAN.search(row.text) for row in parts)


def _digits(number: Number) -> int:
    """How many digits a number has that tell it from others."""
    digits = re.sub(r"\D", "", number.text).lstrip("0")
    return len(digits if "." in number.text else digits.rstrip("0"))


def _is_limit(result: Result, known: Known) -> bool:
    """Whether a time is the one after which something was stopped."""
    number = result.number
    return number.unit is Unit.SECONDS and any(
        event.timed_out and number.text.split()[0] in event.observation for event in known.failures()
    )


def _is_vague(clause: Clause, known: Known) -> bool:
    match = phrases("vague.words").search(clause.text)
    if match is None or is_hedged(clause, match.start()):
        return False
    return bool(phrases("performance").search(clause.text) or metrics_in(clause.text, known))


def _reading(clause: Clause, says: Assertion) -> Reading:
    """What a whole clause asserts."""
    return Reading(clause.quote[:QUOTE], clause.quote_start, says)


def _reading_of(clause: Clause, says: Assertion, result: Result, results: Sequence[Result]) -> Reading:
    """What a clause asserts of one of its results: quoted is the part between the results before and behind it."""
    text, number = clause.text, result.number
    before = max((each.number.end for each in results if each.number.end <= number.start), default=0)
    behind = min((each.number.start for each in results if each.number.start >= number.end), default=len(text))
    opening = next(_BETWEEN.finditer(text, before, number.start), None) if before else None
    closing = next(_BETWEEN.finditer(text, number.end, behind), None) if behind < len(text) else None
    start, end = opening.end() if opening else 0, closing.start() if closing else len(text)
    if start == 0:
        return Reading(clause.quote[: end + clause.start - clause.quote_start][:QUOTE], clause.quote_start, says)
    return Reading(text[start:end][:QUOTE], clause.start + start, says)
