"""Which numbers of a text can be measured values or the distance of two, and not settings, counts or parts of names."""

from __future__ import annotations

import re
from functools import lru_cache

from environment.metrics.meaning import names_in
from environment.metrics.names import is_setting
from evaluation.claims.reading.rules.vocabulary import ends, phrases, word_list
from evaluation.language.numbers import Number, find_numbers
from evaluation.language.quantity import Unit

_BACK = 200
"""Characters in front of a number that may tell what it is."""
_PRECISE = 3
"""Digits from which a number without a name is a measured value."""
_IN_NAME = re.compile(r"[A-Za-z_]-?$|[\w)]\^$|[A-Za-z]\w*(?:\s?=\s?|_)$|#$|\bv$")
_SPANS = r"\b(?:between|range\w*|took|takes?|costs?|needs?|needed|of|is|was|around|about|approximately|roughly)\s+\$?"
_NOT_BEHIND = re.compile(
    r"""(?:±|\+/-|\+-|\bstd(?:\.|\ dev)?(?:\ of)?|\bsd)\W{0,3}$                      # a spread
    | \b(?:episode|epoch|step|fold|iteration|seed|run|trial)s?\ \d[\d,]*(?:,?\ ?\d+,)*\s*(?:and|to|-|–|,|or)\s*$
    | \d\s*\w{0,3}\s*[x×*÷]\s*$ | \(\d[\d.]*\s?[-–]\s?$ | (?<![\w.-])\d[\d.]*%?[-–]$  # a product, a range
    | [\[(](?:[-\d.e]+,\ ?)+$""",
    re.IGNORECASE | re.VERBOSE,
)
"""In front of a number that is no value."""
_SPAN_BEHIND = re.compile(
    rf"{_SPANS}[\d.,]+ ?[%kKmM]?\s+to\s+\$?$|\b(?:between|range\w*)\s+[\d.,]+ ?%?\s+and\s+$", re.IGNORECASE
)
"""In front of the second of the two between which values lie."""
_NOT_BEFORE = re.compile(r"\s*[x×*÷]\s*\d|[-–]\d|(?:, ?[-\d.e]+)+[\])]")
_UP_TO = re.compile(r"\s+to\s+\$?\d|\s+and\s+\$?\d")
_MILESTONE = re.compile(
    r"\b(?:(?:reach|achiev)\w* #[^.;,]{0,40}\b(?:fast|slow|soon|earli|late)\w*"
    r"|(?:when|until|once|before|where) #[^.;,]{0,40} (?:is|was|are|were) reached)\b"
)
"""Where a number, written as #, is what is passed at some time: "reached 99 % accuracy faster"."""
_SPANNING = re.compile(rf"{_SPANS}$", re.IGNORECASE)
_PLURAL = re.compile(
    r"\s+(?:(?!(?:in|on|for|at|to|with|of|and|or|is|was|by|as|over|from|after|than)\b)[a-z-]+ )?"
    r"(?!versus|vs|is|was|as|its|this|across|less|plus|has|does|points|percent|seconds|dollars|units|thus|always)"
    r"[a-z]{3,}s\b"
)
_PHRASE = re.compile(r"[,;:(]|\b(?:is|was|of|to|with|at|and|the|from|by|in|a|an)\b")
_WHEN = re.compile(
    r"\b(?:after|at|in|for|by|during|across|over) (?:the |all |all the )?(?:[\w-]+ )?"
    r"(?:epochs?|steps?|folds?|iterations?)\b(?: \d+\b)?",
    re.IGNORECASE,
)
_MOVES = re.compile(
    r" (?:from\b|(?:ris|ros|fall|fell|go|went|drop|climb|improv|increas|decreas|chang|mov|collaps|jump|shrink)\w*)"
    r"[^.;]*\d"
)
"""Behind a threshold at which a metric is measured: "F1 at 0.5 rises from 0.62"."""
_DESCRIBED = re.compile(r"\b(?:the|an?|our|my|this|its|with)\s+$", re.IGNORECASE)
_JUST_NUMBER = re.compile(r"[\d.,%~ e>→-]+")
_FACTOR = re.compile(r"\s*(?:times|x|×|-?fold(?!:| ?(?:cv|cross|valid|strat|split|mean|oof)))(?!\w)", re.IGNORECASE)
_GAINED = re.compile(
    r"\b(?:improvement|gain|increase|reduction|decrease|drop)\b(?:[^.,;\d]|\.(?=[a-z])){0,50}\b(?:is|was)$"
    r"|(?:\b(?:without|remov\w+|dropp?\w*|leaving out|replac\w+|add\w+|using|swap\w*|switch\w*)\b.*\bcosts?"
    r"|\b(?:brings?|brought|worth)|\btrad(?:es?|ed|ing) [^.;]* for)$",
    re.IGNORECASE,
)
"""In front of how far two results lie apart: "removing the holidays costs 1.32"."""
_COSTS = re.compile(r"\b(?:costs?|saves?|saved|loses?|lost|gains?|gained|adds?|added)$", re.IGNORECASE)
_OF_RESULT = re.compile(
    r" (?:of )?(?!(?:dollars?|cents?|usd|eur|euros?|s|secs?|seconds|ms|min\w*|h|hours?|gb|mb|tokens?|calls?)\b)[a-z]",
    re.IGNORECASE,
)
"""Between them what is lost of a result, and behind it what that is."""
_AMOUNTS = re.compile(r"(?:(?<![\w.])\d[\d.]* ?%?(?:,| and|, and)\s+)+$")
"""Others in front of an amount: "by 0.036, 0.131 and 0.164"."""
_BEYOND = re.compile(r" (?!(?:is|are|was|were|and|or|lies?|stays?)\b)[A-Za-z][\w-]* (?:above|below|ahead of|behind)\b")
_VERSUS = re.compile(r" (?:vs|versus|against) \d")
_ABOUT = re.compile(
    r"(?:\s*\b(?:about|around|approximately|roughly|nearly|almost|only|just|an?|the|another|more than|less than|over"
    r"|at least|a further))+$",
    re.IGNORECASE,
)
_HELD = re.compile(r"\bat (?:an? )?\d[\d.]*(?: ?%| percent)? ", re.IGNORECASE)
_MEASURED = re.compile(r"\d\.\d|\d ?%")


@lru_cache(maxsize=2048)
def without_held(text: str) -> str:
    """A text, in its length, without the value of a metric at which another one was measured: "at 90 % precision"."""
    for found in _HELD.finditer(text):
        before = text[: found.start()]
        end = next((end for _, start, end in names_in(text) if start == found.end()), 0)
        if end and not _MOVES.match(text, end) and (names_in(before) or _MEASURED.search(before)):
            return f"{before}{' ' * (end - len(before))}{text[end:]}"
    return text


@lru_cache(maxsize=2048)
def possible(text: str) -> tuple[Number, ...]:
    """The numbers of a text that can be measured values."""
    return tuple(number for number in find_numbers(without_held(text)) if _can_be_result(number, text))


def _can_be_result(number: Number, text: str) -> bool:
    start = max(0, number.start - _BACK)
    before, after = text[start : number.start], text[number.end :]
    before = before.partition(" ")[2] if start else before
    if _IN_NAME.search(before) and not number.text.startswith(("+", "-", "−")):
        return False
    if _NOT_BEHIND.search(before) or _NOT_BEFORE.match(after) or _is_limit(before, after):
        return False
    if is_end_of_range(number, text):
        return False
    if is_counter(number, text) or _MILESTONE.search(f"{before}#{after}"):
        return False
    if number.unit is Unit.NONE and (number.text[0].isalpha() or (number.resolution >= 1 and _PLURAL.match(after))):
        return False
    if number.unit is not Unit.SECONDS and phrases("counted").match(after.lstrip(" -")):
        return False
    metric = before.rstrip().removesuffix(" at") if _MOVES.match(after) else before
    if metric != before and any(end == len(metric) for _, _, end in names_in(metric)):
        return False
    return (is_precise(number) and number.percent_like) or not _is_of_setting(_WHEN.sub("", before))


def is_end_of_range(number: Number, text: str) -> bool:
    """Whether a number is one of the two between which several values lie."""
    before, after = text[max(0, number.start - _BACK) : number.start], text[number.end :]
    to = _UP_TO.match(after) if _SPANNING.search(before) else None
    if to and ("to" in to.group() or "between" in before.lower()):
        return True
    return bool(_SPAN_BEHIND.search(before))


def is_counter(number: Number, text: str) -> bool:
    """Whether a number only says the how-manyth something is ("trial 5")."""
    before = text[: number.start][-24:].rstrip(" #:*`")
    return not number.percent_like and number.resolution >= 1 and ends("counter", before)


def _is_limit(before: str, after: str) -> bool:
    behind = phrases("limit").search(after[:24])
    return bool(behind and behind.start() <= 10) or bool(phrases("limit").search(before[-16:]))


def _is_of_setting(before: str) -> bool:
    """Whether what a number is given for is a setting: the last words before it that are not of the verb."""
    said = re.split(r"[,;]|\b(?:and|but|which)\b", before)[-1]
    verbs = phrases("done.changed").finditer(said) if not names_in(said) else ()
    if any(not _DESCRIBED.search(said[: verb.start()]) for verb in verbs):
        return True
    for part in reversed([part.strip(" .`*_=~\"'") for part in _PHRASE.split(before)]):
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
    if _VERSUS.match(after):
        return False
    if number.text[0] in "+−" or (number.text[0] == "-" and number.percent_like):
        return True
    if _FACTOR.match(after) or _BEYOND.match(after) or number.unit is Unit.POINTS:
        return True
    tail = _ABOUT.sub("", before[-_BACK:]).rstrip()
    is_gain = number.unit is not Unit.SECONDS and (_GAINED.search(tail) or _is_cost(tail, after))
    return bool(
        is_gain or ends("operands.amount", tail[-48:]) or phrases("operands.amount_after").match(after.lstrip(" *`)"))
    )


def _is_cost(before: str, after: str) -> bool:
    """Whether something costs so much of a result, and no money or time: "scaling costs 0.11 ARI"."""
    return bool(_COSTS.search(before) and _OF_RESULT.match(after))


def is_precise(number: Number) -> bool:
    """Whether a number has as many digits as a measured value."""
    digits = sum(character.isdigit() for character in number.text)
    return digits >= _PRECISE and (number.percent_like or number.resolution < 1 or "," in number.text)


def is_factor(number: Number, text: str) -> bool:
    """Whether a number is a multiple: "3.9 times"."""
    return bool(_FACTOR.match(text[number.end :]) or text[: number.start].rstrip().endswith("factor of"))
