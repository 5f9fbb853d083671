from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from evaluation.statistics.estimators import interquartile_mean, known_mean, pass_at_k, pass_hat_k


@pytest.mark.parametrize("successes", range(7))
@pytest.mark.parametrize("k", [1, 2, 3, 6])
def test_pass_agrees_with_every_choice_of_k_runs(successes: int, k: int) -> None:
    choices = list(combinations([True] * successes + [False] * (6 - successes), k))
    assert pass_at_k(successes, 6, k) == pytest.approx(np.mean([any(chosen) for chosen in choices]))
    assert pass_hat_k(successes, 6, k) == pytest.approx(np.mean([all(chosen) for chosen in choices]))


def test_pass_is_undefined_below_k_runs() -> None:
    assert pass_at_k(2, 3, 4) is None
    assert pass_hat_k(2, 3, 4) is None


def test_pass_at_k_agrees_with_the_product_of_the_codex_paper() -> None:
    n, c, k = 200, 13, 100
    assert pass_at_k(c, n, k) == pytest.approx(1 - np.prod(1 - k / np.arange(n - c + 1, n + 1)))


def test_a_known_mean_needs_all_of_them() -> None:
    assert known_mean([0.5, 1.0]) == 0.75
    assert known_mean([0.5, None]) is None
    assert known_mean([]) is None


def test_interquartile_mean_drops_a_quarter_on_each_side() -> None:
    assert interquartile_mean([-1e9, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 1e9]) == pytest.approx(np.mean([2, 3, 4, 5]))
    assert interquartile_mean([0.25]) == 0.25


@pytest.mark.parametrize("count", [1, 4, 7, 10, 103])
def test_interquartile_mean_is_that_of_rliable(count: int) -> None:
    """Theirs sorts all scores, drops ``int(n / 4)`` on either side and takes the mean of the rest."""
    values = np.random.default_rng(count).normal(size=count)
    cut = count // 4
    assert interquartile_mean(list(values)) == pytest.approx(np.sort(values)[cut : count - cut].mean())
