"""Reads claims by rules: clause by clause, comparisons first, then values, what was done and how it ended."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from evaluation.claims.reading.reader import QUOTE, Reading
from evaluation.claims.reading.rules.asserted import is_asserted, is_hedged, is_target, is_ticked_off
from evaluation.claims.reading.rules.comparisons import of_every_run, of_goal, read_comparison
from evaluation.claims.reading.rules.counted import miscalled
from evaluation.claims.reading.rules.deeds import deed_in
from evaluation.claims.reading.rules.outcomes import read_outcome
from evaluation.claims.reading.rules.prose import Clause, Sentence, clauses, sentences
from evaluation.claims.reading.rules.relations import left_of, relation_in
from evaluation.claims.reading.rules.row_values import misplaced, read_tables
from evaluation.claims.reading.rules.said import Result, Said
from evaluation.claims.reading.rules.traces import shown
from evaluation.claims.reading.rules.values import is_unsure, read_value
from evaluation.claims.reading.rules.vocabulary import phrases
from evaluation.claims.types.base import Assertion, Measured
from evaluation.claims.types.deed import Deed
from evaluation.claims.types.difference import Difference
from evaluation.claims.types.order import Order
from evaluation.claims.types.vague import Vague
from evaluation.claims.types.value import Value
from evaluation.language.quantity import Unit
from evaluation.record.known import Known
from evaluation.record.log import OF_PLOTS, OF_STAGE

_BETWEEN = re.compile(r"\s*[,;]\s+(?:and\s+|but\s+)?|\s+(?:and|while|but)\s+")
"""What parts two results of a list."""
_GOES_ON = re.compile(r"\W*(?:it|this|that)\b", re.IGNORECASE)
"""What a sentence begins with that goes on about the result before it."""
_DONE = re.compile(r"\b(?:has|have|had|was|were|did|done|is|are|\w{3,}ed|completed)\b", re.IGNORECASE)
"""What is said of something done, in a list of what is to be done."""

_Read = tuple[list[Reading], tuple[Result, ...]]
"""What a sentence asserts, as if it began the text, and the result that the next sentence may go on about."""


def read_by_rules(prose: str, field: str, known: Known) -> Iterator[Reading]:
    """The assertions of one prose, in order."""
    yield from read_tables(prose, known)
    before: tuple[Result, ...] = ()
    read: dict[tuple[Sentence, tuple[Result, ...]], _Read] = {}
    for sentence in sentences(prose):
        alike = replace(sentence, start=0), before
        if alike not in read:  # a text may say one thing many thousand times
            read[alike] = _read_sentence(*alike, field, known)
        readings, before = read[alike]
        for each in (each for each in readings if not _is_beyond(each.says, field)):
            start = sentence.start + each.start
            yield replace(each, start=start, quote=prose[start : start + len(each.quote)])


def _is_beyond(says: Assertion, field: str) -> bool:
    """Whether words tell how plots look that no output holds, or what the code of a stage is to do."""
    if field in OF_PLOTS:
        return isinstance(says, Measured) and not isinstance(says, Value)
    return field == OF_STAGE and isinstance(says, Deed)


def _read_sentence(sentence: Sentence, before: tuple[Result, ...], field: str, known: Known) -> _Read:
    """What one sentence asserts, and the result that the next one may go on about; ``before`` is that of the last."""
    found: list[Reading] = []
    for clause in clauses(sentence):
        if not is_asserted(clause) or (field.startswith("plan") and not _DONE.search(clause.text)):
            continue
        said = Said(clause, known)
        own = left_of(said)
        goes_on = not own and (clause.joint == "which" if clause.before else _GOES_ON.match(clause.text))
        found += _read(said, before if goes_on else ())
        before = said.as_carried(own[-1:]) or before
    return found, before


def _read(said: Said, before: tuple[Result, ...]) -> Iterator[Reading]:
    """What one clause asserts; ``before`` is the result that it goes on about: "…, which is 16 % less"."""
    clause = said.clause
    if said.has("words.goal") and said.has("reached"):
        goal = of_goal(said)
        yield from [_reading(clause, goal)] if goal else []
        return
    if is_target(said.text):
        return
    if of_others := [*of_every_run(said), *misplaced(said), *miscalled(said)]:
        yield from (_reading(clause, each) for each in of_others)
        return
    compared = _compared(said, before)
    yield from (_reading(clause, each) for each in compared)
    of_pair = bool(compared) and isinstance(compared[0], Order | Difference)
    values = [each for each in left_of(said) if each.is_named] if of_pair else []
    if not compared and not said.has("words.gap"):
        values = [each for each in said.values if not _is_limit(each, said.known)]
        if not values:
            yield from (_reading(clause, each) for each in _done(said))
    for result in values:
        yield _reading_of(clause, read_value(said, result), result, said.results if of_pair else values)


def _compared(said: Said, before: tuple[Result, ...]) -> Sequence[Assertion]:
    """The comparison that is made; of the result before only what is not refuted, for that is too much of a guess."""
    text, clause = said.text, said.clause
    related = relation_in(text)
    is_inferred = clause.joint == "so" and not said.results and re.match(r"\w+ing\b", text)
    is_task = is_ticked_off(clause.sentence.text) and phrases("imperative").match(text)
    is_thought = related is not None and is_hedged(text, related.start)
    if is_inferred or is_task or is_thought or any(is_unsure(said, each) for each in said.values):
        return []
    going_on = read_comparison(replace(said, carried=before)) if before else []
    return read_comparison(said) or [each for each in going_on if not each.judge(said.known).verdict.is_problem]


def _done(said: Said) -> Iterator[Assertion]:
    """What was done, or how it ended; else that something is called good."""
    deed = deed_in(said)
    if done := (shown(deed, said.known) if deed else None) or read_outcome(said):
        yield done
    elif (vague := phrases("vague.words").search(said.text)) and not is_hedged(said.text, vague.start()):
        yield from [Vague()] if said.has("performance") or said.metrics else []


def _is_limit(result: Result, known: Known) -> bool:
    """Whether a time is the one after which something was stopped."""
    number = result.number
    return number.unit is Unit.SECONDS and any(
        event.timed_out and number.text.split()[0] in event.observation for event in known.failures()
    )


def _reading(clause: Clause, says: Assertion) -> Reading:
    """What a whole clause asserts."""
    return Reading(clause.quote[:QUOTE], clause.quote_start, says, clause.sentence.text, clause.sentence.previous)


def _reading_of(clause: Clause, says: Assertion, result: Result, results: Sequence[Result]) -> Reading:
    """What a clause asserts of one of its results: quoted is the part between the results before and behind it."""
    text, number = clause.text, result.number
    before = max((each.number.end for each in results if each.number.end <= number.start), default=0)
    behind = min((each.number.start for each in results if each.number.start >= number.end), default=len(text))
    opening = next(_BETWEEN.finditer(text, before, number.start), None) if before else None
    closing = next(_BETWEEN.finditer(text, number.end, behind), None) if behind < len(text) else None
    start, end = opening.end() if opening else 0, closing.start() if closing else len(text)
    if start == 0:
        quote, at = clause.quote[: end + clause.start - clause.quote_start], clause.quote_start
    else:
        quote, at = text[start:end], clause.start + start
    return Reading(quote[:QUOTE], at, says, clause.sentence.text, clause.sentence.previous)
