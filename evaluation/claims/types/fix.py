"""A failure that is said to be mended, and whether it works since."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from evaluation.claims.claim import Kind
from evaluation.claims.judging.finding import Finding, contradicted, supported, uncheckable, unsupported
from evaluation.claims.judging.operands import events
from evaluation.claims.types.base import Assertion, Ids
from evaluation.record.kinds import EventKind
from evaluation.record.known import Known


class Fix(Assertion):
    """A failure was mended: "the shape error is fixed", "this resolved the crash"."""

    kind: ClassVar[Kind] = Kind.EXECUTION
    type: Literal["fix"] = "fix"
    failures: Ids = Field(default=(), description="the failed events that are said to be mended")
    events: Ids = Field(default=(), description="what is said to have mended them")

    def judge(self, known: Known) -> Finding:
        """A fix needs a run that went well after it; the same failure again refutes it, another one leaves it open."""
        failures, fixes = events(known, self.failures), events(known, self.events)
        if not failures:
            return unsupported("no such failure is on record")
        if not fixes:
            return unsupported("nothing was done against it")
        if all(event in failures for event in fixes):
            return uncheckable("what is said to have mended it is what failed")
        since = max(known.index.places[event.id] for event in (*failures, *fixes))
        runs = [event for event in known.events[since:] if event.kind in (EventKind.RUN, EventKind.SCORE)]
        tried = [event for event in runs if event not in failures]
        again = [event for event in tried if event.failure and event.failure == failures[-1].failure]
        if again:
            return contradicted(again[-1], note=again[-1].failure)
        worked = [event for event in tried if event.succeeded]
        if worked:
            return supported(worked[0])
        return uncheckable("what ran since failed of something else" if tried else "nothing ran since")
