from __future__ import annotations

import pytest

from environment.records import Usage
from evaluation.statistics.efficiency import efficiency, pareto_front
from tests.evaluation.process.trajectories import trajectory
from tests.evaluation.statistics.results import result

USAGE = Usage(working_seconds=50, training_seconds=20, prompt_tokens=900, cached_tokens=300, completion_tokens=100)


def test_totals_are_divided_by_successes() -> None:
    found = efficiency([result(0.5), result(0.0), result(None), result(0.3)])
    assert found.per_run.cost == 1.0
    assert found.per_success is not None
    assert found.per_success.cost == pytest.approx(2.0)
    assert found.per_success.tokens == pytest.approx(2_000)
    assert found.per_success.seconds == pytest.approx(120)
    assert found.per_run.working_seconds is None, "these runs do not tell"


def test_what_time_and_tokens_were_made_of() -> None:
    told = [one.model_copy(update={"usage": USAGE}) for one in (result(0.5), result(0.0))]
    found = efficiency(told)
    assert found.per_success is not None
    assert (found.per_run.working_seconds, found.per_success.working_seconds) == (50, 100)
    assert (found.per_run.training_seconds, found.per_success.cached_tokens) == (20, 600)
    assert efficiency([*told, result(0.5)]).per_run.prompt_tokens is None


def test_the_usage_of_a_trajectory() -> None:
    found = Usage.of(trajectory("read", "run:0.5", "fail", "submit"))
    assert (found.training_seconds, found.prompt_tokens, found.completion_tokens) == (2, 40, 4)


def test_without_success_or_price_there_is_no_figure() -> None:
    assert efficiency([result(0.0)]).per_success is None
    unknown = efficiency([result(0.5), result(0.5, cost=None)])
    assert unknown.per_run.cost is None
    assert unknown.per_success is not None
    assert unknown.per_success.cost is None
    assert unknown.per_success.tokens == pytest.approx(1_000)


def test_the_front_holds_who_is_not_beaten_at_once_in_cost_and_success() -> None:
    points = {"cheap": (1.0, 0.2), "good": (5.0, 0.9), "beaten": (6.0, 0.9), "poor": (2.0, 0.1), "middle": (3.0, 0.5)}
    assert pareto_front(points) == ("cheap", "middle", "good")


def test_twins_share_the_front() -> None:
    assert set(pareto_front({"a": (1.0, 0.5), "b": (1.0, 0.5)})) == {"a", "b"}
    assert pareto_front({}) == ()
