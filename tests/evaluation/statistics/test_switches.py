"""Effects of switches: which runs are paired, and what being many costs."""

from __future__ import annotations

import pytest

from environment.records import RunResult
from evaluation.statistics.switches import ALL, ablation, family_of
from tests.evaluation.statistics.results import result

TASKS = ("cifar10", "imdb", "house-price", "spaceship-titanic", "clrs")


def runs(gains: dict[str, tuple[float, ...]]) -> list[RunResult]:
    return [result(gain, task=task, seed=seed) for task, own in gains.items() for seed, gain in enumerate(own)]


def test_effects_stand_by_task_by_family_and_on_all() -> None:
    base = runs(dict.fromkeys(TASKS, (0.3, 0.32, 0.31)))
    without = runs(dict.fromkeys(TASKS, (0.1, 0.13, 0.1)))
    found = ablation(base, {"log": without})
    scopes = [effect.scope for effect in found.effects]
    assert scopes == [ALL, "canonical", "classic Kaggle", "current research", *TASKS]
    assert found.effects[0].comparison.pairs == 15
    assert found.effects[0].comparison.improvement.value == pytest.approx(0.2)
    assert found.effects[0].p_value is not None
    assert found.effects[0].p_value < 0.001


def test_many_effects_are_each_less_sure() -> None:
    base = runs({"cifar10": (0.3, 0.25, 0.31)})
    without = runs({"cifar10": (0.2, 0.22, 0.2)})
    alone = ablation(base, {"log": without}).effects[0]
    among = ablation(base, dict.fromkeys(("log", "plan", "skills", "thought"), without)).effects[0]
    assert alone.p_value is not None
    assert among.p_value == pytest.approx(4 * alone.p_value)
    one, many = alone.comparison.improvement, among.comparison.improvement
    assert one.low is not None
    assert many.low is not None
    assert many.low < one.low


def test_a_switch_that_helps_on_hard_tasks_has_a_rising_trend() -> None:
    hard = {"cifar10": 0.0, "imdb": 0.05, "house-price": 0.2, "spaceship-titanic": 0.4, "clrs": 0.08}
    base = runs({task: (level + 0.12, level + 0.02) for task, level in hard.items()})
    without = runs({task: (level + (0.1 if level > 0.1 else 0), level) for task, level in hard.items()})
    [trend] = ablation(base, {"log": without}).trends
    assert trend.difficulty["spaceship-titanic"] == 0
    assert trend.difficulty["cifar10"] > 0.5
    assert trend.correlation is not None
    assert trend.correlation > 0.5


def test_few_tasks_have_no_trend_and_no_pairs_no_effect() -> None:
    [trend] = ablation(runs({"cifar10": (0.3,)}), {"log": runs({"cifar10": (0.1,)})}).trends
    assert trend.correlation is None
    assert ablation(runs({"cifar10": (0.3,)}), {"log": []}).effects == ()


def test_families() -> None:
    assert family_of("house-price") == "classic Kaggle"
    assert family_of("my-task") == "other"
