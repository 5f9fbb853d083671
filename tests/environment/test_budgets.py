from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from environment.budgets import BudgetMeter
from environment.records import Action, Budget, Decision, Effect, EndedBy, ModelCall, Observation, Spent, TrainingRun

TRAINING = TrainingRun(
    id="run.0", step=0, script="train.py", script_sha256="0" * 64, started=datetime.now(UTC), seconds=1, output="1" * 64
)


def decision(*calls: ModelCall) -> Decision:
    return Decision(action=Action(name="Execute Script"), calls=calls)


def effect(*, trained: bool = False, waited: float = 0.0) -> Effect:
    return Effect(observation=Observation(text=""), training_run=TRAINING if trained else None, waited_seconds=waited)


CALL = ModelCall(model="m", prompt_tokens=80, completion_tokens=20, cost=0.25, waited_seconds=30)


@pytest.mark.parametrize(
    ("budget", "ended_by"),
    [
        (Budget(steps=2), EndedBy.STEPS),
        (Budget(seconds=100), EndedBy.TIME),
        (Budget(tokens=150), EndedBy.TOKENS),
        (Budget(money=0.5), EndedBy.MONEY),
        (Budget(training_runs=2), EndedBy.TRAINING_RUNS),
        (Budget(working_seconds=20), EndedBy.TIME),
    ],
)
def test_each_limit_ends_the_run_when_it_is_used_up(budget: Budget, ended_by: EndedBy) -> None:
    meter = BudgetMeter(budget)
    meter.charge(decision(CALL), effect(trained=True, waited=10), 50)
    assert meter.exhausted() is None
    meter.charge(decision(CALL), effect(trained=True, waited=10), 50)
    assert meter.exhausted() is ended_by
    assert meter.fraction() == 1


def test_without_limits_nothing_ends() -> None:
    meter = BudgetMeter(Budget(), Spent(steps=10**6, wall_seconds=1e9, tokens=10**9, cost=1e6))
    assert meter.exhausted() is None
    assert meter.fraction() == 0
    assert meter.remaining().line() == "no limit"


def test_waiting_is_no_working_time() -> None:
    meter = BudgetMeter(Budget(seconds=1000, working_seconds=1000))
    spent = meter.charge(decision(CALL, CALL), effect(waited=25), 100)
    assert spent.wall_seconds == 100
    assert spent.working_seconds == 15
    assert meter.remaining().seconds == 900
    assert meter.remaining().working_seconds == 985


def test_money_that_cannot_be_counted_ends_a_run_that_limits_it() -> None:
    unpriced = decision(CALL.model_copy(update={"cost": None}))
    limited, free = BudgetMeter(Budget(money=100)), BudgetMeter(Budget())
    for meter in (limited, free):
        assert meter.charge(unpriced, effect(), 1).unknown_cost
    assert limited.exhausted() is EndedBy.MONEY
    assert free.exhausted() is None


@settings(deadline=None)
@given(cut=st.integers(min_value=0, max_value=10), seconds=st.lists(st.integers(0, 100), min_size=10, max_size=10))
def test_a_resumed_meter_equals_an_undisturbed_one(cut: int, seconds: list[int]) -> None:
    budget = Budget(steps=20, seconds=5000)
    whole = first = BudgetMeter(budget)
    for number, step in enumerate(seconds):
        if number == cut:
            first = BudgetMeter(budget, Spent.model_validate_json(whole.spent.model_dump_json()))
        whole.charge(decision(CALL), effect(), step)
        if first is not whole:
            first.charge(decision(CALL), effect(), step)
    assert first.spent == whole.spent


def test_a_script_may_take_what_is_left() -> None:
    now = 0.0
    meter = BudgetMeter(Budget(seconds=1000, script_seconds=600), clock=lambda: now)
    assert meter.script_timeout() == 600
    meter.charge(decision(), effect(), 700)
    assert meter.script_timeout() == 300
    now = 100.0
    assert meter.script_timeout() == 200
    now = 10_000.0
    assert meter.script_timeout() == 1
    assert BudgetMeter(Budget()).script_timeout() is None


def test_the_agent_reads_what_is_left() -> None:
    budget = Budget(steps=50, seconds=18_000, tokens=10_000, money=2, training_runs=3)
    meter = BudgetMeter(budget, Spent(steps=38, wall_seconds=6_000, tokens=1_000, cost=0.8, training_runs=2))
    assert meter.remaining().line() == "12 steps, 3 h 20 min, 9,000 tokens, $1.20, 1 training run left"
    assert meter.fraction() == 0.76
