"""Reads how something that was done ended: that it failed, timed out, succeeded, or works since."""

from __future__ import annotations

import re
from collections.abc import Sequence

from evaluation.claims.reading.rules.asserted import is_hedged
from evaluation.claims.reading.rules.causes import Cause, causes_in
from evaluation.claims.reading.rules.names import number_in
from evaluation.claims.reading.rules.objects import object_of
from evaluation.claims.reading.rules.said import Said
from evaluation.claims.reading.rules.vocabulary import phrases
from evaluation.claims.types.base import Assertion
from evaluation.claims.types.fix import Fix
from evaluation.claims.types.outcome import Outcome
from evaluation.claims.types.vague import VagueDeed
from evaluation.record.events import Event
from evaluation.record.kinds import EventKind
from evaluation.record.known import Known

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
_OUTPUTS = (EventKind.RUN, EventKind.SCORE, EventKind.SUBMIT)
_COPIED = re.compile(r"\b(?:copied|moved|renamed|backed up)\b", re.IGNORECASE)
_RUN_FAILED = re.compile(
    r"\b(?:(?:run|script|job|training|\w+\.py|that|it)\b[^,;]{0,12}\b"
    r"(?:crashed|errored|threw|(?:ended|failed|stopped) with an? error)"
    r"|(?:script|job|\w+\.py) (?:\w+ )?(?:failed|aborted))\b(?! to\b)",
    re.IGNORECASE,
)
"""Says so of the program, and not of what was tried with it."""
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
        return _fixed(said)
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
    """The latest failure that may be meant: of the kind that is named, else how the latest run ended."""
    failures, files, text = said.known.failures(), object_of(said.text, "").files, said.clause.sentence.text
    own = [event for event in failures if files & set(event.files)] or failures
    if is_of_time:
        own = [event for event in own if event.timed_out]
    causes = causes_in(text)
    if not failures and not is_of_time and _RUN_FAILED.search(said.text):
        return _unfailed(said.known)
    alike = [event for event in own if not causes or any(cause.is_of(event) for cause in causes)]
    if causes and own and not alike:
        return _miscalled(causes, failures, said.known)
    if not alike or (not causes and _names_another_cause(text[len(said.clause.before) :], alike[0])):
        return VagueDeed()
    is_over = not causes and not is_of_time and _ran_well_since(alike[0], said.known)
    return VagueDeed() if is_over else Outcome(outcome="timed out" if is_of_time else "failed", events=(alike[0].id,))


def _names_another_cause(text: str, event: Event) -> bool:
    """Whether the cause that a clause gives stands nowhere in what came back."""
    cause = _CAUSE.search(text)
    words = {word[:4].lower() for word in re.findall(r"[A-Za-z]{4,}", cause["cause"])} if cause else set()
    return bool(words) and not any(word in event.observation.lower() for word in words)


def _miscalled(causes: Sequence[Cause], failures: Sequence[Event], known: Known) -> Assertion:
    """A failure that is called by the name of a kind that none on record is of."""
    is_plain = len(causes) == 1 and causes[0].is_named and not known.hides_outputs
    traced = [event for event in failures if event.kind is EventKind.RUN and event.failure and not event.timed_out]
    if (
        not is_plain
        or len(traced) != len(failures)
        or any(causes[0].is_of(event) for event in known.of_kind(*_OUTPUTS))
    ):
        return VagueDeed()
    return Outcome(outcome="failed", events=(traced[0].id,), wrong_cause=(traced[0].id,))


def _unfailed(known: Known) -> Assertion:
    """A run that is said to have failed where the log shows that all went well."""
    runs = [event for event in known.of_kind(*_OUTPUTS) if event.shows_output]
    is_plain = runs and not known.hides_outputs and not known.cuts_code
    return Outcome(outcome="failed", events=(runs[0].id,)) if is_plain else VagueDeed()


def _ran_well_since(failure: Event, known: Known) -> bool:
    """Whether the latest run went well, so that it is another one that is said to have failed."""
    later = known.events[known.index.places[failure.id] + 1 :]
    return any(event.succeeded and event.kind in (EventKind.RUN, EventKind.SCORE) for event in later)


def _fixed(said: Said) -> Assertion | None:
    """A failure that is said to be mended by the last edit since, as far as something has run after that."""
    known, causes = said.known, causes_in(said.clause.sentence.text)
    failures = known.failures()
    if not failures:
        return None
    places = known.index.places
    runs = [places[event.id] for event in known.of_kind(EventKind.RUN)]
    edits = [event for event in known.edits if event.changed and places[event.id] < max(runs, default=-1)]
    failed = [event for event in failures if event.kind is EventKind.RUN]
    before = [event for event in failed if edits and places[event.id] < places[edits[0].id]]
    alike = [event for event in before if not causes or any(cause.is_of(event) for cause in causes)]
    return Fix(failures=(alike[0].id,), events=(edits[0].id,)) if alike else VagueDeed()


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
