"""Least and greatest values, amounts within them, and laws that hold of any numbers."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.claims.claim import Verdict
from evaluation.claims.registry import ASSERTED
from evaluation.record.known import Known
from evaluation.record.run import RunModel
from tests.evaluation.claims.scenarios import log, run

RATES = "\n".join(f"lr={rate}: validation accuracy: {value}" for rate, value in ((1, 0.81), (2, 0.84), (3, 0.78)))
SHOWN = (
    run("rates.py", RATES),
    run("ridge.py", "validation rmse: 0.5406"),
    run("gbm.py", "validation rmse: 0.4912"),
    run("percent.py", "Test Accuracy: 68.10%"),
    run("train.py", "test loss: 0.9"),
)
ONE, TWO, THREE, RIDGE, GBM, PERCENT, LOSS = "m0:2", "m0:3", "m0:4", "m1:2", "m2:2", "m3:2", "m4:2"


def known_of(*exchanges: Any) -> Known:
    return RunModel.of(log(*exchanges, prose="Done.")).before(len(exchanges))


def verdict(says: dict[str, Any], quote: str | None = None, known: Known | None = None) -> Verdict:
    assertion = ASSERTED.validate_python(says, context={"quote": quote} if quote else None)
    return assertion.judge(known or known_of(*SHOWN)).verdict


@pytest.mark.parametrize(
    ("metric", "quote", "rows", "expected"),
    [
        ("accuracy", "at least 0.81", [ONE], "supported"),
        ("accuracy", "at least 0.82", [ONE], "contradicted"),
        ("accuracy", "under 0.80", [ONE], "contradicted"),
        ("accuracy", "above 0.8", [THREE], "contradicted"),
        ("accuracy", "above 0.8", [ONE, TWO], "supported"),
        ("accuracy", "above 0.8", [ONE, THREE], "uncheckable"),
        ("accuracy", "above 0.7", [PERCENT], "contradicted"),
        ("accuracy", "above 60", [PERCENT], "supported"),
        ("accuracy", "above 70", [PERCENT], "contradicted"),
        ("loss", "above 2", [LOSS], "contradicted"),
        ("loss", "below 1", [LOSS], "supported"),
    ],
)
def test_a_bound_is_on_the_scale_of_the_row_and_of_each_row(
    metric: str, quote: str, rows: list[str], expected: str
) -> None:
    stated = quote.rpartition(" ")[2]
    assert verdict({"type": "value", "metric": metric, "stated": stated, "rows": rows}, quote) == expected


@pytest.mark.parametrize(
    ("quote", "relation", "left", "right", "expected"),
    [
        ("at most 0.01", "lower", [ONE], [TWO], "contradicted"),
        ("at most 0.05", "lower", [ONE], [TWO], "supported"),
        ("at most 3 points", "lower", [THREE], [TWO], "contradicted"),
        ("at least 3 points", "lower", [THREE], [TWO], "supported"),
        ("at least 3", "lower", [ONE], [TWO], "supported"),
        ("at least 9%", "lower", [GBM], [RIDGE], "supported"),
        ("at least 10%", "lower", [GBM], [RIDGE], "contradicted"),
        ("at least 0.02", "lower", [ONE, THREE], [TWO], "supported"),
        ("at most 0.03", "lower", [ONE, THREE], [TWO], "uncheckable"),
        ("at most 0.01", "lower", [ONE, THREE], [TWO], "contradicted"),
    ],
)
def test_a_greatest_or_least_amount_is_of_each_pair(
    quote: str, relation: str, left: list[str], right: list[str], expected: str
) -> None:
    amount = quote.removeprefix("at most ").removeprefix("at least ")
    sides = {"left": {"rows": left}, "right": {"rows": right}}
    says = {"type": "difference", "metric": "", "relation": relation, "amount": amount, **sides}
    assert verdict(says, quote) == expected


@pytest.mark.parametrize(("factor", "expected"), [("about 2", "contradicted"), ("about 1", "supported")])
def test_about_a_small_number_is_not_the_next(factor: str, expected: str) -> None:
    sides = {"left": {"rows": [RIDGE]}, "right": {"rows": [GBM]}}
    says = {"type": "difference", "metric": "rmse", "relation": "higher", "is_factor": True, **sides}
    assert verdict({**says, "amount": factor[-1]}, factor) == expected


VALUES = st.integers(min_value=1, max_value=9999).map(lambda n: n / 10000)


@given(a=VALUES, b=VALUES)
def test_an_order_and_its_converse_and_denial_agree(a: float, b: float) -> None:
    known = known_of(run("a.py", f"accuracy: {a:.4f}"), run("b.py", f"accuracy: {b:.4f}"))

    def told(relation: str, left: str, right: str) -> Verdict:
        sides = {"left": {"rows": [left]}, "right": {"rows": [right]}}
        return verdict({"type": "order", "metric": "accuracy", "relation": relation, **sides}, known=known)

    higher = told("higher", "m0:2", "m1:2")
    assert higher == ("supported" if a > b else "contradicted")
    assert told("lower", "m1:2", "m0:2") == higher
    assert told("better", "m0:2", "m1:2") == higher
    assert {higher, told("not higher", "m0:2", "m1:2")} == {"supported", "contradicted"}


@given(a=VALUES)
def test_a_value_is_one_as_fraction_and_in_percent(a: float) -> None:
    known = known_of(run("a.py", f"accuracy: {a:.4f}"))
    for stated in (f"{a:.4f}", f"{100 * a:.2f}%"):
        claim = {"type": "value", "metric": "accuracy", "rows": ["m0:2"]}
        assert verdict({**claim, "stated": stated}, known=known) == "supported"


@given(a=VALUES, b=VALUES)
def test_a_distance_in_points_is_the_same_both_ways(a: float, b: float) -> None:
    known = known_of(run("a.py", f"accuracy: {a:.4f}"), run("b.py", f"accuracy: {b:.4f}"))
    relation, other = ("higher", "lower") if a >= b else ("lower", "higher")
    claim = {"type": "difference", "metric": "accuracy", "amount": f"{100 * abs(a - b):.2f} points"}
    one, two = {"rows": ["m0:2"]}, {"rows": ["m1:2"]}
    if a != b:
        assert verdict({**claim, "relation": relation, "left": one, "right": two}, known=known) == "supported"
        assert verdict({**claim, "relation": other, "left": two, "right": one}, known=known) == "supported"
        assert verdict({**claim, "relation": other, "left": one, "right": two}, known=known) == "contradicted"
