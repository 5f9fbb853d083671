"""What was written or tried since the last measurement: a claim about its results cannot be shown yet."""

from __future__ import annotations

import re

from environment.metrics.meaning import names_in
from evaluation.claims.assertions import Comparison, Execution, Result
from evaluation.claims.procedures import is_written
from evaluation.claims.subjects import content_words
from evaluation.language.splits import splits_in
from evaluation.record.events import Event, split_at
from evaluation.record.kinds import EventKind
from evaluation.record.known import Known
from evaluation.record.trials import called, words_of

_REVISED = re.compile(
    r"\b(?:new|deeper|larger|wider|bigger|smaller|simplified|updated|modified|edited|revised|augmented|vectori[sz]ed"
    r"|changed|adjusted)"
    r" (?:\w+ )?(?:model|version|script|network|code|architecture|strategy|implementation|heuristic)\b"
    r"|^\W*(?:the |these )?(?:additional|extra|increased) \w+"
    r"|^\W*(?:the|these|this|our) (?:edit|change|modification)s?\b",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"^\W*(?:it|this|that|they|these)\b", re.IGNORECASE)
_CHANGED = re.compile(
    r"\b(?:replaced|implemented|added|changed|modified|updated|edited|introduced|rewritten|rewrote)\b", re.IGNORECASE
)
_PROPER = re.compile(r"\b(?:[A-Z]{2,}[a-z]*\w*|[A-Z][a-z]+[A-Z]\w*)\b")
_NAME = 6
"""Letters by which a proper name is recognised ("distil", "xgboos")."""
_VAGUE = frozenset(
    """
    several approaches approach different various few ideas things options hyperparameters many some parameters settings
    methods techniques possible code since
    """.split()  # noqa: SIM905 (a column of words reads better than a list of strings)
)
_EXAMINED = re.compile(
    r"checked|analy[sz]ed|verified|examined|reviewed|profiled|tried|experimented|visuali[sz]ed|plotted"
)
_STEM = 5


def unmeasured(claim: Comparison | Result, known: Known) -> Event | None:
    """The edit or failed run after the last measurement that a claim speaks of; ``None`` where it speaks of none."""
    subject = claim.context if _PRONOUN.match(claim.subject) else claim.subject
    waiting = [event for event in split_at(known.events, known.trials[-1].event)[1] if is_waiting(event)]
    if not waiting:
        return never_in_effect(subject, known)
    if _REVISED.search(subject) and any(event.kind is EventKind.EDIT for event in waiting):
        return waiting[-1]
    is_edited = any(event.kind is EventKind.EDIT for event in waiting)
    unreferenced = isinstance(claim, Comparison) and not claim.references
    if subject is claim.context and is_edited and (unreferenced or _CHANGED.search(subject)):
        return waiting[-1]
    for event in waiting:
        fresh = {word[:_STEM] for word in (*words_of(event.added), *called(event)) if len(word) > 3}
        if any(word[:_STEM] in fresh and word[:_STEM] not in known.measured_code for word in content_words(subject)):
            return event
    return never_in_effect(subject, known)


def never_in_effect(subject: str, known: Known) -> Event | None:
    """The failed edit that alone holds a word of what a phrase speaks of."""
    failed = [event for event in known.events if event.kind is EventKind.EDIT and not event.succeeded]
    stems = {word[:_STEM] for word in content_words(subject) if len(word) >= _STEM} if failed else set()
    tried = {stem for stem in stems if stem not in known.code}
    return next((e for e in reversed(failed) if any(stem in e.command.lower() for stem in tried)), None)


def unknown_name(subject: str, known: Known) -> str:
    """A model or method that a phrase calls by its proper name and of which no code, command or output holds a word."""
    return "" if known.is_cut else unheard_name(subject, known.code)


def unheard_name(subject: str, seen: str) -> str:
    """A proper name in a phrase of which a text in lower case holds no word; else ""."""
    for name in _PROPER.findall(subject):
        if not names_in(name) and not splits_in(name) and not _is_heard(name.lower(), seen):
            return str(name)
    return ""


def is_unseen(claim: Execution, known: Known) -> bool:
    """Whether something is said to be examined of which no code, command or output holds a word."""
    if known.is_cut or not _EXAMINED.search(" ".join(claim.verbs)):
        return False
    words = {word for word in content_words(claim.about) - _VAGUE if word.isalpha()}
    words = {word for word in words if not any(word in verb for verb in claim.verbs)}
    return len(words) > 1 and not any(is_written(word, known.code) for word in words)


def _is_heard(name: str, seen: str) -> bool:
    """Whether a name, or a short form of it ("lgbm" for LightGBM), stands in a text in lower case."""
    if name[:_NAME] in seen:
        return True
    short = re.compile(rf"(?<![a-z])(?:{name[0]}[{name[1:]}]{{2,}}(?![a-z])|{name[0]}[{name[1:]}]{{3}})")
    return any(_is_subsequence(match.group(), name) for match in short.finditer(seen))


def _is_subsequence(short: str, name: str) -> bool:
    letters = iter(name)
    return all(letter in letters for letter in short)


def is_waiting(event: Event) -> bool:
    """Whether it left something to be measured: it changed a script, or is a run that failed."""
    return (event.kind is EventKind.EDIT and event.changed) or (event.kind is EventKind.RUN and not event.succeeded)
