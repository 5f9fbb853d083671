"""What is told again: where a false statement was made first, how long it lives, and whether the answer holds it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from evaluation.claims.claim import Claim, Kind
from evaluation.record.log import ANSWERS, RunLog


def marked(claims: Sequence[Claim], log: RunLog) -> list[Claim]:
    """Mark each problem claim with its first telling, its last, and whether the answer holds it."""
    tellings: dict[tuple[str, str], list[int]] = defaultdict(list)
    for at, claim in enumerate(claims):
        if claim.verdict.is_problem:
            tellings[_identity(claim)].append(at)
    last_step = len(log.steps) - 1
    found = list(claims)
    for places in tellings.values():
        first, last = claims[places[0]], claims[places[-1]]
        answered = any(claims[at].field in ANSWERS or claims[at].step == last_step for at in places)
        for at in places:
            found[at] = claims[at].model_copy(
                update={
                    "repeats": None if at == places[0] else f"{first.step}:{first.field}",
                    "lives_until": last.step,
                    "in_answer": answered,
                }
            )
    return found


def _identity(claim: Claim) -> tuple[str, str]:
    """What two tellings of one statement share: the value, else the words."""
    if claim.value is not None and claim.kind is not Kind.EXECUTION:
        return "value", f"{claim.value:g}"
    return claim.kind.value, " ".join(claim.quote.lower().strip(" .").split())
