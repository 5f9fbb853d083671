from __future__ import annotations

from statistics import NormalDist

import numpy as np
import pytest

from evaluation.statistics.estimate import Estimate, difference, wilson

# R. G. Newcombe (1998), Statistics in Medicine 17, 857-872, table I, method 3.
NEWCOMBE_SINGLE = [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)]
# R. G. Newcombe (1998), ibid. 873-890, table II, method 10.
NEWCOMBE_PAIRS = [
    ((56, 70), (48, 80), 0.0524, 0.3339),
    ((9, 10), (3, 10), 0.1705, 0.8090),
    ((6, 7), (2, 7), 0.0582, 0.8062),
    ((5, 56), (0, 29), -0.0381, 0.1926),
]


@pytest.mark.parametrize(("successes", "trials", "low", "high"), NEWCOMBE_SINGLE)
def test_wilson_gives_the_published_intervals(successes: int, trials: int, low: float, high: float) -> None:
    estimate = wilson(successes, trials)
    assert estimate.low == pytest.approx(low, abs=5e-5)
    assert estimate.high == pytest.approx(high, abs=5e-5)
    assert estimate.value == successes / trials


@pytest.mark.parametrize(("first", "second", "low", "high"), NEWCOMBE_PAIRS)
def test_difference_of_wilson_rates_gives_the_published_intervals(
    first: tuple[int, int], second: tuple[int, int], low: float, high: float
) -> None:
    estimate = difference(wilson(*first), wilson(*second))
    assert estimate.low == pytest.approx(low, abs=5e-5)
    assert estimate.high == pytest.approx(high, abs=5e-5)


def test_a_difference_needs_two_intervals() -> None:
    estimate = difference(wilson(3, 4), Estimate(value=0.5, n=1, method="none"))
    assert estimate.value == pytest.approx(0.25)
    assert not estimate.has_interval


def test_impossible_counts_are_refused() -> None:
    with pytest.raises(ValueError, match="5 of 4"):
        wilson(5, 4)


@pytest.mark.parametrize(("successes", "trials"), [(39, 104), (0, 8), (8, 8), (3, 3)])
def test_wilson_is_the_closed_form(successes: int, trials: int) -> None:
    """Wilson 1927: the roots in p of ``(p - rate)^2 = z^2 p (1 - p) / n``."""
    z, rate = NormalDist().inv_cdf(0.975), successes / trials
    roots = np.roots([1 + z**2 / trials, -2 * rate - z**2 / trials, rate**2])
    estimate = wilson(successes, trials)
    assert (estimate.low, estimate.high) == pytest.approx((min(roots), max(roots)), abs=1e-9)
