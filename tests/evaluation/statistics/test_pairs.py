from __future__ import annotations

import pytest
from scipy.stats import binomtest

from environment.records import UNKNOWN
from evaluation.statistics.pairs import compare, match
from tests.evaluation.statistics.results import result


def test_only_the_same_task_variant_and_seed_are_paired() -> None:
    first = [result(0.2, seed=0), result(0.3, seed=1), result(0.3, task="two", seed=5)]
    second = [result(0.1, seed=1), result(0.1, seed=2), result(0.1, task="two", seed=6)]
    assert [(a.seed, b.seed) for a, b in match(first, second)] == [(1, 1)]
    assert compare(("a", first[:1]), ("b", second)) is None


def test_repeats_of_a_seed_are_paired_in_order() -> None:
    pairs = match([result(0.1), result(0.2)], [result(0.3), result(0.4), result(0.5)])
    assert [(a.improvement, b.improvement) for a, b in pairs] == [(0.1, 0.3), (0.2, 0.4)]


def test_effect_and_its_interval() -> None:
    better = [result(0.2 + seed / 100, seed=seed) for seed in range(10)]
    worse = [result(0.05 + seed / 100, seed=seed) for seed in range(10)]
    found = compare(("better", better), ("worse", worse))
    assert found is not None
    assert found.pairs == 10
    assert found.superiority.value == 1.0
    assert found.improvement.value == pytest.approx(0.15)
    wins = sum(a.success and not b.success for a, b in zip(better, worse, strict=True))
    assert found.success.value == pytest.approx(wins / 10)
    assert found.p_value == pytest.approx(binomtest(wins, wins).pvalue)


def test_a_missing_score_loses_and_two_missing_tie() -> None:
    found = compare(("a", [result(-0.5, seed=0), result(None, seed=1)]), ("b", [result(None, seed=s) for s in (0, 1)]))
    assert found is not None
    assert found.superiority.value == 0.75
    assert found.p_value is None


def test_a_contestant_against_itself_shows_no_effect() -> None:
    runs = [result(seed / 10, seed=seed) for seed in range(6)]
    found = compare(("a", runs), ("a again", runs))
    assert found is not None
    assert found.success.value == 0
    assert not found.success.has_interval
    assert found.superiority.value == 0.5


def test_tasks_count_alike_however_many_pairs_they_have() -> None:
    first = [result(1.0, task="many", seed=s) for s in range(9)] + [result(0.0, task="few", seed=s) for s in range(3)]
    second = [result(0.0, task="many", seed=s) for s in range(9)] + [result(1.0, task="few", seed=s) for s in range(3)]
    found = compare(("a", first), ("b", second))
    assert found is not None
    assert found.success.value == pytest.approx(0.0)
    assert found.tasks == 2


def test_imported_runs_have_no_seed_to_be_paired_by() -> None:
    imported = [result(0.5).model_copy(update={"sandbox": UNKNOWN})]
    assert match(imported, [result(0.2)]) == []
    assert match([result(0.2)], imported) == []
    assert compare(("a", imported), ("b", imported)) is None
