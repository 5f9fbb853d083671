"""Whether a clause says how something is: no plan, wish, guess, condition, question or common knowledge."""

from __future__ import annotations

import re
from functools import lru_cache
from math import inf

from evaluation.claims.reading.rules.prose import Clause, is_finite
from evaluation.claims.reading.rules.vocabulary import phrases

_OPENING = re.compile(
    r"^[\W_]*(?:(?:now|first|second|third|then|finally|also|so|okay|ok|great|alternatively|additionally|instead|lastly|therefore"
    r"|thus|for now|at this point|overall|next step|to \w+[^,]{0,80}|in the next step[^,]*"
    r"|(?:given|based on|before) [^,]{0,80}"
    r"|(?:thoughts?|reasoning|reflection|plan|to-?do):|after (?:this|that|\w+ing)[^,]{0,60})[,:!.]?\s+)*",
    re.IGNORECASE,
)
_SO = re.compile(r"\b(?:so|next|now|then|plan|therefore)\s*:\s+", re.IGNORECASE)
"""Behind a reason, in front of what is done for it: "each call costs a step, so: run …"."""
_OF_SPLIT = re.compile(
    r"(?:train|test)\W+(?:\w+ ){0,3}?(?:is|was|are|were|did|does|has|have|\w+ed|rose|fell|went)\b"
    r"|(?:train|test)[\w ]{2,24}[:=(]",
    re.IGNORECASE,
)
"""As "Test accuracy went …", which orders nobody to test."""
_PURPOSE = re.compile(
    r"\b(?:in order |so as )?to (?:\w+ly |further |better |help )?(?P<verb>[a-z-]+\b)(?!\.\w)"
    r"|\bso that\b|\bfor (?:better|improved|more|faster|higher|finer|further)\b",
    re.IGNORECASE,
)
_AIM = re.compile(r"\W*(?:in order )?to (?:further )?(?!date\b|summari|conclude)\w+ [^,]*(?:,|$)", re.IGNORECASE)
"""What a clause begins with that only says what something is done for."""
_PART = re.compile(r"(?:it|they|this|that|these)\b", re.IGNORECASE)
_SHORTEST = 3
"""Characters of a clause beyond which something may be said in front of an aim."""
_TICKED_OFF = re.compile(
    r"(?:[-–—:.(\[>*]|\W)\s*\**(?:done|completed?|finished|✓|✅)\b[\W]*$|^\W*\[x\]|[✓✅]", re.IGNORECASE
)
_OPEN = re.compile(
    r"[-–—:.(\[>*]\s*\**(?:not (?:yet )?(?:done|started|begun|finished|completed|run|tried)(?: yet)?"
    r"|pending|to[- ]?do|planned|tbd)\b\W*$",
    re.IGNORECASE,
)
_GUESSED = re.compile(
    r"[(\[–—:-]\s*(?:a )?(?:guess(?:ed)?|speculati\w+|assum\w+|not (?:yet )?confirmed)\b[^.]{0,60}\.?$", re.I
)


@lru_cache(maxsize=2048)
def is_ticked_off(text: str) -> bool:
    """Whether a sentence is an item on a list that was done."""
    return bool(_TICKED_OFF.search(text))


def is_asserted(clause: Clause) -> bool:
    """Whether the clause asserts something of this run."""
    text, whole = clause.text, clause.sentence.text
    if _OPEN.search(whole) or whole.rstrip().endswith("?"):
        return False
    if is_ticked_off(whole):
        return True
    if clause.sentence.under_plan:
        return False
    is_guess = phrases("guess").match(whole.lstrip("*_- ")) or _GUESSED.search(whole)
    is_aim = (aim := _AIM.match(text)) and aim.end() == len(text)
    goes_on = clause.joint in ("and", "") and clause.before
    is_of_part = clause.joint == "where" and _PART.match(text)
    if is_of_part or is_guess or is_aim or _announces(text) or (goes_on and _announces(whole)):
        return False
    return not _is_general(clause) and not phrases("fact_of_data").search(text)


def _is_general(clause: Clause) -> bool:
    """Whether a clause says what holds anyway; one without a verb says what the sentence in front of it does."""
    text = clause.text if is_finite(clause.text) else clause.before + clause.text
    return bool(phrases("general").search(text))


@lru_cache(maxsize=2048)
def _announces(text: str) -> bool:
    """Whether a text announces something or asks for it."""
    opening = _SO.search(text) or _OPENING.match(text)
    bare = text[opening.end() if opening else 0 :]
    is_order = phrases("imperative").match(bare) and not _OF_SPLIT.match(bare)
    return bool(phrases("plan_start").match(bare) or is_order)


def is_hedged(text: str, position: int) -> bool:
    """Whether a modal, a condition or a wish governs what stands at ``position``, or it only tells which or how."""
    begins, leads = _modal(text)
    return begins < position or leads


@lru_cache(maxsize=2048)
def _modal(text: str) -> tuple[float, bool]:
    """Where the first modal begins, behind every place where there is none; and whether no verb stands before it."""
    modal = phrases("modal").search(text)
    return (inf, False) if modal is None else (modal.start(), not is_finite(text[: modal.start()]))


def is_target(text: str) -> bool:
    """Whether a clause states a goal or a limit, and not that it was reached."""
    return bool(phrases("target").search(text)) and not phrases("reached").search(text)


def without_purpose(text: str) -> str:
    """The clause without a closing "to improve …" or "for better …"; same offsets."""
    for match in _PURPOSE.finditer(text):
        before, verb = text[: match.start()], match["verb"]
        is_verb = verb is None or any(phrases(name).fullmatch(verb) for name in ("words.being", "imperative"))
        is_aim = is_verb and len(before) > _SHORTEST and not phrases("words.able").search(before[-12:])
        if is_aim:
            return before
    return text


def without_aims(text: str) -> str:
    """The clause without what is done "to …" at its end or its beginning, blanks in its place; same offsets."""
    text = without_purpose(text)
    aim = _AIM.match(text)
    return " " * aim.end() + text[aim.end() :] if aim else text
