"""Output without end, long lines and garbage are read in bounded time, and nothing breaks."""

from __future__ import annotations

import math
import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from environment.metrics.outputs import parse_metrics, read_metrics
from environment.records import MetricPoint
from tests.environment.metrics.points import brief, found


def test_more_points_than_the_limit_keeps_both_ends_and_says_so() -> None:
    text = "\n".join(f"loss: {n}" for n in range(1_000))
    points, dropped = read_metrics(text, limit=100)
    assert dropped == 900
    assert [point.value for point in points] == [*range(50), *range(950, 1_000)]
    assert points[-1].step == 999


@pytest.mark.parametrize(
    "line",
    [
        "a" * 300_000,
        "1:" * 20_000,
        "loss: 0.5 " * 2_000,
        "\x1b[" * 50_000,
        "params{" * 10_000,
        "Foo(a=" * 10_000,
        "rmse 0.15 seeds 0.1 0.2 " * 3_000,
    ],
    ids=lambda line: line[:8],
)
def test_time_is_linear(line: str) -> None:
    def seconds(text: str) -> float:
        start = time.process_time()
        read_metrics(text)
        return time.process_time() - start

    half = seconds(line[: len(line) // 2])
    assert seconds(line) < 4 * half + 0.6


def test_a_flood_of_short_lines_costs_little() -> None:
    text = "\n".join(f"epoch {n // 1_000} step {n} loss: 0.{n % 9_973:04d} acc=0.{n % 97:02d}" for n in range(40_000))
    start = time.process_time()
    points, dropped = read_metrics(text, limit=1_000)
    assert time.process_time() - start < 3
    assert len(points) + dropped == 80_000
    assert brief(points[-2]) == "loss=0.0107 epoch 39"
    assert (brief(points[-1]), points[-1].step, points[-1].line) == ("acc=0.35 epoch 39", 39_999, 40_000)


def test_the_middle_of_a_long_line_is_left_out() -> None:
    points = parse_metrics("loss: 0.5 " * 100_000 + "final loss: 0.1")
    assert points[-1].value == 0.1
    start = time.process_time()
    read_metrics("loss: 0.5 " * 100_000)
    assert time.process_time() - start < 3


@pytest.mark.parametrize("forms", [4_096, 2])
def test_lines_that_differ_in_their_numbers_are_read_as_each_alone(monkeypatch: pytest.MonkeyPatch, forms: int) -> None:
    """What is known of a line must not be taken for another: names, units, settings and epochs stay its own."""
    monkeypatch.setattr("environment.metrics.outputs._MAX_FORMS", forms)
    lines = [
        line
        for n in (1, 2, 10, 21)
        for line in (
            f"Class {n} accuracy: 0.{n}5",
            f"l{n % 3} error: {n}.5 f{n % 3}: 0.5",
            f"R^{n % 3}: 0.{n}1, lr: 0.0{n} loss {n}e-{n}",
            f"epoch {n}, top-{n} acc={n}.5% time: 1,{n:03d} ms",
            f"fold {n} scores: [0.{n} 0.{n}2]",
            f"{{'loss': {n:02d}, 'f{n % 3}': 0.5}}",
            f"[{n}] recall@{n} is 0.{n} on the test set",
            f"({n}) mean: 0.{n} v{n}: 0.5",
            f"rmse 1.5 seeds [{n}.25 1.75]",
        )
    ]
    random.Random(0).shuffle(lines)

    def named(text: str) -> list[tuple[str, float, str | None, str, float | None]]:
        return [(p.name, p.value, p.split, p.unit, p.epoch) for p in parse_metrics(text)]

    assert named("\n".join(lines * 2)) == 2 * [point for line in lines for point in named(line)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("| model | accuracy | f1 |\n|---|---|---|\n| rf | - | 0.8 |", ["rf f1=0.8"]),
        ("step  loss  acc\nnan  0.8  0.9", ["loss=0.8", "acc=0.9"]),
        ("scores: [100,200]", ["scores=100", "scores=200"]),
    ],
)
def test_what_stands_for_no_number_does_no_harm(text: str, expected: list[str]) -> None:
    assert found(text) == expected


def test_the_end_of_a_flood_is_still_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("environment.metrics.lines._HALF", 1_000)
    points = parse_metrics("loss: 1\n" + "x" * 79 + "\n" + "loss: 3\n" * 1_000 + "final loss: 0.1")
    assert [(point.value, point.line) for point in points[:2]] == [(1, 1), (3, 3)]
    assert (points[-1].value, points[-1].line) == (0.1, 1_003)
    assert len(points) < 300


def test_binary_garbage_harms_nothing() -> None:
    garbage = random.Random(0).randbytes(20_000).decode("utf-8", "replace")
    points = parse_metrics(f"{garbage}\nloss: 0.25\n{garbage}")
    assert any(point.name == "loss" and point.value == 0.25 for point in points)


@given(st.text(max_size=300))
def test_any_text_is_read_and_every_point_can_be_stored(text: str) -> None:
    for point in parse_metrics(text):
        again = MetricPoint.model_validate_json(point.model_dump_json())
        assert again == point or math.isnan(point.value)
        assert point.line is not None
        assert point.line <= text.count("\n") + 1
