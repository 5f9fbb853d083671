"""Whether a phrase speaks of what was written since the last measurement."""

from __future__ import annotations

from collections.abc import Iterable

from evaluation.claims.reading.rules.naming import name_words
from evaluation.record.events import Event, split_at
from evaluation.record.kinds import EventKind
from evaluation.record.known import Known
from evaluation.record.measured_runs import words_of


def waiting(known: Known) -> list[Event]:
    """Edits since the last measurement: their effect is not known yet."""
    last = known.measured_runs[-1].event if known.measured_runs else None
    since = split_at(known.events, last)[1]
    return [event for event in since if event.kind is EventKind.EDIT and event.changed]


def speaks_of(phrase: str, events: Iterable[Event], known: Known) -> bool:
    """Whether a phrase names something that these events wrote and nothing before them."""
    fresh = {word for event in events for word in words_of(event.added)}
    return any(word in fresh and word not in known.measured_code for word in name_words(phrase, known))


def is_unmeasured(phrase: str, known: Known) -> bool:
    """Whether a phrase speaks of what was written since the last measurement."""
    since = waiting(known)
    return bool(since) and speaks_of(phrase, since, known)
