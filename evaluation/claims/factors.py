"""Factors in words and numbers: "doubled", "14 times faster", "less than a third", "by a factor of five"."""

from __future__ import annotations

import re

from evaluation.language.numbers import find_numbers

_HEDGE = r"(?P<hedge>\b(?:more than|well over|over|at least|almost|nearly|less than|under|not even)\s+)?"
_ABOUT = r"(?:(?:about|around|roughly|almost|nearly|over) )?"
_NUMBER = r"\d+(?:\.\d+)?"
_OF = (
    rf"factor of {_ABOUT}(?P<of>{_NUMBER}|[a-z]+)",
    rf"speed-?up of {_ABOUT}(?P<up>{_NUMBER})",
)
_TIMES = (
    rf"(?P<times>{_NUMBER}|[a-z]+)(?:[ -]?(?:x\b|×|fold)|[ -]times)"
    r"(?= that of| the (?:baseline|original|previous|initial)|(?: as| more| less)? (?:fast|slow|high|low|bett|wors"
    r"|larg|small|long|good|big|speed|improv|reduc|increas)"
    r"|[^\w]*$|,|[ ,.]+(?:than|on|over))"
)
_WORD = (
    r"(?P<word>doubl(?:es|ed)|twice|two-?fold|tripl(?:es|ed)|thrice|quadrupled|halv(?:es|ed)"
    r"|(?:in|one|by|than|a|to|about) half|half of|third of|quarter of)"
)
_FACTOR = re.compile(
    rf"{_HEDGE}(?:(?:about|around|roughly|by|a|an|the)\s+)*(?:{'|'.join((*_OF, _TIMES, _WORD))})", re.IGNORECASE
)
_MAGNITUDE = re.compile(r"\b(?:an?|one|by) order of magnitude\b", re.IGNORECASE)
_ABOUT_TEN = 5.0
"""From which a factor is nearer to ten than to one."""
_STEMS = {
    "doubl": 2.0,
    "twi": 2.0,
    "two": 2.0,
    "half": 2.0,
    "halv": 2.0,
    "tripl": 3.0,
    "thri": 3.0,
    "thir": 3.0,
    "quad": 4.0,
    "quar": 4.0,
}
_SHARES = ("half", "halv", "thir", "quar")
_ABOVE = ("more than", "well over", "over", "at least")
_BELOW = ("less than", "under", "not even")


def factor_of(text: str) -> tuple[float, str] | None:
    """How many times the larger value is the smaller one, and whether more or less is meant (">", "<" or "")."""
    stated = _FACTOR.search(text)
    if stated is None and _MAGNITUDE.search(text):
        return _ABOUT_TEN, ">"
    if stated is None:
        return None
    written = (stated["of"] or stated["up"] or stated["times"] or stated["word"]).lower()
    factor = _factor(written)
    if factor is None:
        return None
    hedge = (stated["hedge"] or "").strip().lower()
    if not hedge:
        return factor, ""
    above = hedge in (_BELOW if any(part in written for part in _SHARES) else _ABOVE)
    return factor, ">" if above else "<"


def _factor(written: str) -> float | None:
    numbers = find_numbers(written)
    if numbers:
        return numbers[0].value
    return next((value for stem, value in _STEMS.items() if stem in written), None)
