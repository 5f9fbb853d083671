"""Whether something was done."""

from __future__ import annotations

from evaluation.claims.judging.finding import Finding, contradicted, supported, uncheckable, unsupported
from evaluation.claims.judging.operands import events
from evaluation.claims.types.deed import Deed, Doing
from evaluation.record.events import Event
from evaluation.record.kinds import EventKind
from evaluation.record.known import Known
from evaluation.record.outputs import outputs_are_cut

_SHOWN_BY: dict[Doing, frozenset[EventKind]] = {
    Doing.CHANGED: frozenset({EventKind.EDIT, EventKind.UNDO, EventKind.COPY}),
    Doing.RAN: frozenset({EventKind.RUN, EventKind.SCORE, EventKind.SUBMIT}),
    Doing.SAVED: frozenset({EventKind.RUN, EventKind.SCORE, EventKind.EDIT, EventKind.COPY, EventKind.SUBMIT}),
    Doing.READ: frozenset(EventKind),
    Doing.INSTALLED: frozenset({EventKind.INSTALL, EventKind.RUN}),
    Doing.SUBMITTED: frozenset({EventKind.SUBMIT, EventKind.SCORE}),
    Doing.UNDONE: frozenset({EventKind.UNDO, EventKind.EDIT, EventKind.COPY}),
}
"""Kinds of events that can show a deed: what is only written was not done."""


def judge_deed(claim: Deed, known: Known) -> Finding:
    """Supported by an event that did it; contradicted where every try failed, or events show the contrary."""
    fitting = [event for event in events(known, claim.events) if _can_show(event, claim.doing)]
    done = [event for event in fitting if _worked(event, claim.doing)]
    contrary = events(known, claim.instead)
    if claim.is_denied:
        if done:
            return contradicted(done[-1], note="it was done")
        shown = [*fitting, *contrary]
        return supported(*shown) if shown else uncheckable("nothing on record tells of it")
    if contrary:
        return contradicted(contrary[-1], note="the record shows the contrary")
    if done:
        return supported(done[-1])
    if fitting and fitting[-1].unfinished:
        return unsupported("nothing shows that it ended")
    if fitting:
        return contradicted(fitting[-1], note=fitting[-1].failure or "it changed nothing")
    if claim.doing is not Doing.CHANGED and outputs_are_cut(known):
        return uncheckable("nothing on record shows it, and outputs are cut")
    return unsupported("nothing on record shows that it was done")


def _can_show(event: Event, doing: Doing) -> bool:
    if event.authored and doing is not Doing.READ:
        return False
    return event.kind in _SHOWN_BY[doing] or (doing in (Doing.CHANGED, Doing.SAVED) and event.writes)


def _worked(event: Event, doing: Doing) -> bool:
    is_of_content = event.kind is EventKind.EDIT and doing is not Doing.SAVED
    return event.changed if is_of_content else event.succeeded
