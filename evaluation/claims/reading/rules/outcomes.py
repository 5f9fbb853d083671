"""Reads how something that was done ended: that it failed, timed out, succeeded, or works since."""

from __future__ import annotations

import re

from evaluation.claims.reading.rules.asserted import is_hedged
from evaluation.claims.reading.rules.objects import object_of
from evaluation.claims.reading.rules.prose import Clause
from evaluation.claims.reading.rules.traces import Done, ran
from evaluation.claims.reading.rules.vocabulary import phrases
from evaluation.claims.types.base import Assertion
from evaluation.claims.types.deed import Deed, Doing
from evaluation.claims.types.outcome import Outcome
from evaluation.claims.types.vague import VagueDeed
from evaluation.record.events import Event
from evaluation.record.kinds import EventKind
from evaluation.record.known import Known

_NEGATED = re.compile(
    r"\b(?:not|no|never|without|any|n't|avoid\w*|prevent\w*|handle\w*|if|mean\w*|squared?"
    r"|absolute|train\w*|test|validation|percentage|prediction|generali[sz]ation|reduc\w+"
    r"|lower)\s+(?:\w+ ){0,2}$|n't\s(?:\w+ ){0,2}$",
    re.I,
)
_STATUS = re.compile(r"\W*(?:completed?|done|finished|failed)\W*", re.IGNORECASE)
"""How an item of a list stands, of which the item itself tells."""
_CAUSE = re.compile(r"\b(?:because(?: of)?|due to|caused by|as|since) (?P<cause>.+)$", re.IGNORECASE)
_ASIDE = re.compile(r"\b(?:after|once|when|until|before|as soon as)\b[^,;]*$|,\s*$", re.IGNORECASE)
"""In front of an ending that only says when something else is done, or of one item of a list ("finished area")."""
_NOT = re.compile(r"\b(?:not|never|no|without|n't)\s+(?:\w+ ){0,2}$|n't\s(?:\w+ ){0,2}$", re.IGNORECASE)
_NONE_FAILED = re.compile(
    r"^\W*(?:nothing|(?:no|none of (?:the|my)) (?:single )?(?:scripts?|runs?|commands?|jobs?|trainings?))"
    r"(?: (?:has|have|ever|was|were))* (?:crashe?d?|failed?|errored|broken?|timed out)\b",
    re.IGNORECASE,
)
_OF_SOME = re.compile(
    r"\b(?:since|after|then|this|these|now|once|here|last|final|except|but|with|other|further)\b", re.I
)
"""What says of which runs it is that none failed."""


def read_outcome(clause: Clause, known: Known) -> Assertion | None:
    """The ending that a clause asserts; ``None`` for none."""
    text = clause.text
    if _STATUS.fullmatch(text):
        return None
    if _NONE_FAILED.search(text) and not _OF_SOME.search(clause.sentence.text):
        failed = [event.id for event in known.failures() if event.kind is EventKind.RUN]
        return Outcome(outcome="succeeded", events=tuple(failed[:1])) if failed else VagueDeed()
    fixed = phrases("outcomes.fixed").search(text)
    if fixed and not is_hedged(clause, fixed.start()):
        return VagueDeed() if known.failures() else None
    for name in ("timed out", "failed"):
        match = phrases(f"outcomes.{name}").search(text)
        if match and not is_hedged(clause, match.start()) and not _NEGATED.search(text[: match.start()]):
            return _failed(clause, known, name)
    match = phrases("outcomes.succeeded").search(text)
    before = text[: match.start()] if match else ""
    if match and not is_hedged(clause, match.start()) and not _NOT.search(before) and not _ASIDE.search(before):
        what = object_of(text, "")
        is_made_with = what.numbers and re.search(r"\btrain(?:ing|ed)?\b|\bruns?\b", text, re.I)
        made = ran(Done(Doing.RAN, "trained", what, text), known) if is_made_with else VagueDeed()
        return _succeeded(clause, known) if isinstance(made, VagueDeed) else made
    return None


def _failed(clause: Clause, known: Known, outcome: str) -> Assertion | None:
    failures = known.failures()
    what = object_of(clause.text, "")
    own = [event for event in failures if what.files & set(event.files)] or failures
    if outcome == "timed out":
        own = [event for event in own if event.timed_out] or own
    if not own:
        return VagueDeed()
    if _names_another_cause(clause.sentence.text[len(clause.before) :], own[0]):
        return VagueDeed()
    return Outcome(outcome=outcome, events=(own[0].id,)) if outcome != "timed out" or own[0].timed_out else VagueDeed()  # type: ignore[arg-type]


def _names_another_cause(text: str, event: Event) -> bool:
    """Whether the cause that a clause gives stands nowhere in what came back."""
    cause = _CAUSE.search(text)
    words = {word[:4].lower() for word in re.findall(r"[A-Za-z]{4,}", cause["cause"])} if cause else set()
    return bool(words) and not any(word in event.observation.lower() for word in words)


def _succeeded(clause: Clause, known: Known) -> Assertion | None:
    kinds = {EventKind.EDIT} if phrases("words.of_edit").search(clause.text) else {EventKind.RUN, EventKind.SCORE}
    what = object_of(clause.text, "")
    files = what.files
    events = [event for event in known.events if event.kind in kinds]
    own = [event for event in events if files & set(event.files)] or ([] if files else events)
    if not own and what.names and known.live_edits and not what.missing(known.live_code):
        return Deed(doing=Doing.CHANGED, events=(known.live_edits[0].id,))
    if not own:
        return Outcome(outcome="succeeded") if EventKind.RUN in kinds and not events else VagueDeed()
    last = own[-1]
    if last.unfinished and not last.was_cut_short:
        return VagueDeed()
    return Outcome(outcome="succeeded", events=(last.id,))
