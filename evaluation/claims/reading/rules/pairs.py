"""What stands on either side of a comparison: stated numbers and rows of the record."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, cast

from evaluation.claims.judging.finding import ids_of
from evaluation.claims.reading.rules import names, rows
from evaluation.claims.reading.rules.mentions import metrics_in, one_split, split_mentions
from evaluation.claims.reading.rules.relations import Related, against_in, is_right, plain_pair
from evaluation.claims.reading.rules.rows import Meant
from evaluation.claims.reading.rules.said import Result, Said
from evaluation.claims.reading.rules.vocabulary import found_in, phrases
from evaluation.claims.types.base import Called, Operand
from evaluation.language.splits import TIMES, Split
from evaluation.record.known import Known
from evaluation.record.measurements import Measurement

_OF_START = re.compile(r"\W*(?:the |our )?(?:baseline|original|starter|unmodified|default)\b", re.IGNORECASE)
_ALL_ALONG = re.compile(r"\b(?:we|i)(?:'ve| have)\b", re.IGNORECASE)
"""What a whole run came to, whatever was edited last."""
_BOTH = re.compile(r"\bboth (.+?) and (.+)", re.IGNORECASE)
_NEXT = re.compile(r"\s+(?:(?:the|its|final|best|mean|overall|average)\s+)*")
"""Between a relation and what stands so: "lower final accuracies"."""


def operand(stated: Sequence[Result], meant: Sequence[Measurement], called: Called | None = None) -> Operand:
    """One side, of the number stated and the rows meant."""
    return Operand(stated=stated[0].number if stated else None, rows=ids_of(meant), called=called)


@dataclass(frozen=True)
class Pair:
    """Both sides of a comparison; ``is_open`` where the words leave open what it is held against."""

    what: Meant
    left: Operand
    right: Operand
    is_open: bool = False

    @property
    def about(self) -> dict[str, Any]:
        """The fields of an order or a difference."""
        return {"metric": self.what.metric, "split": self.what.split, "left": self.left, "right": self.right}


def pair_of(said: Said, related: Related) -> Pair | None:
    """What a clause holds against each other; ``None`` where that cannot be told."""
    subject = said.text[: related.start]
    sides = [side for side in (subject, said.text[related.end :]) if names.number_in(side)]
    is_lost = not all(names.numbered(said.known, side, Meant("")) for side in sides)
    if phrases("words.several_results").search(subject) or is_lost:
        return None
    compared = _Compared(said, related)
    if named := compared.of_names():
        return named
    is_of_others = related.is_time and any(each.metric not in TIMES for each in said.values)
    if len(compared.left) > 1 or len(compared.right) > 1 or is_of_others:
        return None
    return compared.of_splits() or compared.pair()


@dataclass(frozen=True)
class _Compared:
    """What a comparison says, of which the rows on either side are looked for."""

    said: Said
    related: Related

    @property
    def known(self) -> Known:
        return self.said.known

    @cached_property
    def against(self) -> int | None:
        """Where the words begin that say what it is held against."""
        return against_in(self.said.text, self.related.end)

    @cached_property
    def left(self) -> list[Result]:
        """The number that the result spoken of has, if any."""
        return [each for each in self.said.values if each not in self.right]

    @cached_property
    def right(self) -> list[Result]:
        """The number that it is held against, if any."""
        return [each for each in self.said.values if is_right(each, self.said.text, self.against)]

    @cached_property
    def phrase(self) -> str:
        """The words that say what it is held against."""
        return self.said.text[self.against :] if self.against is not None else ""

    @cached_property
    def what(self) -> Meant:
        """The metric and split that are compared."""
        said, stated = self.said, next(iter([*self.left, *self.right]), None)
        if stated is not None and stated.metric:
            borne = rows.bearing(self.known, stated.what, self.right[0].number) if self.right else []
            return replace(stated.what, metric=borne[-1].metric) if borne and stated.metric == "score" else stated.what
        if self.related.is_time:
            return Meant("time")
        beside = [m.what for m in said.metrics if m.what and _NEXT.fullmatch(said.text, self.related.end, m.start)]
        what = Meant(beside[0], said.split_of(beside[0])) if beside else said.what()
        return Meant(what.metric, None, is_official=True) if said.has("words.official") else what

    def of_names(self) -> Pair | None:
        """Two things that are named in their places, and have results."""
        pair = plain_pair(self.said.text, self.said.names)
        left, right = (rows.of_subject(self.known, each, self.what) for each in pair) if pair else ([], [])
        if not (left and right) or len(self.left) > 1 or len(self.right) > 1:
            return None
        return Pair(self.what, operand(self.left, left), operand(self.right, right))

    def of_splits(self) -> Pair | None:
        """One run's results on two splits that are held against each other."""
        against, left, known = self.against, self.left, self.known
        mentions = split_mentions(self.said.text) if against is not None and not self.right else []
        before = [each.what for each in mentions if each.end <= (against or 0)]
        behind = [each.what for each in mentions if each.start >= (against or 0)]
        if not before or not behind or before[-1] == behind[0]:
            return None
        what = Meant(self.what.metric, cast("Split", before[-1]))
        own = rows.bearing(known, what, left[0].number) if left else rows.current(known, what)
        others = [row for row in rows.beside(known, own) if row.split == behind[0] and row.epoch == own[-1].epoch]
        if own and not others:  # another script measured it
            others = rows.current(known, Meant(own[-1].metric, cast("Split", behind[0])))
        return Pair(Meant(what.metric), operand(left, own), operand([], others[-1:])) if own or not left else None

    def pair(self) -> Pair | None:
        """Both sides; ``None`` where it cannot be told what one of them is."""
        left, right, known, what = self.left, self.right, self.known, self.what
        own = self._own()
        other = self._other(own)
        if other is None:
            return None
        is_open = not (right or found_in("references", self.said.text))
        ids = {row.id for row in own}
        other = other if left or right else [row for row in other if row.id not in ids]
        if own and not (left or other or right):
            if is_open and self.related.plain not in ("better", "worse"):
                return None
            own = []  # what is spoken of was not measured since
        if self.said.amounts and not left and own == rows.current(known, what):  # or the best is spoken of
            best = rows.best_so_far(known, what, own)
            own = [*own, *(row for row in best if row not in (*own, *other))]
        if not (left or right or own or other) and self._is_lost():
            return None
        is_of_several = any(row.event is not other[0].event for row in other)
        is_open = is_open and (is_of_several or len(own) > len({row.label for row in own}))
        return Pair(what, operand(left, own), operand(right, other, self._called()), is_open)

    def _is_lost(self) -> bool:
        """Whether several things were measured, any of which may be meant."""
        text, known = self.said.text, self.known
        is_one = len({(row.event.id, row.label) for row in known.finals}) < 2
        return not (is_one or rows.is_unmeasured(known, text) or names.is_unheard(text, known))

    def _own(self) -> list[Measurement]:
        """The result that is spoken of."""
        subject, known, what = self.said.text[: self.against], self.known, self.what
        if self.left:
            stated = self.left[0].number
            own = rows.bearing(known, what, stated)
            every = rows.those_of(known, known.stating(stated), what) if own and not self.right else []
            return [row for row in every if row.event is own[-1].event] or own  # which of several things is open
        is_of_all = bool(_ALL_ALONG.search(subject))
        if rows.is_unmeasured(known, subject) and not is_of_all:
            return []
        if _OF_START.match(subject):
            return rows.baseline(known, what)
        found = names.named(known, subject, what)
        if found is not None:
            return found
        latest = rows.current(known, what)
        return rows.best_so_far(known, what, latest) if is_of_all else latest

    def _other(self, own: Sequence[Measurement]) -> list[Measurement] | None:
        """What a result is held against; ``None`` where that cannot be told."""
        text, known, what, phrase, every = self.said.text, self.known, self.what, self.phrase, bool(self.said.amounts)
        if self.right:
            return self._stated_other(self.right[0])
        if any(each.what not in ("", what.metric) for each in metrics_in(phrase, known)):
            return None
        if both := _BOTH.search(phrase):
            sides = [rows.referred(known, each, what, own) or [] for each in both.groups()]
            return [row for side in sides for row in side] if all(sides) else None
        found = names.numbered(known, phrase, what)
        found = found or (rows.referred(known, phrase, what, own, every=every) if phrase else None)
        if found is None and phrase:
            found = names.named(known, phrase, what)
            if found is None and names.name_words(phrase, known):
                return None
        if found is None and _OF_START.match(text) and self.against is None:
            return rows.current(known, what)
        found = found if found is not None else rows.referred(known, text, what, own, every=every)
        return found if found is not None else self._before(own)

    def _stated_other(self, right: Result) -> list[Measurement]:
        """The rows whose number a result is held against."""
        known, what = self.known, self.what
        if self._called() == "baseline":
            every = rows.those_of(known, known.stating(right.number), what)
            if own := [row for row in every if row.is_of_baseline]:
                return own[-1:]
        anywhere = Meant(what.metric)  # the split is named of the left side
        return rows.bearing(known, what, right.number) or rows.bearing(known, anywhere, right.number)

    def _before(self, own: Sequence[Measurement]) -> list[Measurement] | None:
        """What a result is held against where nothing says it: the one before it, or any where an amount tells."""
        known, what = self.known, self.what
        if self.said.amounts:
            is_within = self.said.has("words.within_a_run") or one_split(self.said.text) == "train"
            return [*rows.earlier(known, what, own), *(rows.beside(known, own) if is_within else [])] or None
        if own and own[-1].event is not known.measured_runs[-1].event:
            latest = rows.current(known, Meant(own[-1].metric, own[-1].split))
            return [*rows.previous(known, what, own), *latest]  # of long ago, nothing says against what
        before = [row for each in own for row in rows.previous(known, what, [each])]
        if before or (not own and (before := rows.previous(known, what, []))):
            return before
        latest = rows.current(known, what)
        return [row for row in latest if not own or row in own or row.event is not own[-1].event] or None

    def _called(self) -> Called | None:
        """What the words in front of a number call the result that it is of."""
        kind = found_in("references", self.said.subject_of(self.right[0])) if self.right else None
        return cast("Called", kind) if kind in ("baseline", "best") else None
