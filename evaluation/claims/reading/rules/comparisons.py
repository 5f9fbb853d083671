"""Reads comparisons: an order, a difference, a best or worst, a tendency."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from evaluation.claims.reading.rules import naming, references, unmeasured
from evaluation.claims.reading.rules.counts import count_of
from evaluation.claims.reading.rules.distances import settled
from evaluation.claims.reading.rules.epochs import is_of_settings, of_epochs, with_setting
from evaluation.claims.reading.rules.measured import is_factor
from evaluation.claims.reading.rules.numbers import (
    Result,
    metrics_in,
    split_mentions,
)
from evaluation.claims.reading.rules.other_side import names_other_side
from evaluation.claims.reading.rules.prose import Clause
from evaluation.claims.reading.rules.references import Meant
from evaluation.claims.reading.rules.relations import Said, relation_in, relations_in
from evaluation.claims.reading.rules.series import course, each_of_all, extreme, on_each_split, tendency_in
from evaluation.claims.reading.rules.sides import Sides
from evaluation.claims.reading.rules.vocabulary import phrases
from evaluation.claims.types.base import Assertion, Relation
from evaluation.claims.types.difference import Difference
from evaluation.claims.types.order import Order
from evaluation.claims.types.vague import Vague
from evaluation.claims.types.value import Value
from evaluation.language.multiples import multiple_in
from evaluation.language.quantity import Quantity
from evaluation.language.splits import GAP, Split
from evaluation.record.known import Known

_DOING = re.compile(r"\W*\w+ing\b(?: \S+){1,6}? (?=\w+ed\b|has\b|had\b|did\b|\w+s\b (?:the|a)\b)", re.IGNORECASE)
_MULTIPLE = re.compile(
    r"(?:(?:more|less) than |over |under |about |almost |nearly |roughly )?(?:an? |the |by "
    r"|in )*(?P<word>doubl(?:es?|ed)|twice|tripl(?:es?|ed)|(?<=in )half|(?<=by )half|(?<=than )half(?! an? )"
    r"|halv(?:es?|ed)|half of)\b(?! the number)(?: as (?:fast|large|high|good|long|slow|much)\b)?",
    re.I,
)
_PERFORMS = re.compile(
    r"\b(?:perform|fare|work|generali[sz]e|score|do|did|does)(?:s|d|ed)?\W+(?:\w+ ){0,2}$", re.IGNORECASE
)
_TIMES = {"dou": 2.0, "twi": 2.0, "tri": 3.0}
_SIGNS: dict[str, Relation] = {"+": "higher", "-": "lower", "−": "lower"}


def read_comparison(clause: Clause, known: Known, results: Sequence[Result]) -> Iterator[Assertion]:
    """The comparison that a clause makes, none where what is compared cannot be told.

    ``results`` are the numbers of the clause; the result that it goes on from stands first, where it names none.
    """
    if is_gap(clause):
        yield from _gap(clause, results)
        return
    if not results and is_of_settings(clause):
        yield from with_setting(clause, known)
        return
    amounts = [result for result in results if result.is_amount]
    if not amounts:
        simple = next(tendency_in(clause, known), None) if not results else None
        if of_all := simple or extreme(clause, known, results):
            yield of_all
            return
    if counted := count_of(clause, known, results):
        yield counted
        return
    said = relation_in(clause.text) or _by_sign(amounts)
    if multiple := _multiple(clause, amounts):
        before = said if said and not multiple.start <= said.start < multiple.end else None
        default = Said("lower" if multiple.is_part else "higher", 0, 0, is_time=False)
        said = relation_in(clause.text[multiple.word :]) or before or default
        blank = " " * (multiple.end - multiple.start)
        clause = replace(clause, text=f"{clause.text[: multiple.start]}{blank}{clause.text[multiple.end :]}")
    if said is None:
        return
    if phrases("words.none").search(clause.text[: said.start]):
        yield Vague()  # of which of all it is said is open
        return
    if len(results) == len(amounts) and (found := of_epochs(clause, known, said, amounts)):
        yield found
        return
    splits = {each.what for each in split_mentions(clause.text)}
    if every := each_of_all(clause, known, said, results):
        yield every
        return
    if not results and len(splits) > 1 and len(list(relations_in(clause.text))) > 1:
        return
    if (
        not results
        and phrases("words.within_a_run").search(_without_doing(clause.text))
        and not names_other_side(clause)
    ):
        yield from course(clause, said, known)
        return
    if not results and not _is_about_results(clause, known, said):
        return
    if phrases("words.both").search(clause.text) and len(splits) > 1 and not results:
        metric = next((each.what for each in metrics_in(clause.text, known)), "")
        yield from on_each_split(Meant(metric, None), cast("set[Split]", splits), said, known)
        return
    sides = Sides.of(clause, known, said, [result for result in results if not result.is_amount], amounts)
    if sides is None:
        return
    about: dict[str, Any] = {
        "metric": sides.what.metric,
        "split": sides.what.split,
        "left": sides.left,
        "right": sides.right,
    }
    if multiple and not amounts:
        yield Difference(relation=said.relation, amount=multiple.quantity, is_factor=True, **about)
        return
    for amount in amounts:
        number = replace(amount.number, value=abs(amount.number.value))
        difference = Difference(
            relation=said.relation, amount=number, is_factor=is_factor(number, clause.text), **about
        )
        yield settled(difference, known, is_open=sides.is_open)
    if not amounts:
        order = Order(relation=said.relation, every=not sides.is_open, **about)
        # How much is significant is nowhere on record.
        is_vague = said.relation.startswith("not ") and phrases("words.significant").search(clause.text)
        yield Vague(metric=order.metric, split=order.split) if is_vague else order


def _by_sign(amounts: Sequence[Result]) -> Said | None:
    """The relation that the sign of a distance gives: "1.0511 (+0.0079)", "-0.4 points against the baseline"."""
    relation = _SIGNS.get(amounts[0].number.text[0]) if len(amounts) == 1 else None
    if relation is None:
        return None
    at = amounts[0].number.start
    return Said(relation, at, at, is_time=False)


@dataclass(frozen=True)
class _Multiple:
    """A factor in words: "doubled", "twice as fast", "cut in half"."""

    quantity: Quantity
    is_part: bool
    start: int
    word: int
    end: int


def _multiple(clause: Clause, amounts: Sequence[Result]) -> _Multiple | None:
    found = _MULTIPLE.search(clause.text) if not amounts else None
    if found is None:
        return None
    is_part = "hal" in found["word"].lower()
    quantity = multiple_in(found.group(), 2.0 if is_part else _TIMES[found["word"][:3].lower()])
    return _Multiple(quantity, is_part, found.start(), found.start("word"), found.end()) if quantity else None


def _without_doing(text: str) -> str:
    """A clause without what was done at its start: "Doubling the epochs improved the accuracy"."""
    doing = _DOING.match(text)
    return text[doing.end() :] if doing else text


def is_gap(clause: Clause) -> bool:
    """Whether a clause speaks of the distance of two results of one run."""
    return bool(phrases("words.gap").search(clause.text))


def _gap(clause: Clause, results: Sequence[Result]) -> Iterator[Value]:
    """As "The gap between training and validation loss is 0.14"; of other distances nothing is read."""
    if len(results) == 1 and len({each.what for each in split_mentions(clause.text)}) > 1:
        yield Value(metric=GAP, stated=results[0].number)


def _is_about_results(clause: Clause, known: Known, said: Said) -> bool:
    """Whether what is said to stand so is a result: a metric is named, or the performance of something."""
    named = metrics_in(clause.text, known)
    if named or phrases("contest").search(clause.text[said.start : said.end]):
        return True
    if said.relation.removeprefix("not ") in ("better", "worse") and _PERFORMS.search(clause.text[: said.start]):
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
    if naming.named(known, left, what) is None and not unmeasured.is_unmeasured(left, known):
        return False
    return references.referred(known, right, what, []) is not None or naming.named(known, right, what) is not None
