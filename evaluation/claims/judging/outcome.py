"""Whether something ended so."""

from __future__ import annotations

from evaluation.claims.judging.finding import Finding, contradicted, supported, unsupported
from evaluation.claims.judging.operands import events
from evaluation.claims.types.outcome import Outcome
from evaluation.record.known import Known


def judge_outcome(claim: Outcome, known: Known) -> Finding:
    """Held against how the latest of the events named ended, and against the message it ended with."""
    named = events(known, claim.events)
    if not named:
        return unsupported("nothing of the kind was done")
    last = named[-1]
    if last.unfinished:
        return unsupported("nothing shows that it ended")
    has_failed = not last.succeeded
    if has_failed != (claim.outcome != "succeeded"):
        return contradicted(last, note=last.failure or "it ended well")
    if claim.outcome == "timed out" and not last.timed_out:
        return contradicted(last, note=last.failure)
    wrong = events(known, claim.wrong_cause)
    if wrong:
        return contradicted(wrong[-1], note=wrong[-1].failure or "the cause was another")
    for other in events(known, claim.same_as):
        if other.failure and other.failure != last.failure:
            return contradicted(last, other, note=f"{other.failure} before")
    for other in events(known, claim.differs_from):
        if other.failure and other.failure == last.failure:
            return contradicted(last, other, note="the message is the same")
    return supported(last)
