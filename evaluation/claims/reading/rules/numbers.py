"""The numbers of a clause that are results, with the metrics and splits that it names or takes over."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from environment.metrics.meaning import SHARES, names_in
from evaluation.claims.judging.finding import ids_of
from evaluation.claims.reading.rules.measured import BACK, is_amount, is_factor, is_precise, possible
from evaluation.claims.reading.rules.mentions import Mention, first_metric, metrics_in, one_split, split_mentions
from evaluation.claims.reading.rules.prose import Clause
from evaluation.claims.types.base import Operand
from evaluation.language.numbers import Number, find_numbers
from evaluation.language.quantity import Unit
from evaluation.language.splits import TIMES, Split, splits_in
from evaluation.record.known import Known
from evaluation.record.measurements import Measurement
from evaluation.record.settings import sides_in

_WHOLE = 100
_NEAR = 28
"""Characters behind a number in which its metric or split may follow."""
_BEHIND = re.compile(
    r"[\s*`)]*(?:(?:of|in|on|for) )?(?:(?:the|its|our) )?(?:(?!(?:and|or|with|but|an?|in|at|on"
    r"|of|for)\b)[\w-]+ ){0,2}$",
    re.I,
)
_ON = re.compile(r"[\s\w*`)-]{0,30}\b(?:on|in|for|over)\s+(?:the |its |our )?(?:\d+-fold )?$", re.IGNORECASE)
_PART_OF = re.compile(r"\W{0,2}\s*of (?:the |all )?\w")
_GIVES = re.compile(r"(?!.*\b(?:with|using|by|in|after|at (?:step|epoch)|from)\b)[^,;]{0,40}", re.IGNORECASE)
_YEAR = re.compile(r"(?:19|20)\d\d")
_PARTING = re.compile(r"\d|;|\b(?:improv|outperform|beat|tied|favou?r)\w*", re.IGNORECASE)
"""What stands between a metric and a number that is not of it."""
_LEADING = re.compile(r"[^,;()]{0,30}")
"""Between a split with its metric and their number."""
_OLD_VALUE = re.compile(r"[\d.]+%?\s*(?:to|→|->)\s*$")


@dataclass(frozen=True)
class Result:
    """A number that states a result."""

    number: Number
    metric: str = ""  # canonical name; "" where none is named
    split: Split | None = None
    is_named: bool = False  # the metric stands in the same clause
    is_amount: bool = False  # it tells how far two results lie apart
    is_bound: bool = False  # nothing stands between it and its metric that could be what it is of


def results_in(clause: Clause, known: Known) -> list[Result]:
    """The numbers of a clause that can be results, in order."""
    text = clause.text
    numbers = find_numbers(text)
    named, splits = metrics_in(text, known), split_mentions(text)
    parting = [each.start for each in numbers if not text.startswith(("-fold", " folds"), each.end)]
    measured = frozenset(possible(text))
    of_names = {n for _, n in sides_in(text) & known.index.tables.sides}
    found: list[Result] = []
    for number in numbers:
        if any(each.start < number.start < each.end for each in named):
            continue  # of a metric's name: "steps to reach 99 %"
        if number.text.lower().lstrip("<>≤≥= $").replace(",", "") in of_names:
            continue  # of a row's: "people over 40"
        metric = _nearest(number, parting, named, text)
        of = _of_unit(number, inherited(clause, known) if metric is None else metric)
        if _YEAR.fullmatch(number.text) and of in TIMES:
            continue
        led = "" if text[: number.start].strip() else clause.before
        far = is_amount(number, text, led) or _is_change(number, of, text, known)
        if not (far and (number.percent_like or is_factor(number, text))) and number not in measured:
            continue
        if number.unit is Unit.NONE and number.resolution >= 1 and not far and not _is_given(number, named, text):
            continue
        if not far and ((of in SHARES and abs(number.value) > _WHOLE) or _is_of_data(number, numbers, named, text)):
            continue
        own = None if of in TIMES else _nearest(number, parting, splits, text, is_split=True)
        split = None if of in TIMES else own or inherited_split(clause, known, of)
        if of or far or is_precise(number):
            bound = _is_bound(number, named, text)
            found.append(Result(number, of, cast("Split | None", split), metric is not None, far, bound))
    return found


def _is_bound(number: Number, named: Sequence[Mention], text: str) -> bool:
    """Whether a metric stands in front of a number, or close behind it, without another number or verb between."""
    spans = ((each.end, number.start) if each.end <= number.start else (number.end, each.start) for each in named)
    return any(end - start <= BACK and not _PARTING.search(_OLD_VALUE.sub("", text[start:end])) for start, end in spans)


def _is_given(number: Number, named: Sequence[Mention], text: str) -> bool:
    """Whether a metric stands before a whole number, or right behind it: others are rather counts."""
    if is_precise(number) or any(0 <= each.start - number.end <= 2 for each in named):
        return True
    before = [each for each in named if each.end <= number.start]
    return bool(before) and _GIVES.fullmatch(text[before[-1].end : number.start]) is not None


def _is_change(number: Number, metric: str, text: str, known: Known) -> bool:
    """Whether a percentage can but be a change: the metric is none that is measured in percent."""
    if not number.percent_like or metric in SHARES or not metric or metric in TIMES:
        return False
    rows = [row for row in known.finals if row.metric == metric]
    return (
        bool(rows)
        and not any(row.percent or abs(row.value) <= 1 for row in rows)
        and not names_in(text[number.end :][:_NEAR])
        and metric != "mape"
    )


def _of_unit(number: Number, metric: str) -> str:
    """The metric, where the unit allows it."""
    if number.unit is Unit.SECONDS:
        return metric if metric in TIMES else "time"
    return "" if metric in TIMES and number.percent_like else metric


def _is_of_data(number: Number, numbers: Sequence[Number], named: Sequence[Mention], text: str) -> bool:
    """Whether a share of which no metric is named is one of the data: "74.2% of the women"."""
    if not (number.percent_like and _PART_OF.match(text[number.end :])):
        return False
    start = max((each.end for each in numbers if each.end <= number.start), default=0)
    return not any(start <= each.start <= number.end + _NEAR for each in named)


def _nearest(
    number: Number, parting: Sequence[int], mentions: Sequence[Mention], text: str, *, is_split: bool = False
) -> str | None:
    """What is named right behind a number, else last before it, else first after it; others are at ``parting``."""
    following = next((at for at in parting if at >= number.end), len(text))
    after = [m for m in mentions if number.end <= m.start <= following]
    forms = (_BEHIND, _ON) if is_split else (_BEHIND,)
    near = [m for m in after if m.start - number.end <= _NEAR + 12 * is_split]
    close = next((m for m in near if any(form.fullmatch(text[number.end : m.start]) for form in forms)), None)
    before = [m for m in mentions if m.end <= number.start]
    is_beside = close is not None and is_split and not text[number.end : close.start].strip()
    if is_beside and close is not None and not text.startswith((":", "="), close.end):
        return close.what  # "(90% train"
    is_on_split = is_split and close is not None and _ON.fullmatch(text[number.end : close.start])
    if close is not None and (is_on_split or not (before and re.search(r"[:=(]\W*$", text[: number.start]))):
        return close.what
    if before:
        return before[-1].what
    free = [m for m in mentions if not _is_of_next(m, parting, text)]
    return free[0].what if free else None


def _is_of_next(mention: Mention, parting: Sequence[int], text: str) -> bool:
    """Whether a name is rather that of the number behind it: "0.91 / cv 0.89", "0.44, its validation loss 0.31"."""
    at = next((at for at in parting if at >= mention.end), None)
    if at is None:
        return False
    between = text[mention.end : at]
    return len(between) <= 1 or bool(_LEADING.fullmatch(between) and names_in(between))


def subject_of(text: str, result: Result) -> str:
    """What a number is said of: the words between it and the result before, with the settings that they give."""
    before = [number.end for number in possible(text) if number.end <= result.number.start and number.text[0].isdigit()]
    return text[before[-1] if before else 0 : result.number.start]


def operand(stated: Sequence[Result], rows: Sequence[Measurement]) -> Operand:
    """One side, of the number stated and the rows meant."""
    return Operand(stated=stated[0].number if stated else None, rows=ids_of(rows))


def inherited(clause: Clause, known: Known) -> str:
    """The metric of the sentence or its heading, where the clause names none."""
    sentence = clause.sentence
    in_front = clause.start - sentence.start
    named = [each for each in metrics_in(sentence.text, known) if each.what and each.end <= in_front]
    if named:
        return named[-1].what
    pronoun = re.match(r"\W*(?:it|this|that|which|they)\b", sentence.text, re.IGNORECASE)
    texts = (sentence.text, sentence.previous if pronoun else "", sentence.heading)
    return next((metric for text in texts if (metric := first_metric(text, known))), "")


def inherited_split(clause: Clause, known: Known, metric: str) -> Split | None:
    """The split of the sentence or its heading, where the clause names none and the metric was measured on it."""
    if splits_in(clause.text):
        return None
    in_front = clause.start - clause.sentence.start
    before = {split for split, start in splits_in(clause.sentence.text) if start < in_front}
    split = before.pop() if len(before) == 1 else None if before else one_split(clause.sentence.heading)
    is_of_others = metric in known.measured_names and not known.measured(metric, split)
    return None if is_of_others else split
