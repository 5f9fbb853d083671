"""Both sides of a comparison, whether each is what it is called, and whether two numbers stand in a relation."""

from __future__ import annotations

from environment.metrics.meaning import is_known
from evaluation.claims.judging.finding import Finding, contradicted
from evaluation.claims.judging.operands import Side, absent, may_be, side_of
from evaluation.claims.types.base import Measured, Operand, Relation
from evaluation.record.known import Known

_HIGHER_IS_BETTER = frozenset({"ap", "ar", "hits", "sensitivity", "silhouette"})
"""Names of one meaning that are no synonyms of the well-known metrics."""
_SAME, _SIMILAR, _DIFFERENT = 0.005, 0.05, 0.1
"""Relative differences up to which values are the same or similar, and from which they are not similar."""


def upward(known: Known, relation: str, metric: str) -> str | None:
    """A relation in terms of higher and lower; ``None`` where nobody says which way the metric is better."""
    plain = relation.removeprefix("not ")
    if plain in ("better", "worse"):
        without_depth = metric.partition("@")[0]
        if not (is_known(without_depth) or without_depth in _HIGHER_IS_BETTER or known.log.direction is not None):
            return None
        is_lower = known.lower_is_better(metric) == (plain == "better")
        plain = "lower" if is_lower else "higher"
    return f"not {plain}" if relation.startswith("not ") else plain


def holds(relation: Relation, a: float, b: float, known: Known, metric: str) -> bool | None:
    """Whether ``a`` stands to ``b`` as the relation says; ``None`` where that cannot be told."""
    scale = max(abs(a), abs(b), 1e-12)
    distance = abs(a - b) / scale
    if relation == "same":
        return distance <= _SAME
    if relation == "similar":
        if 0 in (a, b) and a != b:
            return None  # nothing says how near to naught is near
        return True if distance <= _SIMILAR else False if distance > _DIFFERENT else None
    plain = upward(known, relation, metric)
    if plain is None:
        return None
    is_so = a > b if plain.endswith("higher") else a < b
    if is_so and relation in ("not better", "not worse") and distance <= _SAME:
        return None  # who denies a gain need not mean the least one
    return not is_so if plain.startswith("not ") else is_so


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
    own = [row for row in side.rows if row.id in ids or row.is_of_baseline]
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
