"""Both sides of a comparison, and whether each is what it is called: the baseline, or the best so far."""

from __future__ import annotations

from evaluation.claims.judging.finding import Finding, contradicted
from evaluation.claims.judging.operands import Side, absent, may_be, side_of
from evaluation.claims.types.base import Measured, Operand
from evaluation.record.known import Known


def sides_of(known: Known, claim: Measured, left: Operand, right: Operand) -> tuple[Side, Side] | Finding:
    """What both sides stand for, or why nothing can be said of one of them."""
    one = side_of(known, claim, left)
    if isinstance(one, Finding):
        return one
    other = side_of(known, claim, right)
    if isinstance(other, Finding):
        return other
    return _misnamed(known, left, one, other) or _misnamed(known, right, other, one) or (one, other)


def _misnamed(known: Known, operand: Operand, side: Side, other: Side) -> Finding | None:
    """What speaks against the name that a claim gives one side of a comparison; ``None`` where nothing does."""
    if operand.called is None or not side.rows or any(row.is_cell for row in side.rows):
        return None
    if operand.called == "baseline":
        return _no_baseline(known, operand, side, other)
    return _not_best(known, side, other)


def _no_baseline(known: Known, operand: Operand, side: Side, other: Side) -> Finding | None:
    """Another result than the baseline on record, or the baseline on other data than what is held against it.

    An agent may call its own first model so: where the record has no baseline of the quantity, any result may be it.
    """
    ids = {row.id for row in known.baseline}
    own = [row for row in side.rows if row.id in ids or row.is_baseline]
    if not own and not operand.rows:
        return absent(known, "no baseline was measured")
    if not own:
        on_record = [each for each in known.baseline if any(known.comparable(each, row) for row in side.rows)]
        return absent(known, f"the baseline is {on_record[-1].value:g}") if on_record else None
    if other.rows and not any(may_be(a.split, b.split) for a in own for b in other.rows):
        return absent(known, f"the baseline was measured on {own[-1].split} alone")
    return None


def _not_best(known: Known, side: Side, other: Side) -> Finding | None:
    """The best is the best of everything comparable that was measured before what is held against it."""
    apart = {row.event.id for row in other.rows}
    for row in side.rows:
        pool = [each for each in known.finals if each.event.id not in apart and known.comparable(each, row)]
        best = known.best([row, *pool])
        if best is not None and best.value != row.value:
            return contradicted(best, row, note=f"{best.value:g} was better than {row.value:g}")
    return None
