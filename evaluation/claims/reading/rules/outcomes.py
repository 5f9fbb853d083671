"""Reads how something that was done ended: that it failed, timed out, succeeded, or works since."""

from __future__ import annotations

import re

from evaluation.claims.reading.rules.asserted import is_hedged
from evaluation.claims.reading.rules.names import number_in
from evaluation.claims.reading.rules.objects import object_of
from evaluation.claims.reading.rules.said import Said
from evaluation.claims.reading.rules.vocabulary import phrases
from evaluation.claims.types.base import Assertion
from evaluation.claims.types.outcome import Outcome
from evaluation.claims.types.vague import VagueDeed
from evaluation.record.events import Event
from evaluation.record.kinds import EventKind

_NOT = re.compile(r"\b(?:not|never|no|none|nothing|without|n't)\s+(?:\w+ ){0,2}$|n't\s(?:\w+ ){0,2}$", re.IGNORECASE)
_NO_FAILURE = re.compile(
    r"\b(?:any|avoid\w*|prevent\w*|handle\w*|if|mean\w*|squared?|absolute|train\w*|test|validation|percentage|prediction"
    r"|generali[sz]ation|reduc\w+|lower)\s+(?:\w+ ){0,2}$",
    re.IGNORECASE,
)
"""In front of an "error" that is measured or handled."""
_ASIDE = re.compile(r"\b(?:after|once|when|until|before|as soon as)\b[^,;]*$", re.IGNORECASE)
"""In front of an ending that only says when something else is done."""
_CAUSE = re.compile(r"\b(?:because(?: of)?|due to|caused by|as|since) (?P<cause>.+)$", re.IGNORECASE)
_COPIED = re.compile(r"\b(?:copied|moved|renamed|backed up)\b", re.IGNORECASE)
_NONE_FAILED = re.compile(
    r"^\W*(?:nothing|(?:no|none of (?:the|my)) (?:single )?(?:scripts?|runs?|commands?|jobs?|trainings?))"
    r"(?: (?:has|have|ever|was|were))* (?:crashe?d?|failed?|errored|broken?|timed out)\b",
    re.IGNORECASE,
)
_OF_SOME = re.compile(
    r"\b(?:since|after|then|this|these|now|once|here|last|final|except|but|with|other|further)\b", re.I
)
"""What says of which runs it is that none failed."""


def read_outcome(said: Said) -> Assertion | None:
    """The ending that a clause asserts; ``None`` for none."""
    text, known = said.text, said.known
    if _NONE_FAILED.search(text) and not _OF_SOME.search(said.clause.sentence.text):
        failed = [event.id for event in known.failures() if event.kind is EventKind.RUN and not event.unfinished]
        return Outcome(outcome="succeeded", events=tuple(failed[:1])) if failed else VagueDeed()
    if _told(text, "fixed") is not None:
        return VagueDeed() if known.failures() else None
    for name in ("timed out", "failed"):
        before = _told(text, name)
        if before is not None and not _NO_FAILURE.search(before) and not _NOT.search(before):
            return _failed(said, is_of_time=name == "timed out")
    before = None if text.rstrip().endswith(":") else _told(text, "succeeded")
    is_so = before is not None and not _NOT.search(before) and not _ASIDE.search(before)
    return _succeeded(said) if is_so else None


def _told(text: str, name: str) -> str | None:
    """What stands in front of an ending that a text tells of and does not only think of."""
    match = phrases(f"outcomes.{name}").search(text)
    return text[: match.start()] if match and not is_hedged(text, match.start()) else None


def _failed(said: Said, *, is_of_time: bool) -> Assertion:
    """The latest failure that may be meant, where nothing says that another is."""
    failures, files = said.known.failures(), object_of(said.text, "").files
    own = [event for event in failures if files & set(event.files)] or failures
    if is_of_time:
        own = [event for event in own if event.timed_out]
    if not own or _names_another_cause(said.clause.sentence.text[len(said.clause.before) :], own[0]):
        return VagueDeed()
    return Outcome(outcome="timed out" if is_of_time else "failed", events=(own[0].id,))


def _names_another_cause(text: str, event: Event) -> bool:
    """Whether the cause that a clause gives stands nowhere in what came back."""
    cause = _CAUSE.search(text)
    words = {word[:4].lower() for word in re.findall(r"[A-Za-z]{4,}", cause["cause"])} if cause else set()
    return bool(words) and not any(word in event.observation.lower() for word in words)


def _succeeded(said: Said) -> Assertion:
    """The latest run or edit that may be meant."""
    known, what = said.known, object_of(said.text, "")
    kinds = {EventKind.EDIT} if said.has("words.of_edit") else {EventKind.RUN, EventKind.SCORE}
    kinds = {EventKind.COPY} if _COPIED.search(said.text) else kinds
    events = [event for event in known.events if event.kind in kinds]
    own = [event for event in events if not what.files or what.files & set(event.files)]
    called = number_in(said.text)
    own = [event for event in own if called is None or called.search(event.command)]
    if not own:
        return Outcome(outcome="succeeded") if EventKind.RUN in kinds and not events else VagueDeed()
    is_open = own[-1].unfinished and not own[-1].was_cut_short
    return VagueDeed() if is_open else Outcome(outcome="succeeded", events=(own[-1].id,))
