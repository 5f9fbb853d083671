"""Values of single seeds or folds on the line of their mean: parts of it, never the result itself."""

from __future__ import annotations

import pytest

from environment.metrics.meaning import last_value, values_of
from environment.metrics.outputs import parse_metrics


def parts(text: str) -> list[tuple[str, str, float]]:
    return [(point.part, point.name, point.value) for point in parse_metrics(text) if not point.name.endswith(" std")]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (
            "ols      rmse  53.84 ± 3.53  mae  43.89  r2  0.514  seeds [54.10 53.87 53.54]",
            [
                ("1 of 3 seeds", "rmse", 54.10),
                ("2 of 3 seeds", "rmse", 53.87),
                ("3 of 3 seeds", "rmse", 53.54),
                ("", "rmse", 53.84),
                ("", "mae", 43.89),
                ("", "r2", 0.514),
            ],
        ),
        (
            "logreg   AP 0.665 +- 0.079   folds [0.715, 0.638, 0.642]",
            [
                ("1 of 3 folds", "AP", 0.715),
                ("2 of 3 folds", "AP", 0.638),
                ("3 of 3 folds", "AP", 0.642),
                ("", "AP", 0.665),
            ],
        ),
        (
            "base  MAE  7.195  (seed 0 7.026, seed 1 7.364)  sMAPE 2.878",
            [("seed 0", "MAE", 7.026), ("seed 1", "MAE", 7.364), ("", "MAE", 7.195), ("", "sMAPE", 2.878)],
        ),
        (
            "rmse 53.84 fold 1: 53.9 fold 2: 53.78",
            [("fold 1", "rmse", 53.9), ("fold 2", "rmse", 53.78), ("", "rmse", 53.84)],
        ),
        (
            "mean acc: 0.75 over runs: 0.70, 0.80",
            [("1 of 2 runs", "mean acc", 0.70), ("2 of 2 runs", "mean acc", 0.80), ("", "mean acc", 0.75)],
        ),
        (
            "acc 81.20% (seeds 80.10% 82.30%)",
            [("1 of 2 seeds", "acc", 80.1), ("2 of 2 seeds", "acc", 82.3), ("", "acc", 81.2)],
        ),
    ],
)
def test_they_are_parts_of_the_metric_that_they_are_the_values_of(
    line: str, found: list[tuple[str, str, float]]
) -> None:
    assert parts(line) == found


def test_they_are_of_the_row_that_they_stand_in() -> None:
    text = (
        "[naive] h1 MAE 18.70 | all: MAE 18.26 | per seed 19.06 17.46  (0.1 s)\n"
        "[drift] h1 MAE 18.68 | all: MAE 18.18 | per seed 18.90 17.46  (0.0 s)"
    )
    assert [part for part in parts(text) if "seeds" in part[0]] == [
        ("naive 1 of 2 seeds", "MAE", 19.06),
        ("naive 2 of 2 seeds", "MAE", 17.46),
        ("drift 1 of 2 seeds", "MAE", 18.90),
        ("drift 2 of 2 seeds", "MAE", 17.46),
    ]


def test_the_last_value_of_the_metric_is_the_mean() -> None:
    points = parse_metrics("val rmse 53.84 seeds [54.10 53.87 53.55]")
    last = last_value(values_of("rmse", points), ("validation",))
    assert last is not None
    assert last.value == 53.84


def test_lines_of_one_form_keep_their_own_parts() -> None:
    lines = [f"MAE {n}.50 (seed {n} {n}.25, seed {n + 1} {n}.75)" for n in range(1, 6)]
    assert [part for part in parts("\n".join(lines)) if part[0]] == [
        (f"seed {n + m}", "MAE", n + 0.25 + m / 2) for n in range(1, 6) for m in range(2)
    ]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("accuracy 0.81 seeds: 1 2 3 dropout 0.5", [("", "accuracy", 0.81)]),
        ("config: lr 0.1 betas [0.9, 0.99] seeds [0.5, 0.7]", []),
        ("AP 0.763 [0.695, 0.830]", [("", "AP", 0.763)]),
        ("rmse 53.84 after the split 0.8 0.2", [("", "rmse", 53.84)]),
        ("accuracy 0.75 threshold by fold 0.31 0.35 0.28", [("", "accuracy", 0.75)]),
        ("we ran seed 0 with rmse 3.5", [("", "rmse", 3.5)]),
        ("The rmse of 3.6 came from fold 1 (2.1 hours) and fold 2 (2.4 hours).", [("", "rmse", 3.6)]),
    ],
)
def test_settings_intervals_and_prose_are_none(line: str, found: list[tuple[str, str, float]]) -> None:
    assert parts(line) == found
