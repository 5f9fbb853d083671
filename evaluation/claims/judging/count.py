"""Whether so many of several results are so."""

from __future__ import annotations

from evaluation.claims.judging.finding import Finding, contradicted, supported, uncheckable
from evaluation.claims.judging.operands import Side, absent, is_of, measurements, side_of
from evaluation.claims.judging.order import answers
from evaluation.claims.types.count import Count
from evaluation.record.known import Known


def judge_count(claim: Count, known: Known) -> Finding:
    """Counts the rows for which the relation to the limit holds."""
    rows = [row for row in measurements(known, claim.rows) if is_of(claim.metric, row)]
    if not rows:
        return absent(known, "nothing on record that could be counted")
    limit = side_of(known, claim, claim.limit)
    if isinstance(limit, Finding):
        return limit
    found = [(row, [answer for _, answer in answers(claim.relation, Side((row,)), limit, known)]) for row in rows]
    if any(None in given or not given for _, given in found):
        return uncheckable("nothing says that the values can be ordered so")
    counted = [row for row, given in found if all(given)]
    wanted = claim.number.value if claim.number is not None else 0
    is_so = claim.number.is_satisfied_by(len(counted)) if claim.number is not None else not counted
    if is_so:
        return supported(*(counted or rows))
    return contradicted(*(counted or rows), note=f"{len(counted)} of {len(rows)}, not {wanted:g}")
