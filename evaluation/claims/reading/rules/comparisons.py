"""Reads comparisons: an order, a difference, a best or worst, a tendency, and whether a goal was reached."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from evaluation.claims.claim import Verdict
from evaluation.claims.judging.finding import ids_of
from evaluation.claims.judging.operands import is_of
from evaluation.claims.reading.rules import naming, references
from evaluation.claims.reading.rules.measured import is_factor
from evaluation.claims.reading.rules.mentions import metrics_in
from evaluation.claims.reading.rules.numbers import Result
from evaluation.claims.reading.rules.places import AT_EPOCH, ORDINALS
from evaluation.claims.reading.rules.prose import Clause
from evaluation.claims.reading.rules.references import Meant
from evaluation.claims.reading.rules.relations import Said, names_other_side, relation_in
from evaluation.claims.reading.rules.several import course, extreme, none_of, tendency_in
from evaluation.claims.reading.rules.sides import Sides
from evaluation.claims.reading.rules.vocabulary import phrases
from evaluation.claims.types.base import Assertion, Operand, Relation
from evaluation.claims.types.difference import Difference, lies_between
from evaluation.claims.types.order import Order
from evaluation.claims.types.vague import Vague
from evaluation.language.multiples import multiple_in
from evaluation.record.known import Known
from evaluation.record.measurements import Measurement

_DOING = re.compile(r"^\W*\w+ing\b(?: \S+){1,6}? (?=\w+ed\b|has\b|had\b|did\b|\w+s\b (?:the|a)\b)", re.IGNORECASE)
"""What was done, in front of what came of it: "Doubling the epochs improved the accuracy"."""
_GOING = re.compile(r"(?:\b(?:is|are|was|were|still|kept|keeps|under|with)(?: an?)?|\()\s*(?:\w+ly )?$", re.IGNORECASE)
"""In front of how something goes, or is going."""
_OR = re.compile(r"\s+or\b", re.IGNORECASE)
"""Behind a relation that is left open: "improved or comparable"."""
_SIZE = re.compile(r"(?:bigg|larg|small)er\b", re.IGNORECASE)
"""Is said of a thing, where no metric is named."""
_HEADING = re.compile(r"\bimprovements\b[^:\d]*:$", re.IGNORECASE)
"""Says that a list of changes follows."""
_IN_WORDS = re.compile(
    r"(?:(?:more|less) than |over |under |about |almost |nearly |roughly )?"
    r"\b(?:doubl(?:es|ed)|twice|halv(?:es|ed)|(?:(?<=in )|(?<=by )|(?<=than ))half)\b",
    re.IGNORECASE,
)
_TWICE = 2.0
"""The factor that "doubled" and "in half" stand for."""
_MOST = 120
"""Latest results among which two are looked for that lie so far apart."""
_NOT = re.compile(r"\b(?:not|n't|never|yet to|fails?|failed|missed|short of|without)\b|n't\b", re.IGNORECASE)


def read_comparison(clause: Clause, known: Known, results: Sequence[Result]) -> list[Assertion]:
    """The comparison that a clause makes, none where what is compared cannot be told."""
    if is_gap(clause):
        return []
    amounts = [result for result in results if result.is_amount]
    if of_several := _of_several(clause, known, results, amounts):
        return [of_several]
    said = relation_in(clause.text, known.measured_names)
    if said is None or _HEADING.search(clause.text):
        return []
    if phrases("words.not_of_one").search(clause.text) or _OR.match(clause.text, said.end):
        return []
    if _SIZE.match(clause.text, said.start) and not metrics_in(clause.text, known):
        return []
    if _is_at_epoch(clause, results):
        return []
    if not results:
        is_within = _is_within_a_run(clause)
        went = course(clause, said, known) if is_within or _is_under_way(clause, said) else None
        if went or is_within:
            return [went] if went else []
        if not _is_about_results(clause, known, said):
            return []
    sides = Sides.of(clause, known, said, [result for result in results if not result.is_amount], amounts)
    return list(_of_sides(clause, known, said, sides, amounts)) if sides else []


def _of_sides(clause: Clause, known: Known, said: Said, sides: Sides, amounts: Sequence[Result]) -> Iterator[Assertion]:
    """What is said of two sides: that one stands above the other, or how far they lie apart."""
    stated = sides.left.stated
    borne = (row.value * scale for row in (known.stating(stated) if stated else ()) for scale in (1, 100))
    if stated and not sides.what.metric and not any(map(stated.is_near, borne)):
        yield Vague()  # rather what was set than what was measured
    elif amounts:
        yield from _differences(clause, known, said, sides, amounts)
    elif (in_words := _IN_WORDS.search(clause.text)) and (factor := multiple_in(in_words.group(), _TWICE)):
        yield Difference(relation=said.relation, amount=factor, is_factor=True, **sides.about)
    else:
        yield _order(clause, said, sides)


def _of_several(clause: Clause, known: Known, results: Sequence[Result], amounts: Sequence[Result]) -> Assertion | None:
    """What is said of several results at once: how a series goes, which is the best, how many are so."""
    found: Assertion | None = None if results else tendency_in(clause, known)
    if found is None and not amounts:
        found = extreme(clause, known, results)
    return found or none_of(clause, known, results)


def _is_within_a_run(clause: Clause) -> bool:
    """Whether a clause speaks of the epochs or the like of one run, and of nothing beside it."""
    is_said = phrases("words.within_a_run").search(_DOING.sub("", clause.text))
    return bool(is_said) and not names_other_side(clause)


def _is_under_way(clause: Clause, said: Said) -> bool:
    """Whether a clause tells how a run goes: "the loss is still falling", "with a decreasing loss"."""
    before, word = clause.text[: said.start], clause.text[said.start : said.end]
    is_going = word.split()[0].endswith("ing") and _GOING.search(before)
    return bool(is_going) and not names_other_side(replace(clause, text=clause.text[said.start :]))


def _is_at_epoch(clause: Clause, results: Sequence[Result]) -> bool:
    """Whether a clause tells of one epoch, held against another of the run: "The last epoch is lower at 0.77"."""
    place = AT_EPOCH.search(clause.text)
    if place is None or len(results) > 1:
        return False
    if all(result.is_amount for result in results):
        return not place["word"] or place["word"].lower() in ORDINALS
    before = re.sub(r"\bafter(?: the)? *$", "", clause.text[: place.start()], flags=re.IGNORECASE)
    return not names_other_side(replace(clause, text=before + clause.text[place.end() :]))


def _differences(
    clause: Clause, known: Known, said: Said, sides: Sides, amounts: Sequence[Result]
) -> Iterator[Assertion]:
    for amount in amounts:
        number = replace(amount.number, value=abs(amount.number.value))
        is_times = is_factor(number, clause.text)
        difference = Difference(relation=said.relation, amount=number, is_factor=is_times, **sides.about)
        yield _settled(difference, known, is_open=sides.is_open)


def _order(clause: Clause, said: Said, sides: Sides) -> Assertion:
    order = Order(relation=said.relation, every=not sides.is_open, **sides.about)
    # How much is significant is nowhere on record.
    is_vague = said.relation.startswith("not ") and phrases("words.significant").search(clause.text)
    return Vague(metric=order.metric, split=order.split) if is_vague else order


def is_gap(clause: Clause) -> bool:
    """Whether a clause speaks of the distance of two results of one run."""
    return bool(phrases("words.gap").search(clause.text))


def _is_about_results(clause: Clause, known: Known, said: Said) -> bool:
    """Whether what is said to stand so is a result: a metric is named, or the performance of something."""
    is_of_time = said.is_time and phrases("words.of_time").search(clause.text)
    if is_of_time or metrics_in(clause.text, known) or phrases("contest").search(clause.text[said.start : said.end]):
        return True
    if said.relation.removeprefix("not ") not in ("better", "worse"):
        return False
    return bool(phrases("performance").search(clause.text)) or _are_runs(clause.text, known, said)


def _are_runs(text: str, known: Known, said: Said) -> bool:
    """Whether what is compared are two things that were measured, or could have been."""
    against = phrases("operands.against").search(text, said.end)
    if against is None:
        return False
    left, right, what = text[: said.start], text[against.end() :], Meant("", None)
    if naming.named(known, left, what) is None and not references.is_unmeasured(known, left):
        return False
    return references.referred(known, right, what, []) is not None or naming.named(known, right, what) is not None


def _settled(difference: Difference, known: Known, *, is_open: bool) -> Assertion:
    """The difference as it is meant: where that is open, of whichever results on record fit."""
    verdict = difference.judge(known).verdict
    is_missing = verdict is Verdict.UNSUPPORTED
    if not (is_missing or (is_open and verdict is Verdict.CONTRADICTED)):
        return difference
    found = next(_fitting(difference, known), None)
    if found is None:
        return difference
    left, right = found
    return difference.model_copy(update={"left": Operand(rows=(left.id,)), "right": Operand(rows=(right.id,))})


def _fitting(difference: Difference, known: Known) -> Iterator[tuple[Measurement, Measurement]]:
    """The pairs of results of one quantity that lie as far apart as is said."""
    rows = [row for row in _results(known) if is_of(difference.metric, row)]
    for n, left in enumerate(reversed(rows)):
        for right in rows[: len(rows) - n - 1]:
            is_alike = left.metric == right.metric and (left.event is right.event or difference.is_factor)
            if known.comparable(left, right) or is_alike:
                yield from (pair for pair in ((left, right), (right, left)) if lies_between(difference, *pair, known))


def _results(known: Known) -> Sequence[Measurement]:
    means = [row for measured in known.measured_runs for row in measured.means]
    return [*known.given, *known.finals, *means][-_MOST:]


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
