"""Whether two numbers stand in a relation."""

from __future__ import annotations

from environment.metrics.meaning import is_known
from evaluation.claims.types.base import Relation
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
