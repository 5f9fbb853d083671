"""A number as somebody stated it, and whether a recorded number is the one meant."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from enum import StrEnum

_BINARY = 1.024
"""By how much two neighbouring units of memory differ, where one counts by 1024 and the other by 1000."""
_LARGE = 100
_SHORT = 0.05
"""Part of the last digit given by which a value may fall short of a bound."""


_MOST = 1e150
"""Beyond it squares and sums overflow."""


def is_finite(value: float) -> bool:
    """Whether a value can be reckoned with: no NaN, no infinity, and not as large as is told from none ("1e200")."""
    return abs(value) < _MOST


class Unit(StrEnum):
    """The unit as written, not as meant: "+13 %" is percent although points may be meant."""

    FRACTION = "fraction"
    PERCENT = "percent"
    POINTS = "points"
    SECONDS = "seconds"
    NONE = "none"


@dataclass(frozen=True, kw_only=True)
class Quantity:
    """A stated number.

    Attributes:
        value: As written; "24k" is 24000, minutes and hours stay as written.
        resolution: One unit of the last digit given.
        unit: The unit as written; ``NONE`` without one.
        seconds: Length of the written unit of time, 1 for any other.
        gigabytes: Size of the written unit of memory, 0 for any other.
        approximate: Hedged with "about" and the like.
        bound: ``">"`` for "more than", ``"<"`` for "less than".
    """

    value: float
    resolution: float
    unit: Unit = Unit.NONE
    seconds: float = 1
    approximate: bool = False
    bound: str = ""
    gigabytes: float = 0

    @property
    def bare(self) -> Quantity:
        """Equal for equal numbers, wherever in a text they stand."""
        return Quantity(**{each.name: getattr(self, each.name) for each in fields(Quantity)})

    @property
    def percent_like(self) -> bool:
        """Whether it is written in percent or points."""
        return self.unit in (Unit.PERCENT, Unit.POINTS)

    @property
    def is_telling(self) -> bool:
        """Whether it has decimals or three digits, so that it is hardly another number by chance."""
        return self.resolution < 1 or abs(self.value) >= _LARGE

    def is_near(self, exact: float) -> bool:
        """Whether ``exact`` rounds, or is cut off, to the digits given; hedged numbers get one unit more."""
        slack = 1e-9 * max(1.0, abs(exact))
        difference = abs(self.value - exact)
        if difference <= self.resolution / 2 + slack:
            return True
        cut_off = abs(self.value) <= abs(exact) and self.value * exact >= 0
        return (cut_off and difference < self.resolution - slack) or (
            self.approximate and difference < self.resolution + slack
        )

    def is_satisfied_by(self, exact: float) -> bool:
        """As ``is_near``; "more than x" and "less than x" hold for what lies beyond, or hardly short of it."""
        if not self.bound:
            return self.is_near(exact)
        short = self.value - exact if self.bound == ">" else exact - self.value
        return short <= self.resolution * _SHORT

    def states(self, recorded: float, *, recorded_percent: bool = False, in_seconds: bool = False) -> bool:
        """Whether it states the recorded value, be it given as a fraction or in percent.

        A duration that was printed without a unit may be in any; ``in_seconds`` where it had one.
        """
        if in_seconds:
            return self.is_satisfied_by(recorded / self.seconds)
        return any(self.is_satisfied_by(reading) for reading in self._readings(recorded, recorded_percent))

    def spans(self) -> Iterator[tuple[float, float]]:
        """Ranges outside which no recorded value is the one stated, for a number without a bound."""
        slack = self.resolution + 1e-6 * max(1.0, abs(self.value))
        sizes = [self.gigabytes * _BINARY**-power for power in range(-2, 4)] if self.gigabytes else []
        for scale in {1.0, 0.01, 100.0, self.seconds, *sizes}:
            yield (self.value - slack) * scale, (self.value + slack) * scale

    def _readings(self, recorded: float, recorded_percent: bool) -> list[float]:
        readings = [recorded]
        if self.gigabytes:
            sizes = [recorded / self.gigabytes * _BINARY**power for power in range(-2, 4)]
            return [recorded, *sizes] if self.gigabytes == 1 else sizes
        if self.percent_like and not recorded_percent and abs(recorded) <= 1:
            return [recorded * 100]
        if not self.percent_like and self.unit is not Unit.SECONDS:
            if recorded_percent or (1 < abs(recorded) <= 100 and 0 < abs(self.value) <= 1):
                readings.append(recorded / 100)
            elif abs(recorded) <= 1 < abs(self.value) <= 100:
                readings.append(recorded * 100)
        if self.seconds != 1:
            return [recorded / self.seconds] + ([] if self.bound else readings)
        return readings
