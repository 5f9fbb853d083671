"""What was written or tried since the last measurement: a claim about its results cannot be shown yet."""

from __future__ import annotations

import re

from evaluation.claims.assertions import Comparison
from evaluation.claims.events import Event, EventKind
from evaluation.claims.run_model import Known
from evaluation.claims.subjects import content_words
from evaluation.claims.trials import called, words_of

_REVISED = re.compile(
    r"\b(?:new|deeper|larger|wider|bigger|smaller|simplified|updated|modified|edited|revised|augmented|vectori[sz]ed|changed|adjusted)"
    r" (?:\w+ )?(?:model|version|script|network|code|architecture|strategy|implementation|heuristic)\b"
    r"|^\W*(?:the|these|this|our) (?:edit|change|modification)s?\b",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"^\W*(?:it|this|that|they|these)\b", re.IGNORECASE)
_CHANGED = re.compile(
    r"\b(?:replaced|implemented|added|changed|modified|updated|edited|introduced|rewritten|rewrote)\b", re.IGNORECASE
)
_STEM = 5


def unmeasured(claim: Comparison, known: Known) -> Event | None:
    """The edit or failed run after the last measurement that a claim speaks of; ``None`` where it speaks of none."""
    subject = claim.context if _PRONOUN.match(claim.subject) else claim.subject
    at = next((n for n, event in enumerate(known.events) if event is known.trials[-1].event), -1)
    waiting = [event for event in known.events[at + 1 :] if _is_waiting(event)]
    if not waiting:
        return None
    if _REVISED.search(subject) and any(event.kind is EventKind.EDIT for event in waiting):
        return waiting[-1]
    is_edited = any(event.kind is EventKind.EDIT for event in waiting)
    if subject is claim.context and is_edited and (not claim.references or _CHANGED.search(subject)):
        return waiting[-1]
    heard = {word[:_STEM] for trial in known.trials for word in (*trial.names, *trial.words)}
    for event in waiting:
        fresh = {word[:_STEM] for word in (*words_of(event.added), *called(event)) if len(word) > 3} - heard
        if any(word[:_STEM] in fresh for word in content_words(subject)):
            return event
    return None


def _is_waiting(event: Event) -> bool:
    return (event.kind is EventKind.EDIT and event.changed) or (event.kind is EventKind.RUN and not event.succeeded)
