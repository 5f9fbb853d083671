from __future__ import annotations

from environment.records.display import MINUS
from evaluation.report.wording import cell, interval, isolated, normalised
from evaluation.statistics.estimate import Estimate


def test_interval() -> None:
    assert interval(Estimate(value=0.375, low=0.15384, high=0.61538, n=104, method="")) == "15.4 to 61.5"
    assert interval(Estimate(value=0.5, low=-0.1, high=1.0, n=4, method="")) == "−10 to 100"
    assert interval(Estimate(value=0.5, n=1, method="")) == "no interval"
    assert interval(None) == "–"


def test_normalised_means_have_their_decimals_alike() -> None:
    assert [normalised(value) for value in (0.38, 0.5312, -0.0604, -0.0001, None)] == [
        "0.380",
        "0.531",
        f"{MINUS}0.060",
        "0.000",
        "–",
    ]


def test_a_cell_holds_any_text() -> None:
    assert cell("a|b\n<img> `x`") == "a\\|b &lt;img&gt; 'x'"


def test_a_name_from_right_to_left_turns_nothing_around_it() -> None:
    assert isolated("tuner \N{MIDDLE DOT} steps 8") == "tuner \N{MIDDLE DOT} steps 8"
    assert isolated("\N{ARABIC LETTER WAW}") == "\u2068\N{ARABIC LETTER WAW}\u2069"
