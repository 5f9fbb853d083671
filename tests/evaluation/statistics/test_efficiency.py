from __future__ import annotations

import pytest

from evaluation.statistics.efficiency import efficiency, pareto_front
from tests.evaluation.statistics.results import result


def test_totals_are_divided_by_successes() -> None:
    found = efficiency([result(0.5), result(0.0), result(None), result(0.3)])
    assert found.cost == 1.0
    assert found.cost_per_success == pytest.approx(2.0)
    assert found.tokens_per_success == pytest.approx(2_000)
    assert found.seconds_per_success == pytest.approx(120)


def test_without_success_or_price_there_is_no_figure() -> None:
    assert efficiency([result(0.0)]).cost_per_success is None
    unknown = efficiency([result(0.5), result(0.5, cost=None)])
    assert unknown.cost is None
    assert unknown.cost_per_success is None
    assert unknown.tokens_per_success == pytest.approx(1_000)


def test_the_front_holds_who_is_not_beaten_at_once_in_cost_and_success() -> None:
    points = {"cheap": (1.0, 0.2), "good": (5.0, 0.9), "beaten": (6.0, 0.9), "poor": (2.0, 0.1), "middle": (3.0, 0.5)}
    assert pareto_front(points) == ("cheap", "middle", "good")


def test_twins_share_the_front() -> None:
    assert set(pareto_front({"a": (1.0, 0.5), "b": (1.0, 0.5)})) == {"a", "b"}
    assert pareto_front({}) == ()
