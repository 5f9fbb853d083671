"""What a sweep spends, and what it tries again."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from uuid import uuid4

import pytest

from environment.journal.entries import Journal
from environment.journal.tables import write_grades
from environment.records import Budget, RunConfig, RunResult, RunStatus, StepGrade
from environment.store import Store
from flows.errors import UsageError
from flows.settings import Settings
from flows.sweep.budget_share import BudgetShare, check_cap
from flows.sweep.cells import cells_of, expand
from flows.sweep.estimate import History
from flows.sweep.failures import Failure, FailureKind
from flows.sweep.outcome import CellState
from flows.sweep.running import Sweep, Watcher
from flows.sweep.spec import Retries, SweepSpec
from tests.environment.journal.test_runs import result
from tests.flows.command import SLOPE

STEPS = 2


def ended(config: RunConfig, **fields: object) -> RunResult:
    found = result(config.run_id or "", RunStatus.COMPLETED)
    same = {"task": config.task, "agent": config.agent, "model": config.model, "seed": config.seed}
    return found.model_copy(update={**same, **fields})


def test_costs_are_expected_by_runs_alike() -> None:
    config = RunConfig(task="a", agent="x", model="p:m")
    history = History([ended(config, cost=1.0, seconds=10), ended(config, cost=3.0, seconds=30)])
    assert history.cost(config) == 2
    assert history.cost(config.model_copy(update={"task": "b"})) == 2
    assert history.cost(config.model_copy(update={"model": "p:other"})) is None
    limited = config.model_copy(update={"model": "p:other", "budget": Budget(money=5)})
    assert history.cost(limited) == 5
    assert history.cost(config.model_copy(update={"model": None})) == 0
    found = history.estimate([config, limited])
    assert (found.cost, found.at_most, found.seconds, found.without_time) == (7, None, 20, 1)


class Scripted:
    """Writes a result that cost what the run may cost, unless told otherwise."""

    def __init__(self, store: Store, failures: dict[int, list[Failure]] | None = None) -> None:
        self.store = store
        self.failures = failures or {}
        self.ran: list[int] = []
        self.under_way = self.most = 0
        self._lock = threading.Lock()

    def run(self, config: RunConfig) -> Failure | None:
        with self._lock:
            self.ran.append(config.seed)
            self.under_way += 1
            self.most = max(self.most, self.under_way)
        time.sleep(0.01)
        with self._lock:
            self.under_way -= 1
        if self.failures.get(config.seed):
            return self.failures[config.seed].pop(0)
        Journal(self.store, config.run_id or "").write_result(ended(config, cost=config.budget.money, steps=STEPS))
        return None

    def stop(self) -> None:
        pass


def make_sweep(store: Store, spec: SweepSpec, tmp_path: Path) -> Sweep:
    configs = cells_of(expand(spec), spec, Settings(home=tmp_path)).configs
    check_cap(configs, spec.money)
    return Sweep(spec, configs, store, retry_failed=False)


def spec_of(**fields: object) -> SweepSpec:
    base = {"name": "s", "tasks": [str(SLOPE)], "agents": ["x"], "models": ["p:m"], "retries": {"wait": 0}}
    return SweepSpec.model_validate({**base, **fields})


def test_the_cap_is_never_passed(tmp_path: Path) -> None:
    store = Store(f"memory://{uuid4().hex}")
    spec = spec_of(seeds=20, money=10, budget={"money": 1.5})
    runner = Scripted(store)
    report = make_sweep(store, spec, tmp_path).run(runner, 8, Watcher())
    assert report.counts == {"done": 6, "no money": 14}
    assert report.cost == 9
    assert runner.most <= 6
    assert not report.ended
    again = make_sweep(store, spec, tmp_path).run(runner, 8, Watcher())
    assert again.counts == report.counts
    assert len(runner.ran) == 6
    with pytest.raises(UsageError, match=r"budget\.money"):
        make_sweep(store, spec_of(money=10), tmp_path)


def test_steps_of_runs_that_are_done_are_graded_and_cost_nothing(tmp_path: Path) -> None:
    store = Store(f"memory://{uuid4().hex}")
    spec = spec_of(seeds=3, money=2, budget={"money": 1})
    runner = Scripted(store)
    assert make_sweep(store, spec, tmp_path).run(runner, 1, Watcher()).counts == {"done": 2, "no money": 1}
    again = make_sweep(store, spec.model_copy(update={"intermediate": True}), tmp_path)
    assert again.budget_share.spent == 2
    assert [config.seed for config in again.to_run] == [2]
    assert len(again.ungraded) == 2
    for ungraded in again.ungraded:
        write_grades(store, ungraded, [StepGrade(step=n, graded_at=n) for n in range(STEPS)])
    runner.ran.clear()
    report = again.run(runner, 1, Watcher())
    assert report.counts == {"done": 2, "no money": 1}, "the cap holds for what is run, and grading is free"
    assert runner.ran == [0, 1]
    assert report.cost == 2
    assert make_sweep(store, again.spec, tmp_path).ungraded == set()


def test_money_held_by_others_is_waited_for() -> None:
    share = BudgetShare(10, spent=4)
    config = RunConfig(task="t", model="p:m", budget=Budget(money=6))
    order = []

    def second() -> None:
        with share.set_aside(config, 0) as affordable:
            order.append(affordable)

    with share.set_aside(config, 0) as affordable:
        assert affordable
        thread = threading.Thread(target=second)
        thread.start()
        time.sleep(0.05)
        assert order == []
        share.pay(0)
    thread.join()
    assert order == [True]


def test_only_infrastructure_is_tried_again(tmp_path: Path) -> None:
    store = Store(f"memory://{uuid4().hex}")
    away, wrong, bug = (Failure(kind=kind, message="x") for kind in FailureKind)
    runner = Scripted(store, {0: [away, away], 1: [wrong], 2: [bug], 3: [away] * 3})
    spec = spec_of(seeds=5, retries=Retries(attempts=3, wait=0))
    report = make_sweep(store, spec, tmp_path).run(runner, 2, Watcher())
    assert [(cell.state, cell.attempts) for cell in report.cells] == [
        (CellState.DONE, 3),
        (CellState.UNFINISHED, 1),
        (CellState.AGENT_FAILED, 1),
        (CellState.UNFINISHED, 3),
        (CellState.DONE, 1),
    ]
    runner.ran.clear()
    report = make_sweep(store, spec, tmp_path).run(runner, 2, Watcher())
    assert report.counts == {"done": 4, "agent failed": 1}
    assert sorted(runner.ran) == [1, 3]


def test_a_thousand_runs_are_expanded_and_skipped_in_seconds(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "store"))
    spec = spec_of(seeds=250, settings=[{"s": n} for n in range(4)], budget={"money": 1})
    configs = cells_of(expand(spec), spec, Settings(home=tmp_path)).configs
    assert len({config.run_id for config in configs}) == 1_000
    for config in configs:
        Journal(store, config.run_id or "").write_result(ended(config, cost=1.0))
    started = time.perf_counter()
    sweep = make_sweep(store, spec, tmp_path)
    assert sweep.todo == []
    assert sweep.budget_share.spent == 1_000
    assert time.perf_counter() - started < 10
