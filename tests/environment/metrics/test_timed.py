"""The time at the end of a row of results is that of the row."""

from __future__ import annotations

import pytest

from environment.metrics.outputs import parse_metrics
from tests.environment.metrics.points import found


@pytest.mark.parametrize(
    ("line", "seconds"),
    [
        ("random forest 200   rmse  56.94  mae  46.38   13.3s", 13.3),
        ("[gru] h1 MAE 6.67 | all 28: MAE 7.09 sMAPE 2.84%  (24.4 s)", 24.4),
        ("[plain] seed=10 val=98.89% test=98.67% wrong=6 t=6.88s", 6.88),
        ("accuracy 0.91  250 ms", 0.25),
    ],
)
def test_it_is_read(line: str, seconds: float) -> None:
    times = [point for point in parse_metrics(line) if point.name == "row time"]
    assert [(point.value, point.unit) for point in times] == [(seconds, "seconds")]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("accuracy 0.91 time: 3.2s", ["accuracy=0.91", "time=3.2 seconds"]),
        ("epochs 20  13.3s", []),
        ("accuracy 0.91 after the first 5 s", ["accuracy=0.91"]),
        ("accuracy 0.91  5 samples", ["accuracy=0.91"]),
        ("waiting  5 s", []),
    ],
)
def test_no_other_number_is(line: str, expected: list[str]) -> None:
    assert found(line) == expected


def test_each_row_has_its_own() -> None:
    points = parse_metrics("[a] acc 0.91  (1.5 s)\n[b] acc 0.92  (2.5 s)\n[c] acc 0.93  (3.5 s)")
    times = [(point.part, point.value) for point in points if point.name == "row time"]
    assert times == [("a", 1.5), ("b", 2.5), ("c", 3.5)]
