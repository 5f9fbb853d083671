from __future__ import annotations

from math import log10

import numpy as np
import pytest

from evaluation.statistics.profiles import Profile, TaskScores, performance_profiles
from tasks_catalog.library.spec import Direction

TASKS = {
    "up": TaskScores(direction=Direction.MAXIMIZE, baseline=0.4, scores={"a": 0.8, "b": 0.5, "c": 0.3}),
    "down": TaskScores(direction=Direction.MINIMIZE, baseline=10.0, scores={"a": 4.0, "b": 2.0, "c": None}),
}


def area_by_sums(profile: Profile, limit: float) -> float:
    """The integral, taken numerically from the profile's steps."""
    grid = np.linspace(0, limit, 200_001)[:-1]
    steps = np.searchsorted(profile.log10_factors, grid, side="right") - 1
    shares = np.where(steps >= 0, np.asarray(profile.shares)[steps], 0.0)
    return float(shares.mean() * limit)


def test_factors_by_hand() -> None:
    found = performance_profiles(TASKS)
    assert found is not None
    assert found.agents == ("a", "b", "c")
    assert found.tasks == ("up", "down")
    assert found.profiles["a"].log10_factors == pytest.approx((0.0, log10(2)))
    assert found.profiles["a"].shares == (0.5, 1.0)
    assert found.profiles["b"].log10_factors == pytest.approx((0.0, log10(1.6)))
    # Worse than the baseline on one task, no score on the other: 1.05 times the worst accepted factor.
    assert found.profiles["c"].log10_factors == pytest.approx((log10(1.6 * 1.05), log10(2 * 1.05)))
    assert found.limit == pytest.approx(log10(2 * 1.05))


def test_area_agrees_with_numerical_integration() -> None:
    found = performance_profiles(TASKS)
    assert found is not None
    for profile in found.profiles.values():
        assert profile.area == pytest.approx(area_by_sums(profile, found.limit), abs=1e-4)


def test_the_set_compared_changes_the_profile() -> None:
    without_b = {
        name: task.model_copy(update={"scores": {who: score for who, score in task.scores.items() if who != "b"}})
        for name, task in TASKS.items()
    }
    found = performance_profiles(without_b)
    assert found is not None
    assert found.agents == ("a", "c")
    assert found.profiles["a"].shares == (1.0,)


def test_only_agents_with_an_entry_everywhere_are_compared() -> None:
    extra = {**TASKS, "third": TaskScores(direction=Direction.MAXIMIZE, baseline=None, scores={"a": 1.0, "b": 2.0})}
    found = performance_profiles(extra)
    assert found is not None
    assert found.agents == ("a", "b")


def test_a_task_nobody_solved_tells_nothing() -> None:
    dead = TaskScores(direction=Direction.MAXIMIZE, baseline=1.0, scores={"a": None, "b": 0.5, "c": -3.0})
    found = performance_profiles({**TASKS, "dead": dead})
    assert found is not None
    assert "dead" not in found.tasks
    assert performance_profiles({"dead": dead}) is None
    assert performance_profiles({}) is None
