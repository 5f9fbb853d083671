from __future__ import annotations

import pytest

from evaluation.report.words import cell, count, duration, interval, money, number, percent
from evaluation.statistics.estimate import Estimate


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "–"), (0.375, "37.5 %"), (0.5, "50 %"), (-0.0312, "−3.1 %"), (1.433, "143 %"), (0.0, "0 %")],
)
def test_percent(value: float | None, text: str) -> None:
    assert percent(value).replace("\N{NARROW NO-BREAK SPACE}", " ") == text


def test_interval() -> None:
    assert interval(Estimate(value=0.375, low=0.15384, high=0.61538, n=104, method="")) == "15.4 to 61.5"
    assert interval(Estimate(value=0.5, low=-0.1, high=1.0, n=4, method="")) == "−10 to 100"
    assert interval(Estimate(value=0.5, n=1, method="")) == "no interval"
    assert interval(None) == "–"


def test_figures() -> None:
    assert [number(value) for value in (None, 0.123456, -24_000.0, 2.5e7)] == ["–", "0.1235", "−2.4e+04", "2.500e+07"]
    assert [money(value) for value in (None, 0.0, 0.0042, 1.5)] == ["–", "$0.00", "$0.0042", "$1.50"]
    assert [count(value) for value in (950, 12_345, 4_500_000)] == ["950", "12.3k", "4.5M"]
    assert duration(3.14).startswith("3.1")
    assert duration(720).startswith("12")
    assert duration(12_000).endswith("h")


def test_a_cell_holds_any_text() -> None:
    assert cell("a|b\n<img> `x`") == "a\\|b &lt;img&gt; 'x'"
