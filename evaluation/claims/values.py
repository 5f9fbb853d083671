"""Whether a number of a sentence can be a measured value, and not a setting, a count, a place or a date."""

from __future__ import annotations

import re

from environment.metrics.meaning import names_in
from environment.metrics.names import is_setting
from evaluation.language.numbers import Number, find_numbers
from evaluation.language.quantity import Unit

_PRECISE = 3
"""Digits from which a number beside such a verb alone is a measured value."""
_NOT_A_VALUE = re.compile(
    r"(?:\b(?:updates?|episodes?|epochs?|steps?|batch(?:es)?|seeds?|folds?|layers?|runs?|lines?|versions?|iterations?"
    r"|estimators|trees|top|experiment|trial|phase|test set of|size of|attempt|every|within|first|last"
    r"|than|per|after(?: only| just)?)\s*[#:]?\s*|[#@])$",
    re.IGNORECASE,
)
_PLURAL = re.compile(
    r"\s+(?!versus|vs|is|was|as|its|this|across|less|plus|has|does|points|percent|seconds|dollars|units|thus"
    r"|always)[a-z]{3,}s\b"
)
_MANY = 1000
"""Whole numbers below this in front of a plural are counts."""
_SPAN = re.compile(r"\b(?:episodes?|epochs?|steps?|folds?|iterations?) \d[\d,]*\s*(?:and|to|-|–)\s*$", re.IGNORECASE)
"""In front of the second of two places ("between epoch 5 and 10")."""
_COUNTED = re.compile(
    r"^\s*-?(?:(?:instead of|rather than|to|or) [\d.,]+ (?=epochs|steps|trees|layers))?(?:epochs?|steps?|layers?"
    r"|classes|samples|examples|images|rows|features|units|neurons|folds?"
    r"|iterations?|runs?|batches|estimators|trees|lines?|parameters|x\b|times|hidden|filters|attempts?"
    r"|rounds|games|simulations|models?|per\b|of the (?:data|time|samples|dataset)|chance|probability)",
    re.IGNORECASE,
)
_RATE = re.compile(r"\s*\w+ ?(?:/|per) ?(?:s|sec|second)\b", re.IGNORECASE)
"""Behind a number of throughput."""
_TIME_IS = re.compile(
    r"(?:\b(?:is|was|at|as|in|of|to|takes?|took|taking|needs|needed|than|from)|[:=~≈(])\s*$", re.IGNORECASE
)
_NO_TIME_OF_RUN = re.compile(
    r"\b(?:time ?limit|limit|time ?out|budget|sleep|wait\w*|interval|cap|every|deadline)\b", re.I
)
_OF_LIMIT = re.compile(
    r"[- ]*(?:seconds?|minutes?|hours?)?[- ]*(?:time )?(?:limit|budget|time-?out|cap)\b", re.IGNORECASE
)
_POWER = re.compile(r"\d(?:\.\d)?e-0?\d", re.IGNORECASE)
_GIVEN = re.compile(r"(?:\b(?:is|was|of|to|from|at|than|by|reached|only|about)|[:=(~≈])\W{0,2}$", re.IGNORECASE)
_IN_TUPLE = re.compile(r"\((?:-?\d+, ?)*$")
_TUPLE_END = re.compile(r"(?:, ?-?\d+)+\)|\)(?<=, \d\))")
"""A pair of whole numbers is a payoff, a shape or a place."""
_SPREAD = re.compile(r"(?:±|\+/-|\+-|\bstd(?:\.| dev)?(?: of)?|\bsd)\W{0,3}$", re.IGNORECASE)
"""In front of how far the values of a mean lie apart."""
_PACKAGES = frozenset({"xgboost", "lightgbm", "catboost", "sklearn"})
_SHARES = frozenset({"accuracy", "f1", "auc", "precision", "recall", "iou", "dice", "error rate", "win rate", "r2"})
_WHOLE = 100
_LABEL_DIGITS = 3
"""Whole numbers of so many digits may be names beside a value ("a beam of 5 gives 0.2672")."""
_ASSIGNED = re.compile(r"\b([A-Za-z]\w*)=$")
_WHEN = re.compile(
    r"\b(?:after|at|in|for|by|during|across|over) (?:the |all |all the )?(?:[\w-]+ )?(?:epochs?|steps?|folds?"
    r"|iterations?)\b(?: \d+\b)?",
    re.IGNORECASE,
)
_RANGE_START = re.compile(r"\bfrom\s+\S+\s+to\s*$", re.IGNORECASE)
_CHANGED_BY = re.compile(
    r"\d ?%?\W{0,3}\(\W{0,3}$"
    r"|\b(?:drop|gain|loss|increase|decrease|improvement|reduction|change|degradation|boost|decline"
    r"|delta)\b[^.;\d]{0,50}[(:]\W{0,4}$",
    re.IGNORECASE,
)


def is_value(number: Number, text: str) -> bool:
    """Whether a number can be a measured value: no setting, no count, no ordinal, no date."""
    before, after = text[: number.start], text[number.end :]
    if _RATE.match(after):
        return True
    if _is_power(number, before) or (_IN_TUPLE.search(before) and _TUPLE_END.match(after)):
        return False
    if _is_label(number, text) or _OF_LIMIT.match(after) or _SPREAD.search(before):
        return False
    if number.unit is Unit.NONE and number.resolution >= 1 and number.value < _MANY and _PLURAL.match(after):
        return False
    if number.resolution >= 1 and not number.percent_like and _SPAN.search(before):
        return False
    if (_NOT_A_VALUE.search(before) and not (number.bound and number.unit is not Unit.NONE)) or _COUNTED.match(after):
        return False
    assigned = _ASSIGNED.search(before)
    if assigned and not names_in(assigned[1].replace("_", " ")):
        return False
    before = _WHEN.sub("", _RANGE_START.sub("", before))
    words = re.split(r"[,;:(]|\b(?:is|was|of|to|with|at|and|the|from|by|in)\b", before)
    last = next((word.strip(" `*_=") for word in reversed(words) if len(word.strip(" `*_=")) > 1), "")
    if any(character.isdigit() for character in last) or (last.lower() in _PACKAGES and is_precise(number)):
        return True
    return not (last and is_setting(last) and not names_in(last))


def _is_power(number: Number, before: str) -> bool:
    """Whether a number is a setting by its form ("1e-3 works best"), where no word gives it as a value."""
    return bool(_POWER.fullmatch(number.text)) and not _GIVEN.search(before)


def _is_label(number: Number, text: str) -> bool:
    """Whether a bare whole number names a setting beside values of quite another size: "beam 5 gives 0.2672"."""
    if number.unit is not Unit.NONE or number.resolution < 1 or not 1 < abs(number.value) < 10**_LABEL_DIGITS:
        return False
    values = [other.value for other in find_numbers(text) if is_precise(other) and not other.percent_like]
    near = [v for v in values if v and (0.2 < abs(number.value / v) < 5 or 50 < abs(number.value / v) < 200)]
    return bool(values) and not near


def can_be(metric: str | None, number: Number) -> bool:
    """Whether a number lies where a metric can: no accuracy is above 100."""
    return metric not in _SHARES or abs(number.value) <= _WHOLE


def is_duration(number: Number, text: str) -> bool:
    """Whether a number in seconds says how long something took, though no word does ("it clocks in at 5.64 s")."""
    return (
        number.unit is Unit.SECONDS
        and is_precise(number)
        and bool(_TIME_IS.search(text[: number.start]))
        and not _NO_TIME_OF_RUN.search(text)
    )


def is_precise(number: Number) -> bool:
    """Whether a number has as many digits as a measured value."""
    digits = sum(character.isdigit() for character in number.text)
    return digits >= _PRECISE and (number.percent_like or number.resolution < 1)


def is_change(number: Number, text: str) -> bool:
    """Whether a signed number in brackets tells by how much the value before it changed: "0.8226 (+0.0288)"."""
    return number.text[0] in "+-−" and bool(_CHANGED_BY.search(text[: number.start]))
