"""Whether a value is on record."""

from __future__ import annotations

from evaluation.claims.judging.finding import Finding, contradicted, supported
from evaluation.claims.judging.operands import bearers, is_of, measurements, missing, states
from evaluation.claims.types.value import Value
from evaluation.record.known import Known


def judge_value(claim: Value, known: Known) -> Finding:
    """Supported by a row that bears the number; contradicted by rows of the same quantity that bear another."""
    rows = [row for row in measurements(known, claim.rows) if is_of(claim.metric, row)]
    if claim.split is not None:
        rows = [row for row in rows if row.split in (None, claim.split)] or rows
    bearing = [row for row in rows if states(claim.stated, row)]
    if bearing:
        return supported(bearing[-1])
    if rows:
        others = ", ".join(dict.fromkeys(f"{row.value:g}" for row in rows[-3:]))
        return contradicted(*rows[-1:], note=f"{claim.stated.value:g} was stated, {others} is on record")
    elsewhere = bearers(known, claim, claim.stated)
    return supported(elsewhere[0]) if elsewhere else missing(known, claim.stated)
