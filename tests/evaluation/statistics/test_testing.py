"""Tests of means, the runs they need, and many tests at once: against SciPy and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import nct, ttest_1samp

from evaluation.statistics.means import mean_over_tasks
from evaluation.statistics.testing import holm, p_of_mean, runs_needed


def test_of_one_task_it_is_the_t_test() -> None:
    values = [0.1, 0.2, -0.05, 0.3]
    assert p_of_mean([values]) == pytest.approx(ttest_1samp(values, 0).pvalue)


def test_it_agrees_with_the_interval_of_the_mean() -> None:
    rng = np.random.default_rng(3)
    for _ in range(200):
        groups = [rng.normal(0.6, 1, 5).tolist() for _ in range(3)]
        estimate, p = mean_over_tasks(groups), p_of_mean(groups)
        assert p is not None
        assert estimate.low is not None
        assert estimate.high is not None
        assert (p < 0.05) == (not estimate.low <= 0 <= estimate.high)


def test_without_scatter_the_signs_are_counted() -> None:
    assert p_of_mean([[0.1] * 6]) == pytest.approx(2 / 2**6)
    assert p_of_mean([[0.0] * 6]) is None
    assert p_of_mean([[0.1], [0.2, 0.3]]) is None


@pytest.mark.parametrize("effect", [0.3, 0.6, 1.0, 2.0])
def test_so_many_runs_show_it_in_four_of_five_studies(effect: float) -> None:
    values = np.array([-1.0, 1.0, 0.5, -0.5])
    values = effect + values / values.std(ddof=1)
    runs = runs_needed([values.tolist()])
    assert runs is not None

    def power(n: int) -> float:
        from scipy.stats import t

        edge = t.ppf(0.975, n - 1)
        return float(nct.sf(edge, n - 1, effect * np.sqrt(n)))

    assert power(runs) == pytest.approx(0.8, abs=0.12)
    assert power(runs + 2) > 0.8


def test_what_cannot_be_shown_needs_no_number() -> None:
    assert runs_needed([[1.0, -1.0]]) is None
    assert runs_needed([[0.1, 0.1]]) is None
    assert runs_needed([[0.1]]) is None
    assert runs_needed([[1.0, -1.0, 1e-3]]) is None


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, None, 0.03]) == [pytest.approx(0.03), pytest.approx(0.06), None, pytest.approx(0.06)]
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []
