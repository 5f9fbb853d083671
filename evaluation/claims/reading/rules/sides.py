"""What stands on either side of a comparison: stated numbers and rows of the record."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from evaluation.claims.reading.rules import naming, references
from evaluation.claims.reading.rules.mentions import metrics_in, one_split, split_mentions
from evaluation.claims.reading.rules.numbers import Result, inherited, inherited_split, operand, subject_of
from evaluation.claims.reading.rules.prose import Clause
from evaluation.claims.reading.rules.references import Meant
from evaluation.claims.reading.rules.relations import Said, against_in, is_right, two_splits
from evaluation.claims.reading.rules.vocabulary import found_in, phrases
from evaluation.claims.types.base import Called, Operand
from evaluation.language.splits import TIMES
from evaluation.record.known import Known
from evaluation.record.measurements import Measurement

_OF_START = re.compile(r"\W*(?:the |our )?(?:baseline|original|starter|unmodified|default)\b", re.IGNORECASE)
_WITH_SCRIPT = re.compile(r"\b(?:with|by|using|in)\s+\W?[\w/-]+\.py\b", re.IGNORECASE)
_ALL_ALONG = re.compile(r"\b(?:we|i)(?:'ve| have)\b", re.IGNORECASE)
"""What a whole run came to, whatever was edited last."""
_NEXT = re.compile(r"\s+(?:(?:the|its|final|best|mean|overall|average)\s+)*")
"""Between a relation and what stands so: "lower final accuracies"."""
_IS = re.compile(r"\b(?:is|are|was|were)\s+(?:\w+ly\s+|much\s+|still\s+)*$", re.IGNORECASE)
_BOTH = re.compile(r"\bboth (.+?) and (.+)", re.IGNORECASE)


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
        if phrases("words.several_results").search(subject):
            return None
        if _IS.search(subject) and naming.is_of_other(subject, known):
            return None
        against = against_in(text, said)
        left = [result for result in stated if not is_right(result, text, against)]
        right = [result for result in stated if is_right(result, text, against)]
        is_of_others = said.is_time and any(each.metric not in TIMES for each in stated)
        if len(left) > 1 or len(right) > 1 or is_of_others:
            return None
        what = _what(clause, known, next(iter([*left, *right]), None), said, amounts)
        if right and what.metric == "score" and (borne := references.bearing(known, what, right[0].number)):
            what = replace(what, metric=borne[-1].metric)  # which of them the number tells
        of_two = two_splits(clause, known, what, against, left)
        if of_two is not None and not right:
            return cls(Meant(what.metric, None), *of_two)
        return _Rows(text, known, what, left, right, against, bool(amounts)).sides(said)


@dataclass(frozen=True)
class _Rows:
    """What a comparison says, of which the rows on either side are looked for."""

    text: str
    known: Known
    what: Meant
    left: Sequence[Result]  # the number that the result spoken of has, if any
    right: Sequence[Result]  # the number that it is held against, if any
    against: int | None  # where the words begin that say what it is held against
    is_amount: bool  # it is said how far both lie apart

    def sides(self, said: Said) -> Sides | None:
        """Both sides; ``None`` where it cannot be told what one of them is."""
        left, right, text, known = self.left, self.right, self.text, self.known
        own = self._own()
        found = self._other(own)
        if found is None:
            return None
        other = found
        is_open = not right and not self._names_other(own)
        other = other if right else [row for row in other if left or row.id not in {each.id for each in own}]
        if own and not (left or other or right):
            if is_open and said.relation.removeprefix("not ") not in ("better", "worse"):
                return None
            own = []  # what is spoken of was not measured since
        if self.is_amount and not left and own == references.current(known, self.what):  # or the best is spoken of
            best = references.best_so_far(known, self.what, own)
            own = [*own, *(row for row in best if row not in (*own, *other))]
        if not (left or right or own or other) and self._is_lost():
            return None
        is_open = is_open and (len({row.event.id for row in other}) > 1 or len(own) > len({row.label for row in own}))
        against_it = operand(right, other).model_copy(update={"called": _called(text, right)})
        return Sides(self.what, operand(left, own), against_it, is_open)

    def _is_lost(self) -> bool:
        """Whether several things were measured, any of which may be meant."""
        is_one = len({(row.event.id, row.label) for row in self.known.finals}) < 2
        return not (
            is_one or references.is_unmeasured(self.known, self.text) or naming.is_unheard(self.text, self.known)
        )

    def _own(self) -> list[Measurement]:
        """The result that is spoken of."""
        subject, known, what = self.text[: self.against], self.known, self.what
        if self.left:
            own = _of_script(self.text, known, what) or references.bearing(known, what, self.left[0].number)
            if self.right or not own:
                return own
            bearing = references.all_bearing(known, what, self.left[0].number)
            return [row for row in bearing if row.event is own[-1].event] or own  # which of several things is open
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

    @property
    def _phrase(self) -> str:
        """The words that say what a result is held against."""
        return self.text[self.against :] if self.against is not None else ""

    def _names_other(self, own: Sequence[Measurement]) -> bool:
        """Whether a clause says what a result is held against."""
        rows = references.referred(self.known, self.text, self.what, own)
        return rows is not None or bool(self._phrase and naming.named(self.known, self._phrase, self.what))

    def _other(self, own: Sequence[Measurement]) -> list[Measurement] | None:
        """What a result is held against; ``None`` where that cannot be told."""
        text, known, what, phrase = self.text, self.known, self.what, self._phrase
        if self.right:
            anywhere = Meant(what.metric, None)  # the split is named of the left side
            stated = self.right[0]
            if _called(text, self.right) == "baseline":
                bearing = references.all_bearing(known, what, stated.number)
                if own_rows := [row for row in bearing if row.is_of_baseline]:
                    return own_rows[-1:]
            return references.bearing(known, what, stated.number) or references.bearing(known, anywhere, stated.number)
        if both := _BOTH.search(phrase):
            sides = [references.referred(known, each, what, own) or [] for each in both.groups()]
            return [row for side in sides for row in side] if all(sides) else None
        rows = references.referred(known, phrase, what, own, every=self.is_amount) if phrase else None
        if rows is None and phrase:
            rows = naming.named(known, phrase, what)
            if rows is None and naming.name_words(phrase, known):
                return None
        if rows is None and _OF_START.match(text) and self.against is None:
            return references.current(known, what)
        if rows is None:
            rows = references.referred(known, text, what, own, every=self.is_amount)
        return rows if rows is not None else self._before(own)

    def _before(self, own: Sequence[Measurement]) -> list[Measurement] | None:
        """What a result is held against where nothing says it: the one before it, or any where an amount tells."""
        known, what = self.known, self.what
        if self.is_amount:
            return [*references.earlier(known, what, own), *_beside(self.text, known, own)] or None
        if own and own[-1].event is not known.measured_runs[-1].event:
            latest = references.current(known, Meant(own[-1].metric, own[-1].split))
            return [*references.previous(known, what, own), *latest]  # of long ago, nothing says against what
        before = [row for each in own for row in references.previous(known, what, [each])]
        if before or (not own and (before := references.previous(known, what, []))):
            return before
        latest = references.current(known, what)
        return [row for row in latest if not own or row in own or row.event is not own[-1].event] or None


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


def _of_script(text: str, known: Known, what: Meant) -> list[Measurement] | None:
    """The results of the script with which a clause says that something was measured."""
    named = _WITH_SCRIPT.search(text)
    return naming.of_script(known, named.group(), what) if named else None


def _beside(text: str, known: Known, own: Sequence[Measurement]) -> list[Measurement]:
    """What stands beside a result in its own run, where a clause speaks of epochs or of the training data."""
    is_meant = phrases("words.within_a_run").search(text) or any(each.what == "train" for each in split_mentions(text))
    return references.beside(known, own) if is_meant else []
