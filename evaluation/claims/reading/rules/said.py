"""A clause with what it mentions: its metrics, its splits, and the results that its numbers state."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import cast

from environment.metrics.meaning import SHARES
from evaluation.claims.reading.rules.asserted import is_hedged
from evaluation.claims.reading.rules.mentions import Mention, first_metric, metrics_in, one_split, split_mentions
from evaluation.claims.reading.rules.numbers import is_amount, is_factor, is_precise, possible
from evaluation.claims.reading.rules.prose import Clause
from evaluation.claims.reading.rules.rows import Meant
from evaluation.claims.reading.rules.spoken_of import Named, named_in
from evaluation.claims.reading.rules.vocabulary import phrases
from evaluation.language.numbers import Number, find_numbers
from evaluation.language.quantity import Unit
from evaluation.language.splits import TIMES, Split, splits_in
from evaluation.record.known import Known
from evaluation.record.settings import sides_in

_NEAR = 28
"""Characters behind a number in which its metric or split may follow."""
_BEHIND = re.compile(
    r"[\s*`)]*(?:(?:of|in|on|for) )?(?:(?:the|its|our) )?"
    r"(?:(?!(?:and|or|with|but|an?|in|at|on|of|for)\b)[\w-]+ ){0,2}$",
    re.IGNORECASE,
)
_ON = re.compile(r"[\s\w*`)-]{0,30}\b(?:on|in|for|over)\s+(?:the |its |our )?(?:\d+-fold )?$", re.IGNORECASE)
_GIVES = re.compile(r"(?!.*\b(?:with|using|by|in|after|at (?:step|epoch)|from)\b)[^,;]{0,40}", re.IGNORECASE)
_PARTING = re.compile(r"\d|;|\b(?:improv|outperform|beat|tied|favou?r)\w*", re.IGNORECASE)
"""What stands between a metric and a number that is not of it."""
_OLD_VALUE = re.compile(r"[\d.]+%?\s*(?:to|→|->)\s*$")
_AND = re.compile(r"\W*and\b", re.IGNORECASE)
"""Behind a number that what follows is not of: "95.8 % and perfect training accuracy"."""
_LETTER = re.compile(r"\b[PR]\s?[=:]?\s?$")
"""In front of a number that is precision or recall."""
_LEADING = re.compile(r"[^,;()]{0,30}")
_PRONOUN = re.compile(r"\W*(?:it|this|that|which|they)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Result:
    """A number that states a result."""

    number: Number
    metric: str = ""  # canonical name; "" where none is named
    split: Split | None = None
    is_named: bool = False  # the metric stands in the same clause
    is_amount: bool = False  # it tells how far two results lie apart
    is_bound: bool = False  # nothing stands between it and its metric that could be what it is of

    @property
    def what(self) -> Meant:
        """The metric and split that it is of."""
        return Meant(self.metric, self.split)


@dataclass(frozen=True)
class Said:
    """A clause, what was known when it was written, and the result before that it goes on about, if any."""

    clause: Clause
    known: Known
    carried: tuple[Result, ...] = ()

    @property
    def text(self) -> str:
        """The clause as it stands."""
        return self.clause.text

    def has(self, name: str, start: int = 0) -> bool:
        """Whether a phrase of a list stands in it."""
        return bool(phrases(name).search(self.text, start))

    @cached_property
    def metrics(self) -> list[Mention]:
        """The metrics that it names."""
        return metrics_in(self.text, self.known)

    @cached_property
    def names(self) -> list[Named]:
        """The things that were measured which it names."""
        return named_in(self.text, self.known)

    @cached_property
    def results(self) -> list[Result]:
        """The results that its numbers state, in order."""
        of_names = {n for _, n in sides_in(self.text) & self.known.index.tables.sides}
        numbers = (
            number
            for number in find_numbers(self.text)
            if not any(each.start < number.start < each.end for each in self.metrics)  # "steps to reach 99 %"
            and number.text.lower().lstrip("<>≤≥= $").replace(",", "") not in of_names  # "people over 40"
        )
        found = (self._result(number) for number in numbers)
        return [each for each in found if each and not is_hedged(self.text, each.number.start)]

    @property
    def values(self) -> list[Result]:
        """Those that are values, the one carried over first."""
        return [each for each in (*self.carried, *self.results) if not each.is_amount]

    @property
    def amounts(self) -> list[Result]:
        """Those that tell how far two values lie apart."""
        return [each for each in self.results if each.is_amount]

    def _result(self, number: Number) -> Result | None:
        text = self.text
        named = self._nearest(number, self.metrics)
        metric = named if named is not None else "" if self.metrics else self.inherited
        metric = "" if _LETTER.search(text, 0, number.start) else metric
        if number.unit is Unit.SECONDS:
            metric = metric if metric in TIMES else "time"
        elif metric in TIMES and number.percent_like:
            metric = ""
        led = "" if text[: number.start].strip() else self.clause.before
        far = is_amount(number, text, led)
        if number not in possible(text) and not (far and (number.percent_like or is_factor(number, text))):
            return None
        is_whole = number.unit is Unit.NONE and number.resolution >= 1
        if is_whole and not far and not self._is_given(number):
            return None
        is_of_other_unit = number.percent_like and not far and metric not in (*SHARES, "", "mape")
        if not (metric or far or is_precise(number)) or (is_of_other_unit and not self._is_share(metric)):
            return None
        is_spread = metric and "std" not in metric and not far and self.has("words.spread")
        if is_spread and phrases("words.spread").search(self._before(number)):
            return None
        split = None
        if metric not in TIMES:
            own = self._nearest(number, split_mentions(text), is_split=True)
            split = cast("Split | None", own) or self.inherited_split(metric)
        return Result(number, metric, split, named is not None, far, self._is_bound(number))

    def around(self, number: Number) -> str:
        """The words about a number, from the one before it to the next."""
        behind = next((at for at in self._parting if at >= number.end), len(self.text))
        return f"{self._before(number)}{self.text[number.start : behind]}"

    def _before(self, number: Number) -> str:
        """The words between a number and the one before it."""
        return self.text[max((at for at in self._parting if at < number.start), default=0) : number.start]

    @cached_property
    def _parting(self) -> list[int]:
        """Where its numbers stand, each of which has a metric of its own."""
        numbers = find_numbers(self.text)
        return [each.start for each in numbers if not self.text.startswith(("-fold", " folds"), each.end)]

    def _nearest(self, number: Number, mentions: Sequence[Mention], *, is_split: bool = False) -> str | None:
        """What is named right behind a number, else last before it, else first after it."""
        text, end = self.text, number.end
        following = next((at for at in self._parting if at >= end), len(text))
        near = [m for m in mentions if end <= m.start <= min(following, end + _NEAR + 12 * is_split)]
        forms = (_BEHIND, _ON)[: 1 + is_split]
        close = next((m for m in near if any(form.fullmatch(text[end : m.start]) for form in forms)), None)
        before = [m for m in mentions if m.end <= number.start]
        if close is not None:
            is_beside = is_split and not text[end : close.start].strip()
            if is_beside and not text.startswith((":", "="), close.end):
                return close.what  # "(90% train"
            is_on_split = is_split and _ON.fullmatch(text[end : close.start])
            if is_on_split or not (before and re.search(r"[:=(]\W*$", text[: number.start])):
                return close.what
        if before:
            return before[-1].what
        return next((m.what for m in mentions if not (self._is_of_next(m) or _AND.match(text, end))), None)

    def _is_of_next(self, mention: Mention) -> bool:
        """Whether a name is rather that of the number right behind it: "0.91 / cv 0.89"."""
        at = next((at for at in self._parting if at >= mention.end), None)
        return at is not None and _LEADING.fullmatch(self.text, mention.end, at) is not None

    def _is_bound(self, number: Number) -> bool:
        """Whether a metric stands in front of a number, or close behind it, without another number or verb between."""
        ends = ((m.end, number.start) if m.end <= number.start else (number.end, m.start) for m in self.metrics)
        return any(not _PARTING.search(_OLD_VALUE.sub("", self.text[a:b])) for a, b in ends)

    def _is_given(self, number: Number) -> bool:
        """Whether a metric stands before a whole number, or right behind it: others are rather counts."""
        if is_precise(number) or any(0 <= each.start - number.end <= 2 for each in self.metrics):
            return True
        before = [each for each in self.metrics if each.end <= number.start]
        return bool(before) and _GIVES.fullmatch(self.text[before[-1].end : number.start]) is not None

    def _is_share(self, metric: str) -> bool:
        """Whether a metric may be told in percent: it was measured so, or nowhere."""
        own = [row for row in self.known.finals if row.metric == metric]
        return not own or any(row.percent or abs(row.value) <= 1 for row in own)

    @cached_property
    def inherited(self) -> str:
        """The metric of the sentence or its heading, where the clause names none."""
        sentence = self.clause.sentence
        named = [each.what for each in metrics_in(self.clause.before, self.known) if each.what]
        is_of_before = _PRONOUN.match(sentence.text)
        texts = (sentence.text, sentence.previous if is_of_before else "", sentence.heading)
        return next((m for m in (*named[-1:], *(first_metric(text, self.known) for text in texts)) if m), "")

    def inherited_split(self, metric: str) -> Split | None:
        """The split of the sentence or its heading, where the clause names none and the metric was measured on it."""
        if splits_in(self.text):
            return None
        before = {split for split, _ in splits_in(self.clause.before)}
        split = before.pop() if len(before) == 1 else None if before else one_split(self.clause.sentence.heading)
        is_of_others = metric in self.known.measured_names and not self.known.measured(metric, split)
        return None if is_of_others else split

    def what(self) -> Meant:
        """The metric and split that it speaks of: those that it names or takes over."""
        metric = first_metric(self.text, self.known) or next((a.metric for a in self.amounts if a.metric), "")
        metric = metric or self.inherited
        return Meant(metric, self.split_of(metric))

    def split_of(self, metric: str) -> Split | None:
        """The split that it speaks of where it speaks of a metric; a time has none."""
        return None if metric in TIMES else one_split(self.text) or self.inherited_split(metric)

    def subject_of(self, result: Result) -> str:
        """What a number is said of: the words between it and the result before, with the settings that they give."""
        start = result.number.start
        before = [number.end for number in possible(self.text) if number.end <= start and number.text[0].isdigit()]
        return self.text[before[-1] if before else 0 : max(start, 0)]

    def as_carried(self, results: Sequence[Result]) -> tuple[Result, ...]:
        """Results of it as a later clause has them that goes on about them: they stand nowhere in that."""
        return tuple(replace(each, number=replace(each.number, start=-1, end=-1)) for each in results)
