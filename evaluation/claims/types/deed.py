"""Something done, and whether it was."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar, Literal

from pydantic import Field

from evaluation.claims.claim import Kind
from evaluation.claims.judging.finding import Finding, contradicted, supported, uncheckable, unsupported
from evaluation.claims.judging.operands import events
from evaluation.claims.types.base import Assertion, Given, Ids
from evaluation.language.quantity import Quantity
from evaluation.record.events import Event
from evaluation.record.kinds import EventKind
from evaluation.record.known import Known


class Doing(StrEnum):
    """What kind of doing it is; each is shown by other kinds of events."""

    CHANGED = "changed"  # code or settings were written, added, removed, replaced
    RAN = "ran"  # something was executed, trained, evaluated, computed, plotted, printed, tested
    SAVED = "saved"  # a file was written by a script or by the agent
    READ = "read"  # something was looked at
    INSTALLED = "installed"
    SUBMITTED = "submitted"
    UNDONE = "undone"


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


class Deed(Assertion):
    """Something was done: "I added dropout", "trained for 10 epochs", "saved the model to model.pt"."""

    kind: ClassVar[Kind] = Kind.EXECUTION
    type: Literal["deed"] = "deed"
    doing: Doing = Field(
        description="changed: code was written; ran: it was also carried out (trained, computed, plotted, tested)"
    )
    events: Ids = Field(
        default=(),
        description="events that did exactly this or tried to; none where the ledger shows no such event, or shows "
        "that it did something else",
    )
    instead: Ids = Field(
        default=(), description="events that show the contrary: that another value was set, that it was left out"
    )
    is_denied: bool = Field(default=False, description="the text says that it was not done")
    new: Given = Field(default=None, description="the number that was set, where one is named")
    however_it_ended: bool = Field(default=False, exclude=True)
    """No more is said than that a script was run, as one that failed was; models are not asked for it."""

    found: str = Field(default="", exclude=True)
    """What the record shows in the place of what is said, where rules saw it; models are not asked for it, either."""

    @property
    def quantity(self) -> Quantity | None:
        """The number set."""
        return self.new

    def judge(self, known: Known) -> Finding:
        """Supported by an event that did it; contradicted where every try failed, or events show the contrary."""
        fitting = [event for event in events(known, self.events) if _can_show(event, self.doing)]
        done = [event for event in fitting if self.however_it_ended or _worked(event, self.doing)]
        contrary = events(known, self.instead)
        if self.is_denied:
            if done:
                return contradicted(done[-1], note="it was done")
            shown = [*fitting, *contrary]
            return supported(*shown) if shown else uncheckable("nothing on record tells of it")
        if contrary:
            return contradicted(contrary[-1], note=f"the record shows {self.found or 'the contrary'}")
        if done:
            return supported(done[-1])
        if fitting and fitting[-1].unfinished:
            is_written = self.doing is Doing.CHANGED
            note = "nothing shows that it ended"
            return uncheckable(note) if is_written else unsupported(note)
        if fitting and fitting[-1].runs_several and fitting[-1].id in known.index.run_of:
            return uncheckable("one of several runs failed, perhaps not the one meant")
        if fitting and self.doing is Doing.CHANGED and fitting[-1].kind is EventKind.RUN:
            return uncheckable("what failed is the run, perhaps not the writing before it")
        if fitting:
            return contradicted(fitting[-1], note=fitting[-1].failure or "it changed nothing")
        if self.doing is not Doing.CHANGED and known.hides_outputs:
            return uncheckable("nothing on record shows it, and outputs are cut")
        return unsupported("nothing on record shows that it was done")


def _can_show(event: Event, doing: Doing) -> bool:
    if event.authored and doing is not Doing.READ:
        return False
    return event.kind in _SHOWN_BY[doing] or (doing in (Doing.CHANGED, Doing.SAVED) and event.writes)


def _worked(event: Event, doing: Doing) -> bool:
    is_of_content = event.kind is EventKind.EDIT and doing is not Doing.SAVED
    return event.changed if is_of_content else event.succeeded
