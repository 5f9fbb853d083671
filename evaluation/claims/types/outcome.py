"""How something that was done ended, and whether it did."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from evaluation.claims.claim import Kind
from evaluation.claims.judging.finding import Finding, contradicted, supported, uncheckable, unsupported
from evaluation.claims.judging.operands import events
from evaluation.claims.types.base import Assertion, Ids
from evaluation.record.events import Event
from evaluation.record.known import Known


class Outcome(Assertion):
    """Something failed or succeeded: "the script crashed", "it timed out", "the edit was applied"."""

    kind: ClassVar[Kind] = Kind.EXECUTION
    type: Literal["outcome"] = "outcome"
    outcome: Literal["succeeded", "failed", "timed out"]
    events: Ids = Field(default=(), description="the events it speaks of; none where nothing of the kind was done")
    same_as: Ids = Field(default=(), description="earlier failures with which it is said to share the message")
    differs_from: Ids = Field(default=(), description="earlier failures from whose message it is said to differ")
    wrong_cause: Ids = Field(
        default=(), description="events whose message gives another cause than the one the text gives"
    )

    def judge(self, known: Known) -> Finding:
        """Held against how the latest of the events named ended, and against the message it ended with."""
        named = events(known, self.events)
        if not named:
            return unsupported("nothing of the kind was done")
        last = named[-1]
        if last.unfinished:
            return unsupported("nothing shows that it ended")
        has_failed = not last.succeeded
        if has_failed != (self.outcome != "succeeded"):
            return contradicted(last, note=last.failure or "it ended well")
        if self.outcome == "timed out" and not last.timed_out:
            return contradicted(last, note=last.failure)
        wrong = events(known, self.wrong_cause)
        if wrong:
            return contradicted(wrong[-1], note=wrong[-1].failure or "the cause was another")
        for other in events(known, self.same_as):
            if other.failure and other.failure != last.failure:
                return contradicted(last, other, note=f"{other.failure} before")
        for other in events(known, self.differs_from):
            if other.failure and other.failure == last.failure:
                return contradicted(last, other, note="the message is the same")
        skipped = _skipped(named, known) if self.outcome == "succeeded" else None
        return supported(last) if skipped is None else uncheckable(f"{skipped.id} among them failed and is not named")


def _skipped(named: list[Event], known: Known) -> Event | None:
    """The failure that a row of more than two events leaves out: "every script ran" names those that did."""
    kinds = {event.kind for event in named}
    between = range(min(event.step for event in named) + 1, max(event.step for event in named))
    left_out = (event for event in known.failures() if event.kind in kinds and event not in named)
    return next((event for event in left_out if event.step in between), None) if len(named) > 2 else None
