"""A stated difference or factor between two results, and whether the values give it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import partial
from math import floor, log10
from statistics import fmean
from typing import ClassVar, Literal

from pydantic import Field

from evaluation.claims.claim import Kind
from evaluation.claims.judging.finding import Finding, contradicted, supported, uncheckable
from evaluation.claims.judging.pairs import Rows, compared, scaled
from evaluation.claims.judging.relations import holds, sides_of
from evaluation.claims.types.base import Measured, Operand, Relation, Stated
from evaluation.language.quantity import Quantity, Unit
from evaluation.record.known import Known
from evaluation.record.measurements import Measurement

_DIGITS = 3
_PAIR = 2
_NEAR = 0.1
"""Share of an amount within which it is known from rounded values; else they tell nothing of it."""


class Difference(Measured):
    """Two results differ by an amount or a factor: "improved by 4 points", "21 % lower", "twice as fast"."""

    kind: ClassVar[Kind] = Kind.COMPARISON
    type: Literal["difference"] = "difference"
    relation: Relation
    amount: Stated
    is_factor: bool = Field(default=False, description="the amount is a factor (14x faster, halved)")
    left: Operand = Field(description="the result spoken of, usually the newer")
    right: Operand = Field(description="what it is held against")

    @property
    def quantity(self) -> Quantity:
        """The stated difference."""
        return self.amount

    def judge(self, known: Known) -> Finding:
        """In points or relative, from the exact record or from the numbers as stated, whichever fits."""
        sides = sides_of(known, self, self.left, self.right)
        if isinstance(sides, Finding):
            return sides
        found = list(compared(*sides))
        if not found:
            return uncheckable("the values are not of one quantity")
        pairs = [*found, *_of_means(found)]
        ordered = [pair for pair in pairs if self._is_ordered(*pair, known)]
        if not ordered:
            rows = found[0][0]
            return contradicted(*rows, note=" against ".join(f"{row.value:g}" for row in rows))
        stated = tuple(operand.stated.value for operand in (self.left, self.right) if operand.stated is not None)
        fitting = [rows for rows, *ends in ordered if _lie_so(self, rows, ends, stated)]
        if fitting and self.amount.bound and len(fitting) < len(pairs):
            return uncheckable("it holds of some of the results alone")
        if fitting:
            return supported(*fitting[0])
        rows, a, b = ordered[0]
        return contradicted(*rows, note=f"{a:g} against {b:g} is {_in_words(self, a, b)}")

    def _is_ordered(self, rows: Rows, a: float, b: float, known: Known) -> bool:
        return holds(self.relation, a, b, known, rows[0].ranked_by) is not False


def _of_means(found: Sequence[tuple[Rows, float, float]]) -> list[tuple[Rows, float, float]]:
    """The means of several results on either side, whose difference may be meant."""
    if len(found) == 1:
        return []
    rows = tuple(row for each, *_ in found for row in each)
    return [(rows, fmean(a for _, a, _ in found), fmean(b for *_, b in found))]


def lies_between(claim: Difference, a: Measurement, b: Measurement, known: Known) -> bool:
    """Whether two rows lie as far apart, and in that order, as the claim says of whatever it speaks of."""
    ends = (scaled(a, b), b.value)
    return holds(claim.relation, *ends, known, a.ranked_by) is not False and _lie_so(claim, (a, b), ends)


def _lie_so(claim: Difference, rows: Rows, ends: Sequence[float], stated: Sequence[float] = ()) -> bool:
    """Whether two values lie as far apart as is said: as recorded, to their digits, rounded, or as stated."""
    a, b = ends
    if claim.is_factor and not claim.amount.bound and _may_be(abs(claim.amount.value), a, b):
        return True
    off_a, off_b = _half_digit(a), _half_digit(b)
    if len(rows) > _PAIR:  # means are as exact as what they are of
        off_a = off_b = min(_half_digit(row.value) for row in rows)
    pairs = [(a, b), _rounded(claim, a, b), *([(stated[0], stated[1])] if len(stated) > 1 else [])]
    is_share = not rows[-1].percent and all(abs(row.value) <= 1 for row in rows)
    read = partial(readings, claim, is_share=is_share)
    if any(_fits(claim, each) for pair in pairs for each in read(*pair)):
        return True
    if 0 in (b - off_b, b + off_b):
        return False
    ends_of_printed = zip(read(a + off_a, b - off_b), read(a - off_a, b + off_b), strict=False)
    return any(_lies_within(claim, *sorted(each)) for each in ends_of_printed)


def _lies_within(claim: Difference, low: float, high: float) -> bool:
    """Whether what is said is one of the values between two that lie near it, to its own digits."""
    said = abs(claim.amount.value)
    return high - low <= _NEAR * said and _fits(claim, min(max(said, low), high))


def _may_be(factor: float, a: float, b: float) -> bool:
    """Whether two values that were printed to so few digits can lie a factor apart: 3.27 s is 45 times 0.07 s."""
    low, high = sorted((abs(a), abs(b)))
    least, most = low - _half_digit(low), low + _half_digit(low)
    return high - _half_digit(high) <= factor * most and factor * least <= high + _half_digit(high)


def _half_digit(value: float) -> float:
    """By how much a value with these decimals may have been rounded; a whole number is exact."""
    exponent = int(Decimal(f"{value:g}").as_tuple().exponent)
    return 0.5 * 10.0**exponent if exponent < 0 else 0.0


def _rounded(claim: Difference, a: float, b: float) -> tuple[float, float]:
    """Both values as the agent may have taken them: to the digits of the difference, but never to less than three."""
    least = _DIGITS - 1 - floor(log10(max(abs(a), abs(b)) or 1))
    digits = max(0, least, -floor(log10(claim.amount.resolution)))
    return round(a, digits), round(b, digits)


def readings(claim: Difference, a: float, b: float, *, is_share: bool) -> Iterator[float]:
    """Everything that the amount between two values can be called."""
    if claim.is_factor:
        low, high = sorted((abs(a), abs(b)))
        factors = [high / low, low / high] if low else []
        yield from factors[:1] if claim.amount.bound and abs(claim.amount.value) >= 1 else factors
        return
    distance = abs(a - b)
    amount = claim.amount
    if amount.unit is Unit.SECONDS:
        yield distance / amount.seconds
        return
    if amount.percent_like:
        is_relative = b and not (is_share and amount.unit is Unit.POINTS)
        yield from [100 * distance / abs(b)] if is_relative else []
        yield distance * 100 if is_share else distance
        yield from [distance] if amount.unit is Unit.POINTS and not amount.bound else []
        return
    yield distance
    if is_share:
        yield distance * 100
    elif abs(amount.value) < 1:
        yield distance / 100


def _fits(claim: Difference, reading: float) -> bool:
    return replace(claim.amount, value=abs(claim.amount.value)).is_satisfied_by(reading)


def _in_words(claim: Difference, a: float, b: float) -> str:
    if claim.is_factor:
        return f"a factor of {max(abs(a), abs(b)) / max(min(abs(a), abs(b)), 1e-12):.3g}"
    return f"{abs(a - b):.4g}, or {100 * abs(a - b) / max(abs(b), 1e-12):.3g} %"
