from __future__ import annotations

import pytest

from evaluation.competence import improvement, noise_aware_threshold, normalised, success
from tasks_catalog.library.spec import Direction, Figure

UP, DOWN = Direction.MAXIMIZE, Direction.MINIMIZE


@pytest.mark.parametrize(
    ("score", "baseline", "direction", "expected"),
    [
        (0.6, 0.5, UP, 0.2),
        (0.4, 0.5, UP, -0.2),
        (8, 10, DOWN, 0.2),
        (12, 10, DOWN, -0.2),
        (-8, -10, UP, 0.2),
        (1, 0, UP, None),
    ],
)
def test_improvement_is_relative_and_positive_where_better(
    score: float, baseline: float, direction: Direction, expected: float | None
) -> None:
    assert improvement(score, baseline, direction) == (None if expected is None else pytest.approx(expected))


def test_normalised_runs_from_baseline_to_reference() -> None:
    assert normalised(20, 20, 10, DOWN) == 0
    assert normalised(10, 20, 10, DOWN) == 1
    assert normalised(5, 20, 10, DOWN) == pytest.approx(1.5)
    assert normalised(0.7, 0.5, 0.9, UP) == pytest.approx(0.5)
    assert normalised(5, 10, 10, UP) is None


def test_success_is_more_than_ten_per_cent() -> None:
    assert success(89, 100, DOWN)
    assert not success(90, 100, DOWN)
    assert not success(150, 100, DOWN)
    assert not success(0.56, 0.5, UP, threshold=0.15)


def test_the_threshold_grows_with_the_scatter_of_the_baseline() -> None:
    def figure(std: float, seeds: int = 8) -> Figure:
        return Figure(mean=100, std=std, seeds=seeds, how="made up")

    assert noise_aware_threshold(figure(1)) == 0.10
    # t(0.975, 7) = 2.3646, times 10 * sqrt(1 + 1/8), over 100
    assert noise_aware_threshold(figure(10)) == pytest.approx(0.2508, abs=1e-4)
    assert noise_aware_threshold(figure(10, seeds=1)) == 0.10
