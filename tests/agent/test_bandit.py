"""Successive halving: short runs first, longer ones of what does well."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.protocol import AgentContext
from agent.tuner.bandit import BanditAgent
from agent.tuner.halving import Halving, levels, resource_of
from agent.tuner.search import TriedSettings
from agent.tuner.space import find_knobs
from agent.tuner.watching import curve, falls_behind
from environment.metrics.outputs import read_metrics
from environment.records import Action, Budget, Effect, KilledBy, Observation, Outcome, Step, TrainingRun
from tasks_catalog.library.spec import Direction
from tests.agent.bench import ACTIONS, Bench, spec

SCRIPT = """EPOCHS = 9  # 1..27
RATE = 0.5  # 0.01..1.0
N_ESTIMATORS = 10  # 5..50

for epoch in range(EPOCHS):
    print(f"validation mae: {abs(RATE - 0.2) + 1 / (1 + epoch) + 0.001 * N_ESTIMATORS:.6f}")
"""


def test_epochs_go_before_estimators_and_without_either_there_is_no_resource() -> None:
    resource = resource_of(find_knobs(SCRIPT))
    assert resource is not None
    assert resource.name == "EPOCHS"
    trees = resource_of(find_knobs("N_ESTIMATORS = 10  # 5..50\nDEPTH = 3  # 1..9\n"))
    assert trees is not None
    assert trees.name == "N_ESTIMATORS"
    assert resource_of(find_knobs("DEPTH = 3  # 1..9\nWARMUP_RATIO = 0.1  # 0..1\n")) is None


def test_lengths_are_powers_of_eta_below_the_longest_run() -> None:
    resource = resource_of(find_knobs(SCRIPT))
    assert resource is not None
    assert levels(resource, 3, 3) == [3, 9, 27]
    assert levels(resource, 3, 9) == [1, 3, 9, 27]


def halving() -> Halving:
    knobs = find_knobs(SCRIPT)
    resource = resource_of(knobs)
    assert resource is not None
    return Halving(knobs, resource, Direction.MINIMIZE, seed=0, startup=3, eta=3, rungs=3)


def test_who_does_well_goes_on_and_who_does_not_makes_room() -> None:
    starter = TriedSettings(values={"EPOCHS": 9, "RATE": 0.5, "N_ESTIMATORS": 10}, metric=0.4)
    trials = [starter]
    first = halving().propose(trials)
    assert first is not None
    assert first["EPOCHS"] == 3
    trials.append(TriedSettings(values=first, metric=1.0))
    assert halving().propose(trials) == {**first, "EPOCHS": 9}
    trials.append(TriedSettings(values={**first, "EPOCHS": 9}, metric=0.8))
    trials.append(TriedSettings(values={**first, "EPOCHS": 27}, metric=0.7))
    second = halving().propose(trials)
    assert second is not None
    assert (second["EPOCHS"], second["RATE"] != first["RATE"]) == (3, True)
    trials.append(TriedSettings(values=second, metric=1.5))
    third = halving().propose(trials)
    assert third is not None
    assert third["RATE"] not in (first["RATE"], second["RATE"])
    assert third == halving().propose(tuple(trials))


def test_a_failed_run_is_not_made_longer() -> None:
    trials = [TriedSettings(values={"EPOCHS": 9, "RATE": 0.5, "N_ESTIMATORS": 10}, metric=0.4)]
    first = halving().propose(trials)
    assert first is not None
    following = halving().propose([*trials, TriedSettings(values=first, metric=None)])
    assert following is not None
    assert following["EPOCHS"] == 3


def bench(tmp_path: Path, script: str = SCRIPT) -> Bench:
    tmp_path.mkdir(exist_ok=True)
    (tmp_path / "train.py").write_text(script)
    return Bench(tmp_path, budget=Budget(steps=60))


def values(steps: list[Step]) -> list[float]:
    return [s.effect.training_run.metrics[-1].value for s in steps if s.effect.training_run]


def make(**settings: int) -> BanditAgent:
    return BanditAgent(AgentContext(seed=0, settings=dict(settings)))


def test_it_beats_the_starter_and_submits_the_best(tmp_path: Path) -> None:
    steps = bench(tmp_path).run(lambda: make(trials=20))
    found = values(steps)
    assert steps[-1].effect.final
    assert found[-1] == min(found) < found[0]
    lengths = [len(s.effect.training_run.metrics) for s in steps if s.effect.training_run]
    assert lengths.count(3) > lengths.count(27) > 0


def test_a_resumed_search_is_the_same_search(tmp_path: Path) -> None:
    undisturbed, resumed = bench(tmp_path / "a"), bench(tmp_path / "b")
    undisturbed.run(lambda: make(trials=8))
    resumed.run(lambda: make(trials=8), fresh_each_step=True)
    assert [s.decision for s in undisturbed.steps] == [s.decision for s in resumed.steps]


@pytest.mark.parametrize("script", ["A = 1  # 1..5\nprint(f'validation mae: {A}')\n", "EPOCHS = 2  # 1..4\nprint(1)\n"])
def test_without_a_resource_or_a_value_it_ends_like_the_tuner(tmp_path: Path, script: str) -> None:
    steps = bench(tmp_path, script).run(lambda: make(trials=3))
    assert steps[-1].effect.final


class WatchedBench(Bench):
    """Scripts in the background: the first look shows their first epochs, the second one their end."""

    def act(self, action: Action) -> Effect:
        if action.name == "Execute Script" and action.args.get("wait") is False:
            self.whole = super().act(Action(name="Execute Script", args={"script_name": "train.py"}))
            return Effect(observation=Observation(text="train.py runs in the background."))
        if action.name in ("Check Script", "Stop Script"):
            run = self.whole.training_run
            assert run is not None
            if action.name == "Stop Script":
                return Effect(
                    observation=Observation(text="stopped", outcome=Outcome.KILLED),
                    training_run=run.model_copy(update={"exit_code": None, "killed_by": KilledBy.CANCELLED}),
                )
            if self.steps[-1].decision.action.name == "Execute Script":
                lines = self.whole.observation.text.splitlines()[:2]
                head = "\n".join(f"epoch {n} {line}" for n, line in enumerate(lines))
                return Effect(observation=Observation(text=f"train.py is still running. Output so far:\n{head}"))
            return self.whole
        effect = super().act(action)
        return effect.model_copy(update={"training_run": with_epochs(effect.training_run)})


def with_epochs(run: TrainingRun | None) -> TrainingRun | None:
    if run is None:
        return None
    points = [point.model_copy(update={"epoch": float(n)}) for n, point in enumerate(run.metrics)]
    return run.model_copy(update={"metrics": tuple(points)})


def test_a_long_run_that_lags_behind_is_ended(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(SCRIPT)
    actions = (*ACTIONS, spec("Check Script"), spec("Stop Script"))
    bench = WatchedBench(tmp_path, budget=Budget(steps=150), actions=actions)
    bench.run(lambda: make(trials=20, startup=1, watch=0), fresh_each_step=True)
    names = [step.decision.action.name for step in bench.steps]
    assert bench.steps[-1].effect.final
    assert names.count("Check Script") > names.count("Stop Script") > 0
    started = [step for step in bench.steps if step.decision.action.args.get("wait") is False]
    assert len(started) >= 19
    assert all(step.effect.training_run is None for step in started)


def test_a_curve_is_held_against_the_median_at_the_same_epoch() -> None:
    earlier = [{0: 1.0, 1: 0.5}, {0: 2.0, 1: 1.0}, {0: 3.0, 1: 1.5}]
    assert falls_behind({0: 2.5}, earlier, Direction.MINIMIZE, least=3)
    assert not falls_behind({0: 1.5}, earlier, Direction.MINIMIZE, least=3)
    assert falls_behind({0: 1.5}, earlier, Direction.MAXIMIZE, least=3)
    assert not falls_behind({0: 2.5}, earlier, Direction.MINIMIZE, least=4)
    assert not falls_behind({}, earlier, Direction.MINIMIZE, least=1)
    assert not falls_behind({5: 9.0}, earlier, Direction.MINIMIZE, least=1)


def test_a_curve_is_read_by_epoch_on_the_split_to_tune_by() -> None:
    points = read_metrics("epoch 0 train mae: 1\nepoch 0 validation mae: 3\nepoch 1 validation mae: 2\n", 10).points
    assert curve(points, "mae") == {0: 3.0, 1: 2.0}
    assert curve(points, "accuracy") == {}
