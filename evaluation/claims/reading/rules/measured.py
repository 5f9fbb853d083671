"""Whether a number of a text can be a measured value, or the distance of two, and not a setting, a count or a name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from environment.metrics.meaning import names_in
from environment.metrics.names import is_setting
from evaluation.claims.reading.rules.vocabulary import phrases, word_list
from evaluation.language.numbers import Number, find_numbers
from evaluation.language.quantity import Unit

BACK = 200
"""Characters in front of a number that may tell what it is."""
_PRECISE = 3
"""Digits from which a number without a name is a measured value."""
_IN_NAME = re.compile(r"[A-Za-z_]-?$|[\w)]\^$|[A-Za-z]\w*(?:\s?=\s?|_)$|#$|\bv$")
_POWER = re.compile(r"\d(?:\.\d+)?e-?\d+$", re.IGNORECASE)
_GIVEN = re.compile(r"(?:\b(?:is|was|of|to|from|at|than|by|reached|only|about)|[:=(~≈])\W{0,2}$", re.IGNORECASE)
_IN_TUPLE = re.compile(r"[\[(](?:[-\d.e]+, ?)*$")
_TUPLE_END = re.compile(r"(?:, ?[-\d.e]+)+[\])]|[\])](?<=, \d[\])])")
_SPREAD = re.compile(r"(?:±|\+/-|\+-|\bstd(?:\.| dev)?(?: of)?|\bsd)\W{0,3}$", re.IGNORECASE)
_SPAN = re.compile(
    r"\b(?:episodes?|epochs?|steps?|folds?|iterations?|seeds?|runs?|trials?|experiments?) \d[\d,]*(?:,? ?\d+,)*\s*"
    r"(?:and|to|-|–|,|or)\s*$",
    re.I,
)
_PHRASE = re.compile(r"[,;:(]|\b(?:is|was|of|to|with|at|and|the|from|by|in|a|an)\b")
_WHEN = re.compile(
    r"\b(?:after|at|in|for|by|during|across|over) (?:the |all "
    r"|all the )?(?:[\w-]+ )?(?:epochs?|steps?|folds?|iterations?)\b(?: \d+\b)?",
    re.I,
)
_PLURAL = re.compile(
    r"\s+(?:(?!(?:in|on|for|at|to|with|of|and|or|is|was|by|as|over|from|after"
    r"|than)\b)[a-z-]+ )?(?!versus|vs|is|was|as|its|this|across|less|plus|has|does|points"
    r"|percent|seconds|dollars|units|thus|always)[a-z]{3,}s\b"
)
_THRESHOLD = re.compile(r" at$")
_MOVES = re.compile(r" (?:from\b|(?:ris|ros|fall|fell|go|went|drop|climb|improv|increas|decreas|chang|mov)\w*)[^.;]*\d")
"""Behind a threshold at which a metric is measured: "F1 at 0.5 rises from 0.62"."""
_CALCULATED = re.compile(r"\d\s*\w{0,3}\s*[x×*÷]\s*$")
_RANGE = re.compile(r"\(\d[\d.]*\s?[-–]\s?$|(?<![\w.-])\d[\d.]*%?[-–]$")
_TO = re.compile(r"[-–]\d")
_SPANS = r"\b(?:between|range\w*|took|takes?|costs?|needs?|needed|of|is|was|around|about|approximately|roughly)\s+\$?"
_SPANNING = re.compile(rf"{_SPANS}$", re.IGNORECASE)
_SPANNED = re.compile(rf"{_SPANS}[\d.,]+ ?[%kKmM]?\s+(?:to|and)\s+\$?$", re.IGNORECASE)
_UP_TO = re.compile(r"\s+(?:to|and)\s+\$?\d")
"""Between the ends of a range: "around 340,000 to 350,000"."""
_CALCULATES = re.compile(r"\s*[x×*÷]\s*\d")
_DESCRIBED = re.compile(r"\b(?:the|an?|our|my|this|its|with)\s+$", re.IGNORECASE)
"""In front of a verb that only describes a thing: "the vectorized script"."""
_JUST_NUMBER = re.compile(r"[\d.,%~ e>→-]+")
_FACTOR = re.compile(r"\s*(?:times|x|×|-?fold(?!:| ?(?:cv|cross|valid|strat|split|mean|oof)))(?!\w)", re.IGNORECASE)
_GAINED = re.compile(
    r"\b(?:improvement|gain|increase|reduction|decrease|drop)\b(?:[^.,;\d]|\.(?=[a-z])){0,50}\b(?:is|was)$",
    re.IGNORECASE,
)
_COSTS = re.compile(
    r"(?:\b(?:without|remov\w+|dropp?\w*|leaving out|replac\w+|add\w+|using|swap\w*|switch\w*)\b.*\bcosts?"
    r"|\b(?:brings?|brought|worth))(?: (?:only|just|about|around|another|a further))?$",
    re.IGNORECASE,
)
"""What a change costs or brings: "removing the holidays costs only 1.32"."""
_AMOUNTS = re.compile(r"(?:(?<![\w.])\d[\d.]* ?%?(?:,| and|, and)\s+)+$")
"""Others in front of an amount: "by 0.036, 0.131 and 0.164"."""
_BEYOND = re.compile(r" (?!(?:is|are|was|were|and|or|lies?|stays?)\b)[A-Za-z][\w-]* (?:above|below|ahead of|behind)\b")
"""Behind how far a result lies from another: "0.1120 bpc above"."""
_ARTICLE = re.compile(
    r"\b(?:about|around|approximately|roughly|nearly|almost|only|just|an?|the|another"
    r"|more than|less than|over|at least|a further)$",
    re.I,
)


@lru_cache(maxsize=2048)
def possible(text: str) -> tuple[Number, ...]:
    """The numbers of a text that can be measured values: no setting, count, ordinal, part of a name or limit."""
    return tuple(number for number in find_numbers(text) if _can_be_result(number, text))


def before_of(number: Number, text: str) -> str:
    """The words in front of a number, as far back as they may tell what it is."""
    start = max(0, number.start - BACK)
    words = text[start : number.start]
    return words.partition(" ")[2] if start else words


def _can_be_result(number: Number, text: str) -> bool:
    before, after = before_of(number, text), text[number.end :]
    if _IN_NAME.search(before) and not number.text.startswith(("+", "-", "−")):
        return False
    if (_POWER.search(number.text) and not _GIVEN.search(before)) or (
        _IN_TUPLE.search(before) and _TUPLE_END.match(after)
    ):
        return False
    if _SPREAD.search(before) or _is_limit(before, after) or _SPAN.search(before):
        return False
    if number.unit is Unit.NONE and (number.text[0].isalpha() or (number.resolution >= 1 and _PLURAL.match(after))):
        return False
    if number.unit is not Unit.SECONDS and phrases("counted").match(after.lstrip(" -")):
        return False
    if is_counter(number, text) or _CALCULATED.search(before) or _CALCULATES.match(after):
        return False
    if _RANGE.search(before) or _TO.match(after) or _is_threshold(before, after) or _is_end_of_range(before, after):
        return False
    if is_precise(number) and number.percent_like:
        return True
    return not _is_setting(_WHEN.sub("", before))


def _is_threshold(before: str, after: str) -> bool:
    metric = _THRESHOLD.sub("", before.rstrip()) if _MOVES.match(after) else before
    return metric != before and any(end == len(metric) for _, _, end in names_in(metric))


def _is_end_of_range(before: str, after: str) -> bool:
    to = _UP_TO.match(after) if _SPANNING.search(before) else _SPANNED.search(before)
    return bool(to) and (" and " not in to.group() or "between" in before.lower()) if to else False


def is_counter(number: Number, text: str) -> bool:
    """Whether a number only says the how-manyth something is ("trial 5")."""
    before = text[: number.start][-24:].rstrip(" #:*`")
    return not number.percent_like and number.resolution >= 1 and _ends_with("counter", before)


def _ends_with(name: str, text: str) -> bool:
    return any(match.end() == len(text) for match in phrases(name).finditer(text))


def _is_limit(before: str, after: str) -> bool:
    match = phrases("limit").search(after[:24])
    return bool(match and match.start() <= 10) or bool(phrases("limit").search(before[-16:]))


def _changes(said: str) -> Iterator[re.Match[str]]:
    return phrases("done.changed").finditer(said)


def _is_setting(before: str) -> bool:
    """Whether what a number is given for is a setting: the last words before it that are not of the verb."""
    said = re.split(r"[,;]|\b(?:and|but|which)\b", before)[-1]
    if not names_in(said) and any(not _DESCRIBED.search(said[: verb.start()]) for verb in _changes(said)):
        return True
    for part in reversed([part.strip(" `*_=~\"'") for part in _PHRASE.split(before)]):
        if names_in(part):
            return False
        words = part.split()
        while words and words[-1].lower() in word_list("generic"):
            words.pop()
        last = " ".join(words)
        if len(last) > 1 and not _JUST_NUMBER.fullmatch(last):
            return not any(c.isdigit() for c in last) and is_setting(last)
    return False


def is_amount(number: Number, text: str, led: str = "") -> bool:
    """Whether a number tells how far two results lie apart; ``led`` is what stands in front of the text."""
    before, after = _AMOUNTS.sub("", f"{led}{text[: number.start]}").rstrip(" *`(~"), text[number.end :]
    if number.text[0] in "+−" or (number.text[0] == "-" and number.percent_like):
        return True
    if _FACTOR.match(after) or _BEYOND.match(after) or number.unit is Unit.POINTS:
        return True
    if number.unit is not Unit.SECONDS and _COSTS.search(before):
        return True
    tail = _ARTICLE.sub("", _ARTICLE.sub("", before[-48:]).rstrip()).rstrip()
    return (
        bool(_GAINED.search(tail))
        or _ends_with("operands.amount", tail)
        or bool(phrases("operands.amount_after").match(after.lstrip(" *`)")))
    )


def is_precise(number: Number) -> bool:
    """Whether a number has as many digits as a measured value."""
    digits = sum(character.isdigit() for character in number.text)
    return digits >= _PRECISE and (number.percent_like or number.resolution < 1 or "," in number.text)


def is_factor(number: Number, text: str) -> bool:
    """Whether a number is a multiple: "3.9 times"."""
    return bool(_FACTOR.match(text[number.end :]) or text[: number.start].rstrip().endswith("factor of"))
