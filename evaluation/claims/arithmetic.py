"""Whether an order, a factor or a difference holds between two recorded values."""

from __future__ import annotations

import re
from dataclasses import replace

from evaluation.claims.assertions import Comparison, Relation
from evaluation.language.quantity import Unit
from evaluation.record.known import Known
from evaluation.record.measurements import Measurement

_SAME = 0.01
_EXACTLY = re.compile(r"\b(?:exactly|identical|precisely|very same)\b", re.IGNORECASE)
_SIMILAR = 0.05
_FINE = 0.001
"""A difference given so finely is that of printed values, whose own rounding adds to its own."""
_WHOLE = 100
"""Values up to this may be percentages, whose difference is in points."""


def order_holds(claim: Comparison, new: Measurement, ref: Measurement, known: Known) -> bool:
    """Whether the newer value stands to the reference as the claim says."""
    if claim.factor is not None and not _factor_holds(claim.factor, new.value, ref.value):
        return False
    a, b = on_one_scale(new, ref)
    better, worse = known.better(a, b, new.metric), known.better(b, a, new.metric)
    same = 1e-9 if _EXACTLY.search(claim.quote) else _SAME
    apart = abs(a - b) / (max(abs(a), abs(b)) or 1.0)
    holds = {
        Relation.BETTER: better,
        Relation.WORSE: worse,
        Relation.BEST: not worse,
        Relation.WORST: not better,
        Relation.HIGHER: a > b,
        Relation.LOWER: a < b,
        Relation.HIGHEST: a >= b,
        Relation.LOWEST: a <= b,
        Relation.NOT_BETTER: not better,
        Relation.NOT_WORSE: not worse,
        Relation.SAME: apart <= same,
        Relation.SIMILAR: apart <= _SIMILAR,
    }
    return holds[claim.relation]


def on_one_scale(new: Measurement, ref: Measurement) -> tuple[float, float]:
    """Two values of a metric, one of them perhaps printed in percent."""
    fraction = ref if new.percent else new
    if new.percent == ref.percent or abs(fraction.value) > 1:
        return new.value, ref.value
    return (new.value / 100, ref.value) if new.percent else (new.value, ref.value / 100)


def difference_holds(claim: Comparison, new: Measurement, ref: Measurement) -> bool:
    """Whether the stated difference holds in points or relative to the reference.

    The record's exact values may be used, or the rounded numbers that the claim itself gives.
    """
    if claim.delta is None:
        return True
    pairs = [on_one_scale(new, ref)]
    if claim.old is not None:
        pairs.append((claim.new.value if claim.new else new.value, claim.old.value))
    stated = replace(claim.delta, value=abs(claim.delta.value))
    readings = [reading for a, b in pairs for reading in _readings(a, b, stated.unit)]
    if stated.resolution <= _FINE:  # The printed values are rounded, too.
        readings += [reading + step for reading in readings for step in (stated.resolution / 2, -stated.resolution / 2)]
    return any(stated.is_satisfied_by(reading) for reading in readings)


def _readings(a: float, b: float, unit: Unit) -> list[float]:
    """The difference in every unit that the written one may mean."""
    difference = abs(a - b)
    relative = 100 * difference / abs(b) if b else 0.0
    if unit is Unit.NONE:
        return [difference, difference * 100, difference / 100]
    if unit is Unit.SECONDS:
        return [difference]
    if unit is Unit.POINTS:
        return [difference, difference * 100]
    if abs(a) <= 1 and abs(b) <= 1:
        return [relative, difference * 100]
    return [relative, difference] if max(abs(a), abs(b)) <= _WHOLE else [relative]


def _factor_holds(stated: tuple[float, str], a: float, b: float) -> bool:
    """Whether the larger value is the stated factor of the smaller within a tenth, or beyond it as said."""
    low, high = sorted((abs(a), abs(b)))
    if low == 0:
        return False
    factor, bound = stated
    ratio = high / low
    if bound == ">":
        return ratio >= factor
    return abs(ratio - factor) <= factor / 10 or (bound == "<" and abs(ratio - factor) <= factor / 4)
