"""An estimate with its interval, and the score intervals for rates."""

from __future__ import annotations

import math
from statistics import NormalDist

from foundation.records import Record

CONFIDENCE = 0.95


class Estimate(Record):
    """A value and the interval around it.

    Attributes:
        value: The point estimate.
        low: Lower end of the interval; ``None`` where the data allow none (see ``method``).
        high: Upper end of the interval.
        n: Number of runs behind the value.
        method: How the interval was made, in words.
    """

    value: float
    low: float | None = None
    high: float | None = None
    n: int
    method: str

    @property
    def has_interval(self) -> bool:
        """Whether the data allowed an interval."""
        return self.low is not None and self.high is not None


def wilson(successes: int, trials: int, *, confidence: float = CONFIDENCE) -> Estimate:
    """The Wilson score interval of a rate.

    Args:
        successes: Number of successes, at most ``trials``.
        trials: Number of trials, at least 1.
        confidence: Coverage of the two-sided interval.

    Raises:
        ValueError: Counts that are no counts.

    Source: E. B. Wilson (1927), J. Am. Stat. Assoc. 22, 209-212. SciPy has it as well, but takes longer to import
    than all else that the report of a run does.
    """
    if not 0 <= successes <= trials or trials < 1:
        raise ValueError(f"{successes} of {trials} is no count of successes")
    rate = successes / trials
    low, high = score_interval(rate, trials, confidence)
    return Estimate(value=rate, low=low, high=high, n=trials, method="Wilson score")


def score_interval(rate: float, trials: float, confidence: float) -> tuple[float, float]:
    """Wilson's interval of a rate that was seen in so many trials, which need not be a whole number."""
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    middle = (rate + z**2 / (2 * trials)) / (1 + z**2 / trials)
    half = z * math.sqrt(rate * (1 - rate) / trials + (z / (2 * trials)) ** 2) / (1 + z**2 / trials)
    return (0.0 if rate == 0 else middle - half), (1.0 if rate == 1 else middle + half)


def difference(first: Estimate, second: Estimate) -> Estimate:
    """``first - second`` for two independent estimates, from the intervals each already has.

    With Wilson intervals this is Newcombe's hybrid score interval for two proportions.

    Source: R. G. Newcombe (1998), Statistics in Medicine 17, 873-890, method 10; for other
    estimates, the method of variance estimates recovery, Zou and Donner (2008), ibid. 27, 1693-1702.
    """
    value = first.value - second.value
    n = first.n + second.n
    if first.low is None or first.high is None or second.low is None or second.high is None:
        return Estimate(value=value, n=n, method="none: one side has no interval")
    return Estimate(
        value=value,
        low=value - math.hypot(first.value - first.low, second.high - second.value),
        high=value + math.hypot(first.high - first.value, second.value - second.low),
        n=n,
        method="Newcombe hybrid score",
    )
