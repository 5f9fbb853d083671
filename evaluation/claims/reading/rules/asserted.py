"""Whether a clause says how something is: no plan, wish, guess, condition, question or common knowledge."""

from __future__ import annotations

import re
from functools import lru_cache
from math import inf

from evaluation.claims.reading.rules.prose import FINITE, Clause, Sentence
from evaluation.claims.reading.rules.vocabulary import phrases

_OPENING = re.compile(
    r"^[\W_]*(?:(?:now|first|second|third|then|finally|also|so|okay|ok|great|alternatively"
    r"|instead|lastly|therefore|thus|for now|at this point|overall|next step"
    r"|to \w+[^,]{0,80}|in the next step[^,]*|given [^,]{0,80}|based on [^,]{0,80}"
    r"|(?:thoughts?|reasoning|reflection|plan|to-?do):"
    r"|before [^,]{0,80}|after (?:this|that|\w+ing)[^,]{0,60})[,:!.]?\s+)*",
    re.IGNORECASE,
)
_SO = re.compile(r"\b(?:so|next|now|then|plan|therefore)\s*:\s+", re.IGNORECASE)
"""Behind a reason, in front of what is done for it: "each call costs a step, so: run …"."""
_PURPOSE = re.compile(
    r"\b(?:in order |so as )?to (?:\w+ly |further |better |help )?(?P<verb>[a-z-]+\b)(?!\.\w)"
    r"|\bso that\b|\bfor (?:better|improved|more|faster|higher|finer|further)\b",
    re.I,
)
_ABLE = re.compile(
    r"\b(?:failed|managed|able|continue[sd]?|seems?|appears?|due|led|leads|used|compared|found"
    r"|shown|known|similar|close|relative|need|needs|out|unable)$",
    re.I,
)
_SHORTEST = 3
"""Characters of a clause beyond which something may be said in front of an aim."""
_AIM = re.compile(r"\W*(?:in order )?to (?!date\b|summari|conclude)\w+ [^,]*,", re.IGNORECASE)
"""What a clause begins with that only says what something is done for."""
_WHICH = re.compile(r"\b(?:where|how|why|what|(?:function|script|code|changes?) (?:i|we))\b[^,;.]*$", re.IGNORECASE)
_OF_BEFORE = re.compile(r"(?:it|they|this|that|these)\b", re.IGNORECASE)
"""Behind "where", of a part of what was named before."""
_TO = re.compile(r"\W*(?:in order )?to (?:further )?(?!date\b|summari|conclude)\w+ [^,]*$", re.IGNORECASE)
"""A clause that is nothing but an aim."""
_TICKED_OFF = re.compile(
    r"(?:[-–—:.(\[>*]|\W)\s*\**(?:done|completed?|finished|✓|✅)\b[\W]*$|^\W*\[x\]|[✓✅]", re.IGNORECASE
)
"""Something on a list that was done."""
_OPEN = re.compile(
    r"[-–—:.(\[>*]\s*\**(?:not (?:yet )?(?:done|started|begun|finished|completed|run|tried)(?: yet)?"
    r"|pending|to[- ]?do|planned|tbd)\b\W*$",
    re.IGNORECASE,
)
"""Something on a list that was not done yet."""
_ASSERTS = re.compile(r"\b(?:was|were|has been|have been|is now|are now|failed|succeeded|did not|didn't)\b", re.I)
_OF_SPLIT = re.compile(
    r"(?:train|test)\W+(?:\w+ ){0,3}?(?:is|was|are|were|did|does|has|have|went|rose|fell|dropped|improved|increased"
    r"|decreased|reached|stayed|jumped)\b|(?:train|test)[\w ]{2,24}[:=(]",
    re.IGNORECASE,
)
"""As "Test accuracy went …", which orders nobody to test."""
_GUESSED = re.compile(
    r"[(\[–—:-]\s*(?:a )?(?:guess(?:ed)?|speculati\w+|assum\w+|not (?:yet )?confirmed)\b[^.]{0,60}\.?$", re.I
)


@lru_cache(maxsize=2048)
def is_ticked_off(text: str) -> bool:
    """Whether a sentence is an item on a list that was done."""
    return bool(_TICKED_OFF.search(text))


def is_asserted(clause: Clause) -> bool:
    """Whether the clause asserts something of this run."""
    if not _may_assert(clause.sentence):
        return False
    if is_ticked_off(clause.sentence.text):
        return True
    if clause.joint == "where" and _OF_BEFORE.match(clause.text):
        return False
    if clause.joint == "which" and phrases("modal").search(clause.before):
        return False
    if _is_guess(clause.sentence.text) or _is_plan(clause) or _TO.match(clause.text):
        return False
    return not _is_general(clause) and not phrases("fact_of_data").search(clause.text)


def _is_general(clause: Clause) -> bool:
    """Whether a clause says what holds anyway; one without a verb says what the sentence in front of it does."""
    if FINITE.search(clause.text):
        return bool(phrases("general").search(clause.text))
    return _end_of_general(clause.sentence.text) <= clause.start - clause.sentence.start + len(clause.text)


@lru_cache(maxsize=2048)
def _end_of_general(text: str) -> float:
    """Where the first words end that say what holds anyway; behind every place where there are none."""
    found = phrases("general").search(text)
    return found.end() if found else inf


@lru_cache(maxsize=2048)
def _may_assert(sentence: Sentence) -> bool:
    """Whether a sentence is no question, and nothing on a list that is still to be done."""
    if _OPEN.search(sentence.text) or sentence.text.rstrip().endswith("?"):
        return False
    return is_ticked_off(sentence.text) or not sentence.under_plan


def is_hedged(clause: Clause, position: int) -> bool:
    """Whether a modal, a condition or a wish governs what stands at ``position``, or it only tells which or how."""
    begins, leads = _modal(clause.text)
    return begins < position or leads


@lru_cache(maxsize=2048)
def _modal(text: str) -> tuple[float, bool]:
    """Where the first modal begins, behind every place where there is none; and whether no verb stands before it."""
    modal = phrases("modal").search(text)
    return (inf, False) if modal is None else (modal.start(), not FINITE.search(text[: modal.start()]))


def is_of_which(before: str) -> bool:
    """Whether what stands behind a text only tells which thing is meant, or how: "the part where it is trained"."""
    return bool(_WHICH.search(before))


def is_on_list_of_tasks(clause: Clause) -> bool:
    """Whether it names a task that is ticked off, in the words of an order: "Compare with the baseline. Done"."""
    return is_ticked_off(clause.sentence.text) and bool(phrases("imperative").match(clause.text))


def is_target(clause: Clause) -> bool:
    """Whether the clause states a goal or a limit, and not that it was reached."""
    return bool(phrases("target").search(clause.text)) and not phrases("reached").search(clause.text)


def without_purpose(text: str) -> str:
    """The clause without a closing "to improve …" or "for better …"; same offsets."""
    for match in _PURPOSE.finditer(text):
        before, verb = text[: match.start()], match["verb"]
        is_verb = verb is None or any(phrases(name).fullmatch(verb) for name in ("words.being", "imperative"))
        is_aim = is_verb and len(before) > _SHORTEST and not _ABLE.search(before.rstrip())
        if is_aim and not _ASSERTS.search(text[match.start() :]):
            return before
    return text


def without_aims(text: str) -> str:
    """The clause without what is done "to …" at its end or its beginning, blanks in its place; same offsets."""
    text = without_purpose(text)
    aim = _AIM.match(text)
    return " " * aim.end() + text[aim.end() :] if aim else text


@lru_cache(maxsize=2048)
def _is_guess(text: str) -> bool:
    return bool(phrases("guess").match(text.lstrip("*_- ")) or _GUESSED.search(text))


def _is_plan(clause: Clause) -> bool:
    """Whether it announces or asks for something, or goes on from a clause that does."""
    texts = [clause.text]
    if clause.joint in ("and", "") and clause.before:
        texts.append(clause.sentence.text)
    return any(_announces(text) for text in texts)


@lru_cache(maxsize=2048)
def _announces(text: str) -> bool:
    opening = _SO.search(text) or _OPENING.match(text)
    bare = text[opening.end() if opening else 0 :]
    ordered = phrases("imperative").match(bare)
    if ordered and _OF_SPLIT.match(bare):
        ordered = None
    return bool(phrases("plan_start").match(bare) or ordered)
