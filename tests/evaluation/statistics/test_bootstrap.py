from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from evaluation.statistics.bootstrap import Floats, Tasks, bootstrap_mean, bootstrap_rate

OPUS = [5, 2, 7, 8, 8, 0, 0, 7, 0, 0, 0, 2, 0]  # successes of eight runs on thirteen tasks, 39 of 104


def test_published_interval_with_tasks_resampled() -> None:
    estimate = bootstrap_rate(OPUS, [8] * 13, tasks="resampled")
    assert estimate.value == pytest.approx(0.375)
    assert (estimate.low, estimate.high) == pytest.approx((0.154, 0.615), abs=5e-4)
    assert estimate.n == 104


def test_fixed_tasks_give_a_narrower_interval() -> None:
    fixed = bootstrap_rate(OPUS, [8] * 13, tasks="fixed")
    assert fixed.low is not None
    assert fixed.high is not None
    assert 0.154 < fixed.low < 0.375 < fixed.high < 0.615


@pytest.mark.parametrize("tasks", ["fixed", "resampled"])
def test_exact_interval_agrees_with_enumeration(tasks: Tasks) -> None:
    """All resamples of two tasks with two and three runs, one by one."""
    groups = [[1.0, 0.0], [1.0, 1.0, 0.0]]
    weighted: list[tuple[float, float]] = []
    choices = [(0, 1)] if tasks == "fixed" else list(product((0, 1), repeat=2))
    for chosen in choices:
        drawn = [groups[index] for index in chosen]
        for runs in product(*(product(group, repeat=len(group)) for group in drawn)):
            probability = 1 / len(choices) / np.prod([len(group) ** len(group) for group in drawn])
            weighted.append((float(np.mean([np.mean(of_task) for of_task in runs])), float(probability)))
    weighted.sort()
    cumulative = np.cumsum([probability for _, probability in weighted])
    low, high = (weighted[int(np.searchsorted(cumulative, tail - 1e-12))][0] for tail in (0.025, 0.975))
    estimate = bootstrap_rate([1, 2], [2, 3], tasks=tasks)
    assert (estimate.low, estimate.high) == pytest.approx((low, high))


@pytest.mark.parametrize("tasks", ["fixed", "resampled"])
def test_drawn_interval_agrees_with_the_exact_one(tasks: Tasks) -> None:
    counts, runs = [3, 0, 8, 5], [8, 5, 10, 8]
    outcomes = [[1.0] * won + [0.0] * (of - won) for won, of in zip(counts, runs, strict=True)]
    exact = bootstrap_rate(counts, runs, tasks=tasks)
    drawn = bootstrap_mean(outcomes, tasks=tasks, resamples=40_000)
    assert drawn.value == pytest.approx(exact.value)
    assert drawn.low == pytest.approx(exact.low, abs=0.015)
    assert drawn.high == pytest.approx(exact.high, abs=0.015)


def test_fixed_tasks_agree_with_scipy() -> None:
    rng = np.random.default_rng(1)
    groups = [rng.normal(size=size) for size in (6, 9, 12)]

    def mean_of_means(*samples: Floats, axis: int = -1) -> Floats:
        means: Floats = np.asarray([np.mean(sample, axis=axis) for sample in samples]).mean(axis=0)
        return means

    theirs = stats.bootstrap(groups, mean_of_means, n_resamples=20_000, method="percentile", rng=2).confidence_interval
    ours = bootstrap_mean([group.tolist() for group in groups], tasks="fixed", resamples=20_000)
    assert ours.low == pytest.approx(float(theirs.low), abs=0.02)
    assert ours.high == pytest.approx(float(theirs.high), abs=0.02)


def test_same_seed_same_interval() -> None:
    groups = [np.random.default_rng(task).normal(size=9).tolist() for task in range(3)]
    assert bootstrap_mean(groups, seed=3) == bootstrap_mean(groups, seed=3)
    assert bootstrap_mean(groups, seed=3).low != bootstrap_mean(groups, seed=4).low


def test_chunks_do_not_change_how_many_samples_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evaluation.statistics.bootstrap.CHUNK_VALUES", 50)
    estimate = bootstrap_mean([[0.0, 1.0], [0.0, 1.0]], resamples=5_000)
    assert estimate.low == pytest.approx(0.0)
    assert estimate.high == pytest.approx(1.0)


def test_no_interval_where_the_spread_cannot_be_seen() -> None:
    assert not bootstrap_mean([[0.4], [0.1, 0.2]], tasks="fixed").has_interval
    assert not bootstrap_rate([1], [8], tasks="resampled").has_interval
    assert bootstrap_rate([1], [8], tasks="resampled").value == pytest.approx(0.125)
    assert not bootstrap_rate([0, 0], [8, 8], tasks="resampled").has_interval
    assert not bootstrap_mean([[0.5, 0.5], [0.5, 0.5]]).has_interval


def test_a_task_without_runs_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one run"):
        bootstrap_mean([[1.0], []])
    with pytest.raises(ValueError, match="at least one run"):
        bootstrap_rate([], [])


def test_a_lattice_too_large_is_drawn() -> None:
    runs = [7, 11, 13, 17, 19]
    estimate = bootstrap_rate([3, 5, 6, 8, 9], runs, tasks="resampled")
    assert estimate.method == "bootstrap, tasks resampled"
    assert estimate.has_interval


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 6), st.just(6)), min_size=2, max_size=8))
def test_an_interval_holds_its_value(counts: list[tuple[int, int]]) -> None:
    estimate = bootstrap_rate([won for won, _ in counts], [of for _, of in counts], tasks="resampled")
    if estimate.low is None or estimate.high is None:
        assert estimate.value in (0, 1)
        return
    assert -1e-9 <= estimate.low <= estimate.value + 1e-9
    assert estimate.value - 1e-9 <= estimate.high <= 1 + 1e-9
