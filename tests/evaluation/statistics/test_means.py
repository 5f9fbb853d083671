from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from evaluation.statistics.estimate import Estimate
from evaluation.statistics.means import Tasks, mean_over_tasks, rate_over_tasks


def covers(estimate: Estimate, truth: float) -> bool:
    return estimate.low is not None and estimate.high is not None and estimate.low <= truth <= estimate.high


@pytest.mark.parametrize("runs", [2, 3, 4, 8])
@pytest.mark.parametrize("tasks", [1, 3])
def test_means_are_covered_as_often_as_they_say_however_few_runs(tasks: int, runs: int) -> None:
    """Of normal scores, each task with a scatter of its own; a percentile bootstrap covers 50 % of two runs."""
    rng = np.random.default_rng(10 * tasks + runs)
    scatter = rng.uniform(0.1, 2.0, tasks)
    drawn = rng.normal(size=(1_500, tasks, runs)) * scatter[:, None]
    covered = np.mean([covers(mean_over_tasks([list(task) for task in sample]), 0.0) for sample in drawn])
    assert 0.93 <= covered <= 0.985


@pytest.mark.parametrize("tasks", [5, 13])
def test_other_tasks_are_covered_as_often_as_said(tasks: int) -> None:
    rng = np.random.default_rng(tasks)
    means = rng.normal(size=(1_500, tasks, 1))
    drawn = means + 0.5 * rng.normal(size=(1_500, tasks, 2))
    covered = np.mean([covers(mean_over_tasks(sample.tolist(), tasks="other"), 0.0) for sample in drawn])
    assert 0.935 <= covered <= 0.965


@pytest.mark.parametrize(("tasks", "runs"), [(1, 1), (1, 2), (1, 8), (2, 2), (3, 1), (3, 3)])
def test_rates_are_covered_on_average_over_all_true_rates(tasks: int, runs: int) -> None:
    """Exact: the chance of every outcome, at true rates all over the unit interval (Wilson's own average is 95 %)."""
    rng = np.random.default_rng(tasks * 100 + runs)
    outcomes = [(won, rate_over_tasks(won, [runs] * tasks)) for won in product(range(runs + 1), repeat=tasks)]
    chances = []
    for truth in rng.uniform(size=(60, tasks)):
        held = np.array([won for won, estimate in outcomes if covers(estimate, float(truth.mean()))])
        chances.append(float(stats.binom.pmf(held, runs, truth).prod(axis=1).sum()))
    assert np.mean(chances) >= 0.92


@pytest.mark.parametrize("rate", [0.5, 0.8])
@pytest.mark.parametrize(("tasks", "most"), [(20, 1), (20, 3), (10, 1), (10, 8), (12, 4)])
def test_rates_of_many_tasks_are_covered_however_few_runs_each_has(tasks: int, most: int, rate: float) -> None:
    """With the tasks' own intervals joined, 74 % at one run of each of twenty."""
    rng = np.random.default_rng(tasks + most)
    runs = rng.integers(1, most, tasks, endpoint=True)
    samples = rng.binomial(runs, rate, size=(1_500, tasks))
    covered = np.mean([covers(rate_over_tasks(won.tolist(), runs.tolist()), rate) for won in samples])
    assert covered >= 0.925


@pytest.mark.parametrize("rare", [0.0, 0.05])
def test_tasks_too_dear_to_repeat_do_not_narrow_what_others_say(rare: float) -> None:
    """With the harmonic mean of the runs alone, 50 % and 85 %."""
    runs, rates = np.array([1] * 2 + [20] * 8), np.array([0.5] * 2 + [rare] * 8)
    samples = np.random.default_rng(1).binomial(runs, rates, size=(1_500, len(runs)))
    covered = np.mean([covers(rate_over_tasks(won.tolist(), runs.tolist()), float(rates.mean())) for won in samples])
    assert covered >= 0.925


def test_of_one_task_it_is_students_interval() -> None:
    sample = [0.3, 0.5, 0.1, 0.4]
    theirs = stats.ttest_1samp(sample, 0).confidence_interval(0.95)
    ours = mean_over_tasks([sample])
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high))


def test_of_two_tasks_the_freedom_is_welchs() -> None:
    first, second = [0.3, 0.5, 0.1, 0.4], [2.0, 9.0, 4.0]
    theirs = stats.ttest_ind(first, [-x for x in second], equal_var=False).confidence_interval(0.95)
    ours = mean_over_tasks([first, second])
    assert (ours.low, ours.high) == pytest.approx((theirs.low / 2, theirs.high / 2))


def test_a_rate_of_one_task_is_wilsons() -> None:
    interval = stats.binomtest(3, 8).proportion_ci(method="wilson")
    estimate = rate_over_tasks([3], [8])
    assert (estimate.low, estimate.high) == pytest.approx((interval.low, interval.high))


def test_no_interval_where_the_spread_cannot_be_seen() -> None:
    assert not mean_over_tasks([[0.4], [0.1, 0.2]]).has_interval
    assert not mean_over_tasks([[0.5, 0.5], [0.5, 0.5]]).has_interval
    assert not rate_over_tasks([1, 0, 3, 8], [8] * 4, tasks="other").has_interval
    assert not rate_over_tasks([0] * 5, [8] * 5, tasks="other").has_interval
    assert rate_over_tasks([0, 0], [8, 8]).has_interval


def test_bounds_are_kept() -> None:
    assert mean_over_tasks([[0.0, 1.0]], bounds=(0.0, 1.0)).low == 0.0
    assert mean_over_tasks([[0.0, 1.0]], bounds=(0.0, 1.0)).high == 1.0


@pytest.mark.parametrize("tasks", ["same", "other"])
def test_a_task_without_runs_is_refused(tasks: Tasks) -> None:
    with pytest.raises(ValueError, match="at least one run"):
        mean_over_tasks([[1.0], []], tasks=tasks)
    with pytest.raises(ValueError, match="at least one run"):
        rate_over_tasks([], [], tasks=tasks)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 6), st.just(6)), min_size=1, max_size=8))
def test_an_interval_holds_its_value(counts: list[tuple[int, int]]) -> None:
    estimate = rate_over_tasks([won for won, _ in counts], [of for _, of in counts])
    assert estimate.low is not None
    assert estimate.high is not None
    assert -1e-9 <= estimate.low <= estimate.value + 1e-9
    assert estimate.value - 1e-9 <= estimate.high <= 1 + 1e-9
