"""Reads how two results stand to each other: an order, a difference or a factor, and whether a goal was reached."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from evaluation.claims.claim import Verdict
from evaluation.claims.judging.finding import ids_of
from evaluation.claims.judging.operands import is_of
from evaluation.claims.reading.rules import names, rows
from evaluation.claims.reading.rules.courses import read_course
from evaluation.claims.reading.rules.numbers import is_factor, is_precise
from evaluation.claims.reading.rules.pairs import Pair, operand, pair_of
from evaluation.claims.reading.rules.relations import Related, names_other_side, relation_in
from evaluation.claims.reading.rules.rows import Meant
from evaluation.claims.reading.rules.said import Said
from evaluation.claims.reading.rules.several import course, of_several
from evaluation.claims.reading.rules.values import AT_EPOCH, ORDINALS
from evaluation.claims.reading.rules.vocabulary import phrases
from evaluation.claims.types.base import Assertion, Operand
from evaluation.claims.types.difference import Difference, lies_between
from evaluation.claims.types.order import Order
from evaluation.claims.types.vague import Vague
from evaluation.language.multiples import multiple_in
from evaluation.record.known import Known
from evaluation.record.measurements import Measurement

_OR = re.compile(r"\s+or\b", re.IGNORECASE)
"""Behind a relation that is left open: "improved or comparable"."""
_SIZE = re.compile(r"(?:bigg|larg|small)er\b", re.IGNORECASE)
"""Is said of a thing, where no metric is named."""
_IN_WORDS = re.compile(
    r"(?:(?:more|less) than |over |under |about |almost |nearly |roughly )?"
    r"\b(?:doubl(?:es|ed)|twice|halv(?:es|ed)|(?:(?<=in )|(?<=by )|(?<=than ))half)\b",
    re.IGNORECASE,
)
_TWICE = 2.0
"""The factor that "doubled" and "in half" stand for."""
_MOST = 120
"""Latest results among which two are looked for that lie so far apart."""
_NOT = re.compile(r"\b(?:no|not(?! only)|neither|none|never|yet to|fails?|failed|missed|short|without)\b|n't\b", re.I)
_EVERY = re.compile(r"\b(?:every|each|all)\b", re.IGNORECASE)


def read_comparison(said: Said) -> list[Assertion]:
    """The comparison that a clause makes, none where what is compared cannot be told."""
    if said.has("words.gap"):
        return []
    if found := read_course(said) or of_several(said):
        return [found]
    related = relation_in(said.text)
    if related is None or not _is_of_two(said, related):
        return []
    if not said.values and not said.amounts:
        is_within = said.has("words.within_a_run") and not names_other_side(said.text)
        is_denied = _NOT.search(said.text[: related.start])
        goes = course(said, related) if is_within and not is_denied else None
        if goes or is_within or not _is_about_results(said, related):
            return [goes] if goes else []
    pair = pair_of(said, related)
    return list(_of_pair(said, related, pair)) if pair else []


def _is_of_two(said: Said, related: Related) -> bool:
    """Whether two results are held against each other, and no more than two."""
    is_of_thing = _SIZE.match(said.text, related.start) and not said.metrics
    is_left_open = said.has("words.not_of_one") or _OR.match(said.text, related.end)
    is_each_of_own = len({each.what for each in said.metrics}) > 1 or max(map(said.text.count, (" than ", "("))) > 1
    given = [each for each in said.values if is_precise(each.number)]
    return not (
        is_of_thing
        or is_left_open
        or (is_each_of_own and len(said.amounts) > 1)
        or _is_at_epoch(said)
        or (phrases("words.at_point").search(said.clause.sentence.text) and len(given) < 2)
    )


def _of_pair(said: Said, related: Related, pair: Pair) -> Iterator[Assertion]:
    """What is said of two sides: that one stands above the other, or how far they lie apart."""
    known = said.known
    if said.amounts:
        for amount in said.amounts:
            number = replace(amount.number, value=abs(amount.number.value))
            is_times = is_factor(number, said.text)
            difference = Difference(relation=related.relation, amount=number, is_factor=is_times, **pair.about)
            yield _settled(difference, known, is_open=pair.is_open)
    elif (in_words := _IN_WORDS.search(said.text)) and (factor := multiple_in(in_words.group(), _TWICE)):
        yield Difference(relation=related.relation, amount=factor, is_factor=True, **pair.about)
    else:
        yield Order(relation=related.relation, every=not pair.is_open, **pair.about)


def _is_at_epoch(said: Said) -> bool:
    """Whether a clause tells of one epoch, held against another of the run: "The last epoch is lower at 0.77"."""
    place = AT_EPOCH.search(said.text)
    results = [*said.carried, *said.results]
    if place is None or len(results) > 1:
        return False
    if not said.values:
        return not place["word"] or place["word"].lower() in ORDINALS
    before = re.sub(r"\bafter(?: the)? *$", "", said.text[: place.start()], flags=re.IGNORECASE)
    return not names_other_side(before + said.text[place.end() :])


def _is_about_results(said: Said, related: Related) -> bool:
    """Whether what is said to stand so is a result: a metric is named, or the performance of something."""
    if (related.is_time and said.has("words.of_time")) or said.metrics:
        return True
    if phrases("contest").search(said.text[related.start : related.end]):
        return True
    return related.plain in ("better", "worse") and (said.has("performance") or _are_runs(said, related))


def _are_runs(said: Said, related: Related) -> bool:
    """Whether what is compared are two things that were measured, or could have been."""
    against = phrases("operands.against").search(said.text, related.end)
    if against is None:
        return False
    left, right, what = said.text[: related.start], said.text[against.end() :], Meant("")
    is_left = names.named(said.known, left, what) is not None or rows.is_unmeasured(said.known, left)
    is_right = rows.referred(said.known, right, what, []) is not None or names.named(said.known, right, what)
    return is_left and is_right not in (False, None)


def _settled(difference: Difference, known: Known, *, is_open: bool) -> Assertion:
    """The difference as it is meant: where that is open, of whichever results on record fit."""
    verdict = difference.judge(known).verdict
    if verdict is not Verdict.UNSUPPORTED and not (is_open and verdict is Verdict.CONTRADICTED):
        return difference
    for left, right in _fitting(difference, known):
        return difference.model_copy(update={"left": Operand(rows=(left.id,)), "right": Operand(rows=(right.id,))})
    return difference


def _fitting(difference: Difference, known: Known) -> Iterator[tuple[Measurement, Measurement]]:
    """The pairs of results of one quantity that lie as far apart as is said."""
    means = [row for run in known.measured_runs for row in run.means]
    found = [row for row in [*known.given, *known.finals, *means][-_MOST:] if is_of(difference.metric, row)]
    for n, left in enumerate(reversed(found)):
        for right in found[: len(found) - n - 1]:
            is_alike = left.metric == right.metric and (left.event is right.event or difference.is_factor)
            if known.comparable(left, right) or is_alike:
                yield from (pair for pair in ((left, right), (right, left)) if lies_between(difference, *pair, known))


def of_every_run(said: Said) -> Iterator[Assertion]:
    """As "No run reached 0.9", "all runs reached 0.8": an order where it holds of all of them, else left open."""
    reached, known = phrases("reached").search(said.text), said.known
    subject = said.text[: reached.start()] if reached else ""
    is_denied = bool(_NOT.search(subject))
    for each in said.values if is_denied or _EVERY.search(subject) else ():
        ends = (row for run in known.measured_runs for row in rows.of_run(known, run, each.what))
        own = rows.those_of(known, known.values, each.what) if is_denied else list(ends)
        sides = Pair(each.what, operand([], own), Operand(stated=each.number, is_goal=True)).about
        order = Order(relation="worse" if is_denied else "not worse", **sides)
        yield order if order.judge(known).verdict is Verdict.SUPPORTED else Vague()


def of_goal(said: Said) -> Assertion | None:
    """What was reached of a goal, as an order or a difference; ``None`` where that cannot be told."""
    result = said.results[0] if len(said.results) == 1 else None
    own = rows.current(said.known, result.what) if result else []
    if result is None or not own:
        return None
    missed, left = bool(_NOT.search(said.text)), Operand(rows=ids_of(own))
    if not result.is_amount:
        goal = Operand(stated=result.number, is_goal=True)
        return Order(relation="worse" if missed else "not worse", **Pair(result.what, left, goal).about)
    what = Meant(own[-1].metric, own[-1].split)
    base = Operand(rows=ids_of(row for row in rows.baseline(said.known, what) if row.id != own[-1].id))
    pair = Pair(what, left, base)
    return Difference(relation="better", amount=replace(result.number, bound="<" if missed else ">"), **pair.about)
