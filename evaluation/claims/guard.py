"""Finds what an agent just wrote that the record of its run contradicts, and says so in a line each."""

from __future__ import annotations

from evaluation.claims.audit import audit
from evaluation.claims.claim import Claim, Verdict
from evaluation.claims.reading.reader import Reader
from evaluation.record.log import RunLog
from foundation.text import clipped, shown

MOST = 3
"""Statements that one step is told of, so that an agent's observation stays its own."""
_QUOTED = 160


def contradicted(log: RunLog, *, reader: Reader | None = None) -> list[Claim]:
    """The statements of a log's last step that rows of the record say otherwise; no others are worth an accusation.

    Args:
        log: The run up to and with the step that is asked about, whose own results prove nothing yet.
        reader: Finds the claims instead of the built-in rules.
    """
    claims = audit(log, reader=reader, since=len(log.steps) - 1)
    contradicted: dict[str, Claim] = {}
    for claim in claims:
        if claim.verdict is Verdict.CONTRADICTED:
            contradicted.setdefault(claim.quote, claim)
    return list(contradicted.values())[:MOST]


def remark(claim: Claim) -> str:
    """One line: what was written, and the line of the record that says otherwise."""
    row = f'step {claim.evidence_step} printed "{_quoted(claim.evidence)}"' if claim.evidence else claim.note
    return f'The record contradicts you: you wrote "{_quoted(claim.quote)}"; {row}.'


def _quoted(text: str) -> str:
    line = shown(" ".join(text.split()))
    return clipped(line, _QUOTED)
