"""The part each number of a comparison plays: the newer value, the reference, the difference."""

from __future__ import annotations

import re
from collections.abc import Sequence

from evaluation.claims.results import MetricValue
from evaluation.claims.values import is_change, is_value
from evaluation.language.numbers import Number, find_numbers
from evaluation.language.quantity import Unit
from evaluation.language.splits import TIMES

_FROM = re.compile(r"\bfrom\b[^\d]{0,40}$", re.IGNORECASE)
_HEDGES = (
    r"(?:(?:about|around|approximately|roughly|nearly|almost|only|just under|just over|just|under|over"
    r"|more than|less than|at least|an?|~)\s*)*[+\-]?\$?"
)
_TO = re.compile(rf"(?:\bto|→|->|=>|⟶)\s*{_HEDGES}$", re.IGNORECASE)
_THAN = re.compile(
    r"\b(?:than|vs\.?|versus|compared (?:to|with)|relative to|over|against|from|instead of|rather than"
    r"|(?:same|identical|equal|close|similar|comparable)(?:ly)? (?:as|to|with)|as (?:good|high|low"
    r"|well) as\b(?=[^()]*\()"
    r"|above|below|under|exceed(?:s|ed)?)\b(?:[\"'`][^\"'`]{1,40}[\"'`]"
    r"|(?!\b(?:with|achiev\w+|reach\w+|scor(?:ing|ed)|obtain\w+) )\D){0,60}$",
    re.IGNORECASE,
)
_WAS = re.compile(
    r"\b(?:previous(?:ly)?|original|was|baseline(?!\W+(?:is|was|has|had|gets|got|gives|gave|yields?|yielded|scores"
    r"|scored|obtains?"
    r"|reaches|reached|achieve[sd]|model|script|run)\b))\b(?:(?!\b(?:with|achiev\w+|reach\w+|scor(?:ing|ed)"
    r"|obtain\w+) )\D){0,60}$",
    re.IGNORECASE,
)
"""In front of a reference, where no later number is one by a plainer word."""
_AND_OVER = re.compile(
    r"\s*(?:points?\s+|%\s*)?(?:over|above|on|against|relative to|compared (?:to|with)|more than)\s", re.IGNORECASE
)
"""Behind a second difference: "0.22 over the baseline and 0.31 over tit-for-tat"."""
_VERSUS = re.compile(
    r"[(:,]\s*(?:at |with )?(?P<new>\$?[\d.,]*\d ?%?(?: ?m?s\b| [a-z]+(?:/\w+)?(?=,? vs|,? compared))?)"
    r",?\s*(?:vs\.?|versus|against|compared (?:to|with)|[<>])"
    r"\s*\$?[\d.]+",
    re.IGNORECASE,
)
_SCORE_LINE = re.compile(r"[(,]\s*(?P<new>\d*\.\d+)\s*%?\s*(?:to|-|–)\s*\d*\.\d+", re.IGNORECASE)
"""Behind "beats": the two values as in a game, "0.27 to 0.26"."""
_LOSS_OF = r"(?<!validation )(?<!val )(?<!training )(?<!train )(?<!test )(?<!eval )loss of"
"""What is lost, and not the value of a loss."""
_BY = re.compile(
    rf"\b(?:by|adds|{_LOSS_OF}|another|shav(?:ed|es)|los(?:es|t)|trim(?:s|med)|knock(?:ed|s)(?: off)?"
    rf"|(?:improvement|increase|decrease|gain|drop|reduction|boost|difference)"
    rf"(?:(?: (?:over|from|in|on|compared (?:to|with)) [^\d.,;]{{1,40}})? (?:is|was)| of|:))\s*{_HEDGES}$",
    re.IGNORECASE,
)
_CHANGED = re.compile(
    rf"\b(?:fell|falls?|dropp?\w*|rose|rises?|(?:in|de)creas\w+|improv(?:ed|es)|grew|gained|lost|up|down)\s*{_HEDGES}$",
    re.IGNORECASE,
)
_REACHED = re.compile(r"\b(?:reach\w*|hit|hits|attain\w*|gets? to|got to|to) $", re.IGNORECASE)
"""In front of a goal, where what it took to get there is compared."""
_TO_NEXT = re.compile(r"\s*to\s+[$~]?\d")
_ARROW = re.compile(r"\s*(?:→|->|=>|⟶)")
_UP = re.compile(rf"\b(?:up|down|gained|lost)\s*{_HEDGES}$", re.IGNORECASE)
_DIFFERENCE = re.compile(
    r"^[\s()%*-]*(?:(?!(?:is|was|and|to|of|with|at|on|in)\b)[a-z$]{1,12}\s)?(?:absolute\)?|relative"
    r"|percentage points?|points?|\w+ly)?[\s()-]*(?:improvement|increase"
    r"|decrease|gain|drop|reduction"
    r"|boost|degradation|deterioration|regression|penalty|better|worse|higher|lower|relative|decline|more|less|faster"
    r"|slower|longer|shorter|quicker|above|below"
    r"|behind|ahead|speed-?up)",
    re.IGNORECASE,
)
_OF_FACTOR = re.compile(
    r"\b(?:factor|speed-?up) of\s*(?:about |around |roughly |almost |nearly |over )?$", re.IGNORECASE
)
_TIMES = re.compile(r"^(?:\s?[x×]\b|[ -]?(?:times|fold)\b)", re.IGNORECASE)
_OR_ELSE = re.compile(r"(?:\b(?:about|around|or|i\.e\.|roughly|approximately)|[(,~≈])\s*$", re.IGNORECASE)
_COUNT = 12
"""Bare whole numbers up to this are counts or names ("strategy 1") unless a word gives them as a value."""
_GIVEN = re.compile(r"(?:\b(?:below|above|under|over|of|to|from|is|was|by|at|than)|[:=≈~])\s*$", re.IGNORECASE)


def roles(
    text: str, values: Sequence[MetricValue], verb_end: int | None = None
) -> tuple[Number | None, Number | None, Number | None]:
    """Which number is the newer value, which the reference, which the difference; all of one metric.

    Behind ``verb_end``, the end of a verb like "beats", stands the reference.
    """
    new = old = delta = None
    metrics = {value.number: (value.metric, value.split) for value in values}
    first: object = None
    side_by_side = _VERSUS.search(text) or (_SCORE_LINE.search(text, verb_end) if verb_end is not None else None)
    if side_by_side:
        new = next((n for n in find_numbers(text) if n.start == side_by_side.start("new")), None)
    for number in find_numbers(text):
        if number is new:
            continue
        is_time = any(value.metric in TIMES for value in values)
        if (number.unit is Unit.SECONDS and not is_time) or not is_value(number, text) or _is_count(number, text):
            continue
        before, after = text[: number.start].rstrip("*_`"), text[number.end :].lstrip("*_`")
        if side_by_side and number.start < side_by_side.start() and _REACHED.search(before):
            continue
        if old is None and (_ARROW.match(after) or (before.endswith("(") and _TO_NEXT.match(after))):
            old = number
            continue
        if (
            _DIFFERENCE.match(after)
            or is_change(number, text)
            or (number.percent_like and number.text.startswith("+"))
            or _BY.search(before)
            or (_CHANGED.search(before) and (number.percent_like or (_UP.search(before) and number.resolution < 1)))
        ):
            delta = delta or number
            continue
        if (
            delta is None
            and number.percent_like
            and re.match(r"[^.]*\b(?:achieved|reached|met)\b", after)
            and number.bound
        ):
            delta = number
            continue
        if delta is not None and re.search(r"\band\s*$", before) and _AND_OVER.match(after):
            continue
        if (delta is not None and _OR_ELSE.search(before)) or _OF_FACTOR.search(before) or _TIMES.match(after):
            continue
        named = metrics.get(number)
        if first is not None and named is not None and named != first and not _is_reference(number, text):
            continue
        first = first or named
        if old is None and _FROM.search(before):
            old = number
        elif new is None and _TO.search(before):
            new = number
        elif old is None and (_is_reference(number, text) or (verb_end is not None and number.start >= verb_end)):
            old = number
        elif new is None:
            new = number
    return new, old, delta


def _is_reference(number: Number, text: str) -> bool:
    """Whether a number stands behind a word of comparison, or behind "was" where no later one does."""
    before = text[: number.start].rstrip("*_`")
    if _THAN.search(before):
        return True
    later = [n for n in find_numbers(text) if n.start > number.start and is_value(n, text)]
    return bool(_WAS.search(before)) and not any(_THAN.search(text[: n.start].rstrip("*_`")) for n in later)


def _is_count(number: Number, text: str) -> bool:
    bare = number.unit is Unit.NONE and number.resolution >= 1 and abs(number.value) <= _COUNT
    return bare and not _GIVEN.search(text[: number.start])
