"""What a sweep file means: its runs, their ids, their cost."""

from __future__ import annotations

import errno
import json
import threading
import time
from pathlib import Path
from uuid import uuid4

import pytest

from agent.errors import AgentFaultError
from environment.journal.entries import Journal
from environment.journal.tables import write_grades
from environment.records import Budget, People, RunConfig, RunResult, RunStatus, StepGrade
from environment.store import Store
from evaluation.grading import GradingError
from flows.errors import UsageError
from flows.settings import Settings
from flows.sweep.budget_share import BudgetShare, check_cap
from flows.sweep.cells import NOT_IDENTITY, TaskLock, cells_of, expand, run_id, slips
from flows.sweep.estimate import History
from flows.sweep.failures import Failure, FailureKind, failure_of, failure_of_state
from flows.sweep.outcome import CellState
from flows.sweep.running import Sweep, Watcher
from flows.sweep.spec import Retries, SweepSpec, read_sweep
from tasks_catalog.library.spec import Variant
from tests.environment.journal.test_runs import result
from tests.flows.command import SLOPE

STEPS = 2
LOCK = TaskLock(task_digest="t", data_digest="d", code_version="1")


def test_a_sweep_is_a_product_less_and_more() -> None:
    spec = SweepSpec.model_validate(
        {
            "name": "s",
            "tasks": ["a", "b"],
            "agents": ["nop", {"agent": "react", "models": ["p:m1", "p:m2"], "settings": [{}, {"t": 1}]}],
            "seeds": [1, 2],
            "exclude": [{"task": "b", "agent": ["nop", "x"]}, {"settings": {"t": 1}, "seed": 2}],
            "include": [{"task": "c", "agent": "tuner", "seed": 9, "budget": {"steps": 3}}],
            "budget": {"money": 1},
        }
    )
    found = [(c.task, c.agent, c.model, dict(c.settings), c.seed) for c in expand(spec)]
    react = [
        (task, "react", model, settings, seed)
        for task in ("a", "b")
        for model in ("p:m1", "p:m2")
        for settings, seed in (({}, 1), ({}, 2), ({"t": 1}, 1))
    ]
    assert sorted(map(str, found)) == sorted(
        map(str, [("a", "nop", None, {}, 1), ("a", "nop", None, {}, 2), *react, ("c", "tuner", None, {}, 9)])
    )
    assert expand(spec)[-1].budget == Budget(steps=3)
    assert expand(spec)[0].budget == Budget(money=1)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("tasks: [a]", "has no runs"),
        ("tasks: [a\n", "is not YAML"),
        ("- a", "must be a mapping"),
        ("tasks: [a]\nagents: [nop]\nseed: 3", r"seed: is not known here\. Did you mean seeds\? Known: name, tasks,"),
        ("task: [a]\nagents: [nop]", r":\ntask: is not known here\. Did you mean tasks\?"),
        (
            "tasks: [a]\nagents: [nop]\nbudget: {stepz: 3}",
            r"budget.stepz: .* Did you mean steps\? Known: steps, seconds,",
        ),
        ("tasks: [a]\ninclude: [{task: a, agnt: nop}]", r"agnt: is not known here\. Did you mean agent\?"),
        ("tasks: [a]\nagents: [nop]\nexclude: [{tsk: a}]", "must name some of"),
        ("tasks: [a]\nagents: [{agent: nop, settings: 3}]", r":\nagents.0.settings: should be a list$"),
        (
            "tasks: [a]\nagents: [{agnt: nop}]",
            r":\nagents.0.agent: is missing\nagents.0.agnt: is not known here\. Did you mean agent\? Known: agent, ",
        ),
        ("tasks: [a]\nagents: [nop]\nseeds: -1", r":\nseeds: should be how many seeds, from 1 on, or a list"),
        ("tasks: [a]\nagents: [nop]\nseeds: [x]", r":\nseeds: should be how many seeds, from 1 on, or a list"),
        ("tasks: [a]\nagents: [nop]\ninclude: [{agent: nop}]", "task: is missing"),
    ],
)
def test_mistakes_in_a_file_are_explained(tmp_path: Path, content: str, message: str) -> None:
    file = tmp_path / "wrong.yaml"
    file.write_text(content)
    with pytest.raises(UsageError, match=message):
        expand(read_sweep(file))


def test_an_exclusion_that_matches_no_run_is_found() -> None:
    patterns = [{"agent": "noop"}, {"agent": ["nop", "noop"]}, {"task": "b", "agent": "nop"}]
    spec = SweepSpec.model_validate({"name": "s", "tasks": "a", "agents": ["nop", "tuner"], "exclude": patterns})
    assert [json.loads(slip[len("exclude: ") : slip.index(" matches no run")]) for slip in slips(spec)] == [
        patterns[0],
        patterns[2],
    ]


def test_every_field_is_in_or_out_of_the_identity() -> None:
    """A new field of the config belongs to the identity, unless somebody says that results don't depend on it."""
    base = RunConfig(task="t", agent="a")
    changed: dict[str, object] = {
        "agent": "b",
        "variant": Variant.FULL,
        "model": "p:m",
        "fast_model": "p:f",
        "edit_model": "p:e",
        "seed": 1,
        "settings": {"x": 1},
        "budget": Budget(steps=1),
        "sandbox": "none",
        "profile": "paper",
        "recording": "run",
        "literature": True,
        "guard": True,
        "guard_model": "p:m",
        "submit": "best-validated",
        "gateway": True,
        "memory": "houses",
        "memory_of_same_data": True,
        "scripts_at_once": 2,
        "interrupted_scripts": "rerun",
        "best_of": ("a", "b"),
        "people": People(help=True),
        "gpus": "none",
    }
    assert RunConfig.model_fields.keys() == {"task", *changed, *NOT_IDENTITY}
    for name, value in changed.items():
        assert run_id(base.model_copy(update={name: value}), LOCK) != run_id(base, LOCK), name
    assert run_id(base.model_copy(update={"tags": ("x",), "run_id": "y"}), LOCK) == run_id(base, LOCK)
    for part in TaskLock.model_fields:
        assert run_id(base, LOCK.model_copy(update={part: "other"})) != run_id(base, LOCK), part


def test_the_same_task_in_another_folder_is_the_same_run() -> None:
    here, there = RunConfig(task="/here/slope"), RunConfig(task="/there/slope")
    assert run_id(here, LOCK) == run_id(there, LOCK)


def test_failures_are_sorted_by_who_must_act() -> None:
    from environment.errors import RunInterrupted, SandboxUnavailableError, StoreError

    interrupted = RunInterrupted("stopped")
    interrupted.__cause__ = KeyError("x")
    assert failure_of(interrupted).kind is FailureKind.AGENT
    interrupted.__cause__ = ConnectionResetError("x")
    assert failure_of(interrupted).kind is FailureKind.INFRASTRUCTURE
    interrupted.__cause__ = KeyboardInterrupt()
    assert failure_of(interrupted).kind is FailureKind.INFRASTRUCTURE
    assert failure_of(RunInterrupted("signal")).kind is FailureKind.INFRASTRUCTURE
    assert failure_of(StoreError("full")).kind is FailureKind.INFRASTRUCTURE
    assert (
        failure_of(OSError(errno.ENOSPC, "full", "/disk")).message == "no space left on /disk. Free some space there."
    )
    assert failure_of(GradingError("grader")).kind is FailureKind.INFRASTRUCTURE
    assert failure_of(SandboxUnavailableError("none")).kind is FailureKind.SETUP
    assert failure_of(UsageError("typo")).kind is FailureKind.SETUP
    interrupted.__cause__ = AgentFaultError("it wanted to end the process")
    assert failure_of(interrupted).kind is FailureKind.AGENT

    said = "Flow run encountered an exception: "
    assert failure_of_state("Failed", said + "StoreError: full").kind is FailureKind.INFRASTRUCTURE
    assert failure_of_state("Failed", said + "ConnectionError: away").kind is FailureKind.INFRASTRUCTURE
    assert failure_of_state("Failed", said + "ReadTimeout: away").kind is FailureKind.INFRASTRUCTURE  # of httpx
    assert failure_of_state("Failed", said + "KeyError: 'x'").kind is FailureKind.AGENT
    assert failure_of_state("Failed", said + "AgentFaultError: no JSON").kind is FailureKind.AGENT
    assert failure_of_state("Failed", said + "UsageError: typo").kind is FailureKind.SETUP
    assert failure_of_state("Crashed", "exit code -9").kind is FailureKind.INFRASTRUCTURE
    assert failure_of_state("Cancelled", "by somebody").kind is FailureKind.SETUP


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


def test_the_sweep_in_the_docs_is_one(tmp_path: Path) -> None:
    text = (Path(__file__).parents[3] / "docs" / "sweeps.md").read_text()
    file = tmp_path / "sweep.yaml"
    file.write_text(text.split("```yaml\n")[1].split("```")[0])
    spec = read_sweep(file)
    configs = expand(spec)
    # nop once and tuner 8 times on each task, react with 2 models and 2 settings, the oracle once
    assert len(configs) == 2 * (1 + 8 + 8 * 2 * 2) + 1
    check_cap(configs, spec.money)
