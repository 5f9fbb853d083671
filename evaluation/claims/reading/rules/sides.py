"""What stands on either side of a comparison: stated numbers and rows of the record."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from evaluation.claims.judging.finding import ids_of
from evaluation.claims.reading.rules import naming, references
from evaluation.claims.reading.rules.against import against_in, is_right
from evaluation.claims.reading.rules.mentions import inherited, inherited_split, metrics_in, one_split, split_mentions
from evaluation.claims.reading.rules.numbers import Result, subject_of
from evaluation.claims.reading.rules.prose import Clause
from evaluation.claims.reading.rules.references import Meant
from evaluation.claims.reading.rules.relations import Said
from evaluation.claims.reading.rules.vocabulary import found_in, phrases
from evaluation.claims.types.base import Called, Operand
from evaluation.language.splits import TIMES, Split
from evaluation.record.known import Known
from evaluation.record.measurements import Measurement

_OF_START = re.compile(r"\W*(?:the |our )?(?:baseline|original|starter|unmodified|default)\b", re.IGNORECASE)
_WITH_SCRIPT = re.compile(r"\b(?:with|by|using|in)\s+\W?[\w/-]+\.py\b", re.IGNORECASE)
_ALL_ALONG = re.compile(r"\b(?:we|i)(?:'ve| have)\b", re.IGNORECASE)
"""What a whole run came to, whatever was edited last."""
_NEXT = re.compile(r"\s+(?:(?:the|its|final|best|mean|overall|average)\s+)*")
"""Between a relation and what stands so: "lower final accuracies"."""
_IS = re.compile(r"\b(?:is|are|was|were)\s+(?:\w+ly\s+|much\s+|still\s+)*$", re.IGNORECASE)
_GAINS = ("better", "higher", "lower")
"""What is said of several data sets may be meant as a gain over the baseline as well as over the run before."""
_SEVERAL = re.compile(
    r"\b(?:runs|models|methods|variants|approaches|experiments|configurations|versions)\b", re.IGNORECASE
)
"""Subjects that are several results at once."""
_BOTH = re.compile(r"\bboth (.+?) and (.+)", re.IGNORECASE)


def operand(stated: Sequence[Result], rows: Sequence[Measurement]) -> Operand:
    """One side, of the number stated and the rows meant."""
    return Operand(stated=stated[0].number if stated else None, rows=ids_of(rows))


@dataclass(frozen=True)
class Sides:
    """Both sides of a comparison; ``is_open`` where the words leave open what it is held against."""

    what: Meant
    left: Operand
    right: Operand
    is_open: bool = False

    @property
    def about(self) -> dict[str, Any]:
        """The fields of an order or a difference."""
        return {"metric": self.what.metric, "split": self.what.split, "left": self.left, "right": self.right}

    @classmethod
    def of(
        cls, clause: Clause, known: Known, said: Said, stated: Sequence[Result], amounts: Sequence[Result]
    ) -> Sides | None:
        """What stands on either side; ``None`` where that cannot be told."""
        text = clause.text
        subject = text[: said.start]
        if _SEVERAL.search(subject) or (_IS.search(subject) and naming.is_of_other(subject, known)):
            return None
        against = against_in(text, said)
        left = [result for result in stated if not is_right(result, text, against)]
        right = [result for result in stated if is_right(result, text, against)]
        if (
            len(left) > 1
            or len(right) > 1
            or (said.is_time and any(each.metric not in TIMES for each in [*left, *right]))
        ):
            return None
        what = _what(clause, known, next(iter([*left, *right]), None), said, amounts)
        if right and what.metric == "score" and (borne := references.bearing(known, what, right[0].number)):
            what = replace(what, metric=borne[-1].metric)  # which of them the number tells
        left, right = _of_own(text, known, what, left, right)
        of_two = _two_splits(clause, known, what, against)
        if of_two is not None and not left and not right:
            return cls(Meant(what.metric, None), *of_two)
        own = _left_rows(clause, known, what, left, against)
        if left and not right and own:  # which of several things it is of is open
            own = [
                row for row in references.all_bearing(known, what, left[0].number) if row.event is own[-1].event
            ] or own
        other = _right_rows(clause, known, what, right, own, against, is_amount=bool(amounts))
        if other is None:
            return None
        own, other = ([references.like(known, row, text) for row in side] for side in (own, other))
        is_open = not right and not _names_right(clause, known, what, own, against)
        other = other if right else [row for row in other if left or row.id not in {each.id for each in own}]
        if not left and not other and not right and own:
            if is_open and said.relation.removeprefix("not ") not in ("better", "worse"):
                return None
            own = []  # what is spoken of was not measured since
        if amounts and not left and own == references.current(known, what):  # or the best so far is spoken of
            own = [*own, *(row for row in references.best_so_far(known, what, own) if row not in (*own, *other))]
        is_lost = not (left or right or own or other) and len({(row.event.id, row.label) for row in known.finals}) > 1
        if is_lost and not (references.is_unmeasured(known, text) or naming.is_unheard(text, known)):
            return None
        against_it = operand(right, other).model_copy(update={"called": _called(text, right)})
        is_open = is_open and (len({row.event.id for row in other}) > 1 or len(own) > len({row.label for row in own}))
        return cls(what, operand(left, own), against_it, is_open)


def _two_splits(clause: Clause, known: Known, what: Meant, against: int | None) -> tuple[Operand, Operand] | None:
    """One run's results on two splits that are held against each other."""
    mentions = split_mentions(clause.text)
    before = [each.what for each in mentions if against is not None and each.end <= against]
    behind = [each.what for each in mentions if against is not None and each.start >= against]
    if not before or not behind or before[-1] == behind[0]:
        return None
    rows = references.current(known, Meant(what.metric, cast("Split", before[-1])))
    others = [row for row in references.beside(known, rows) if row.split == behind[0] and row.epoch == rows[-1].epoch]
    others = [row for row in others if row.label == rows[-1].label] or others
    if rows and not others:  # another script measured it
        others = references.current(known, Meant(rows[-1].metric, cast("Split", behind[0])))
    return operand([], rows), operand([], others[-1:])


def _of_own(
    text: str, known: Known, what: Meant, left: list[Result], right: list[Result]
) -> tuple[list[Result], list[Result]]:
    """As "enough to exceed the baseline (0.72)": a number in brackets that the latest run measured."""
    if left or len(right) != 1 or not text[: right[0].number.start].rstrip().endswith("("):
        return left, right
    own = known.index.of_event(known.measured_runs[-1].event) if known.measured_runs else ()
    stating = {row.id for row in references.all_bearing(known, what, right[0].number)}
    is_base = any(row.id in stating for row in references.baseline(known, what, every=True))
    is_own = any(row.id in stating for row in own)
    return (right, left) if is_own and not is_base else (left, right)


def _called(text: str, right: Sequence[Result]) -> Called | None:
    """What the words in front of a number call the result that it is of."""
    kind = found_in("references", subject_of(text, right[0])) if right else None
    return kind if kind in ("baseline", "best") else None  # type: ignore[return-value]


def _what(clause: Clause, known: Known, named: Result | None, said: Said, amounts: Sequence[Result]) -> Meant:
    if named is not None and named.metric:
        return Meant(named.metric, named.split)
    if said.is_time:
        return Meant("time", None)
    mentions = [each for each in metrics_in(clause.text, known) if each.what]
    mentions.sort(key=lambda each: not _NEXT.fullmatch(clause.text, said.end, each.start))
    metric = (
        mentions[0].what if mentions else next((a.metric for a in amounts if a.metric), "") or inherited(clause, known)
    )
    split = None if metric in TIMES else one_split(clause.text) or inherited_split(clause, known, metric)
    is_official = phrases("words.official").search(clause.text) and any(row.is_official for row in known.values)
    return Meant(metric, None, is_official=True) if is_official else Meant(metric, split)


def _left_rows(
    clause: Clause, known: Known, what: Meant, left: Sequence[Result], against: int | None
) -> list[Measurement]:
    subject = clause.text[:against]
    if left:
        return _of_script(clause.text, known, what) or _bearing(clause.text, known, what, left[0])
    is_of_all = bool(_ALL_ALONG.search(subject))
    if references.is_unmeasured(known, subject) and not is_of_all:
        return []
    if _OF_START.match(subject):
        return references.baseline(known, what)
    rows = naming.named(known, subject, what)
    if rows is not None:
        return rows
    latest = references.current(known, what)
    return references.best_so_far(known, what, latest) if is_of_all else latest


def _bearing(text: str, known: Known, what: Meant, result: Result) -> list[Measurement]:
    """The rows of the step that stands behind a number, else the latest row that bears it."""
    return references.of_step(known, what, text, result) or references.bearing(known, what, result.number)


def _of_script(text: str, known: Known, what: Meant) -> list[Measurement] | None:
    """The results of the script with which a clause says that something was measured."""
    named = _WITH_SCRIPT.search(text)
    return naming.of_script(known, named.group(), what) if named else None


def _names_right(clause: Clause, known: Known, what: Meant, own: Sequence[Measurement], against: int | None) -> bool:
    """Whether a clause says what a result is held against."""
    phrase = clause.text[against:] if against is not None else ""
    rows = references.referred(known, clause.text, what, own)
    return rows is not None or bool(phrase and naming.named(known, phrase, what))


def _beside(text: str, known: Known, own: Sequence[Measurement]) -> list[Measurement]:
    """What stands beside a result in its own run, where a clause speaks of epochs or of the training data."""
    is_meant = phrases("words.within_a_run").search(text) or any(each.what == "train" for each in split_mentions(text))
    return references.beside(known, own) if is_meant else []


def _right_rows(
    clause: Clause,
    known: Known,
    what: Meant,
    right: Sequence[Result],
    own: Sequence[Measurement],
    against: int | None,
    *,
    is_amount: bool,
) -> list[Measurement] | None:
    text = clause.text
    if right:
        anywhere = Meant(what.metric, None)  # the split is named of the left side
        return _bearing(text, known, what, right[0]) or references.bearing(known, anywhere, right[0].number)
    phrase = text[against:] if against is not None else ""
    if both := _BOTH.search(phrase):
        sides = [references.referred(known, each, what, own) or [] for each in both.groups()]
        return [row for side in sides for row in side] if all(sides) else None
    rows = references.referred(known, phrase, what, own, every=is_amount) if phrase else None
    if rows is None and phrase:
        rows = naming.named(known, phrase, what)
        if rows is None and naming.name_words(phrase, known):
            return None
    if rows is None and _OF_START.match(text) and against is None:
        return references.current(known, what)
    if rows is None:
        rows = references.referred(known, text, what, own, every=is_amount)
    if rows is not None:
        return rows
    if own and own[-1].event is not known.measured_runs[-1].event:
        latest = references.current(known, Meant(own[-1].metric, own[-1].split))
        if not is_amount:  # of a result of long ago nothing says what it is held against
            return [*references.previous(known, what, own), *latest]
    if is_amount:
        return [*references.earlier(known, what, own), *_beside(text, known, own)] or None
    before = [row for each in own for row in references.previous(known, what, [each])]
    if before or (not own and (before := references.previous(known, what, []))):
        return before
    latest = references.current(known, what)
    return [row for row in latest if not own or row in own or row.event is not own[-1].event] or None
