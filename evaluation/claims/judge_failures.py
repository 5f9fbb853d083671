"""The verdict on "it failed" and "it worked"."""

from __future__ import annotations

import re

from evaluation.claims.assertions import Execution
from evaluation.claims.claim import Finding, Verdict
from evaluation.claims.findings import RUN_KINDS, refuted, shown, unsupported
from evaluation.record.events import Event
from evaluation.record.kinds import EventKind
from evaluation.record.known import Known

_TIMEOUT = re.compile(
    r"tim(?:ed|e)[ -]?out|time limit|exceed\w* .{0,30}time|too long|terminated|killed|out of time", re.IGNORECASE
)
_EDIT_WORDS = re.compile(r"\b(?:edit(?:ed|ing)?|change[sd]?|updat\w+|modif\w+)\b", re.IGNORECASE)
_EDITED_CODE = re.compile(
    r"\b(?:edited|changed|updated|modified) (?:\w+ )?(?:script|code|version|model|program|file)\b", re.IGNORECASE
)
"""What was edited and is now run."""
_EDITING = re.compile(r"\bedit", re.IGNORECASE)
_UNDO_WORDS = re.compile(r"\bundo\b|\brevert", re.IGNORECASE)
_RUN_WORDS = re.compile(
    r"\b(?:script|training|execution|run|process|model|code|program|epoch|command|validat\w+|evaluat\w+|submission)\b",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"\b(?:it|this|that|which|they)\b", re.IGNORECASE)
_OTHER_ERROR = re.compile(
    r"\b(?:(?P<same>same)|different|another|new)\s+(?:\w+\s+)?(?:error|exception|issue|problem|message)", re.IGNORECASE
)
_STOPPED = frozenset({"killed", "was killed", "timed out", "crashed", "took too long", "out of memory"})
"""What only happens to what runs."""
_ATTEMPT = re.compile(r"\battempts?\b", re.IGNORECASE)
_COUNTED = re.compile(
    r"\b\w+ (?:out )?of (?:the )?\w+ (?:\w+ )?(?:seeds|episodes|games|cases|instances|levels|mazes)\b", re.I
)
"""Parts of a run that may fail though it ends well."""
_RECENT = 6
_LOOKED_AT = 3


def judge_failure(claim: Execution, known: Known) -> Finding:
    """Supported by a recent failure of the kind of action meant; contradicted where the latest ones worked."""
    kinds = _kinds(claim)
    recent = [event for event in known.events[-_RECENT:][::-1] if event.kind in kinds] or known.of_kind(*kinds)
    if not recent:
        return unsupported("nothing of the kind was tried")
    timeout = bool(_TIMEOUT.search(" ".join(claim.verbs)))
    failed = [event for event in recent[:_LOOKED_AT] if not (event.changed or _ended_well(event))]
    fitting = next((event for event in failed if event.timed_out or not timeout), failed[0] if failed else None)
    if fitting is None and _ATTEMPT.search(claim.about):
        return Finding(verdict=Verdict.UNCHECKABLE, note="it ran, and what it was meant to bring is not said")
    if fitting is None and _COUNTED.search(claim.about):
        return shown(recent[0])
    if fitting is None:
        return refuted(recent[0], "it had succeeded", "saved" if recent[0].kind is EventKind.EDIT else "")
    return _alike(claim, fitting, known) or shown(fitting, fitting.failure)


def _ended_well(event: Event) -> bool:
    """Whether an action did what it was for: an edit must have changed something."""
    return event.succeeded and event.kind is not EventKind.EDIT


def judge_success(claim: Execution, known: Known) -> Finding:
    """Supported where the latest action of the kind meant ended well."""
    events = known.of_kind(*_kinds(claim))
    if not events:
        return unsupported("nothing of the kind was done")
    last = events[0]
    if not last.succeeded:
        return refuted(last, "it had failed")
    if last.kind is EventKind.EDIT and not last.changed:
        return refuted(last, "nothing was changed")
    return shown(last, "successfully")


def _alike(claim: Execution, failed: Event, known: Known) -> Finding | None:
    """Contradicted, where a failure said to be the same as the one before is another, or the reverse."""
    said = _OTHER_ERROR.search(claim.about)
    before = next((event for event in known.failures() if event.step < failed.step), None)
    if said is None or before is None:
        return None
    same = before.failure == failed.failure
    if same == (said["same"] is not None):
        return None
    return refuted(before, f"the failure of step {failed.step} is {'the same' if same else 'another'}")


def _meant(text: str) -> tuple[EventKind, ...]:
    """The kinds of action a phrase speaks of."""
    if _UNDO_WORDS.search(text) and not _EDITING.search(text):
        return (EventKind.UNDO,)
    if _EDIT_WORDS.search(_EDITED_CODE.sub("script", text)):
        return (EventKind.EDIT,)
    return RUN_KINDS if _RUN_WORDS.search(text) else tuple(EventKind)


def _kinds(claim: Execution) -> tuple[EventKind, ...]:
    """The kinds of action a claim speaks of, if need be as its sentence tells."""
    if _STOPPED.intersection(claim.verbs):
        return RUN_KINDS
    own = _meant(claim.about)
    return own if len(own) < len(EventKind) or not _PRONOUN.search(claim.about) else _meant(claim.context)
