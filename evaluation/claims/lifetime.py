"""How long a false claim lives: where its value is repeated, and whether it reaches the final answer."""

from __future__ import annotations

from collections import defaultdict

from evaluation.claims.claim import Claim, Kind
from evaluation.record.log import CITED, FINAL_ANSWER, RunLog

ANSWERS = (FINAL_ANSWER, "answer", "submission", CITED)
"""Entries that hold an agent's last word."""


def follow(claims: list[Claim], log: RunLog) -> list[Claim]:
    """Mark each problem claim with its first telling, its last, and whether the answer holds it."""
    tellings: dict[tuple[str, str], list[int]] = defaultdict(list)
    for at, claim in enumerate(claims):
        if claim.verdict.is_problem:
            tellings[_identity(claim)].append(at)
    last_step = len(log.steps) - 1
    marked = list(claims)
    for places in tellings.values():
        first, last = claims[places[0]], claims[places[-1]]
        answered = any(claims[at].field in ANSWERS or claims[at].step == last_step for at in places)
        for at in places:
            marked[at] = claims[at].model_copy(
                update={
                    "repeats": None if at == places[0] else f"{first.step}:{first.field}",
                    "lives_until": last.step,
                    "in_answer": answered,
                }
            )
    return marked


def _identity(claim: Claim) -> tuple[str, str]:
    if claim.value is not None and claim.kind is not Kind.EXECUTION:
        return "value", f"{claim.value:g}"
    return claim.kind.value, " ".join(claim.quote.lower().strip(" .").split())
