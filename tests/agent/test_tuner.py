"""The tuner: what it finds in a script, what it proposes, and that a resumed search is the same search."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.protocol import AgentContext
from agent.tuner.agent import TunerAgent
from agent.tuner.search import TriedSettings, best, propose
from agent.tuner.space import Knob, find_knobs, with_values
from environment.records import Budget
from tasks_catalog.library.spec import Direction
from tests.agent.bench import Bench

STATED = '''"""Ridge, by hand."""
from typing import Literal

SEED = 7
MODEL = "plain"  # one of: plain, fancy
DEPTH = 3  # 1..15
ALPHA = 1.0  # strength, 0.001..100
Kernel = ("linear", "rbf")
KERNELS = ("linear", "rbf")
KERNEL = "linear"
LOSS: Literal["l1", "l2"] = "l1"
SHIFT = 0  # -5..5
UNRELATED = 12

error = {"plain": 9.0, "fancy": 4.0}[MODEL] + (DEPTH - 9) ** 2 / 10 + abs(ALPHA - 0.1)
error += (KERNEL == "linear") + (LOSS == "l1") + abs(SHIFT)
print(f"train mae: 0.001")
print(f"validation mae: {error}")
'''


def test_stated_ranges_win_over_guesses() -> None:
    knobs = {knob.name: knob for knob in find_knobs(STATED)}
    assert set(knobs) == {"MODEL", "DEPTH", "ALPHA", "KERNEL", "LOSS", "SHIFT"}
    assert knobs["MODEL"].choices == ("plain", "fancy")
    assert (knobs["DEPTH"].low, knobs["DEPTH"].high, knobs["DEPTH"].log) == (1, 15, False)
    assert knobs["ALPHA"].log
    assert (knobs["SHIFT"].low, knobs["SHIFT"].high) == (-5, 5)
    assert knobs["LOSS"].choices == ("l1", "l2")


def test_without_statements_numbers_and_switches_are_guessed_but_no_seed_or_split() -> None:
    script = "SEED = 1\nTEST_FRACTION = 0.2\nEPOCHS = 8\nRATE = 1e-3\nMOMENTUM = 0.5\nAUGMENT = False\nNAME = 'x'\n"
    knobs = {knob.name: knob for knob in find_knobs(script)}
    assert set(knobs) == {"EPOCHS", "RATE", "MOMENTUM", "AUGMENT"}
    assert (knobs["EPOCHS"].low, knobs["EPOCHS"].high) == (2, 32)
    assert knobs["RATE"].low == pytest.approx(1e-4)
    assert knobs["MOMENTUM"].high == 1.0
    assert knobs["AUGMENT"].choices == (False, True)


def test_what_is_no_python_has_nothing_to_tune() -> None:
    assert find_knobs("EPOCHS = 3  # 1..5\nprint 'old'\n") == []


def test_values_are_replaced_and_nothing_else() -> None:
    script = "é = 'ü'; A = 1  # 1..9 naïve\nB: float = -2.5  # -3..3\nprint(A, B)\n"
    knobs = find_knobs(script)
    changed = with_values(script, knobs, {"A": 4, "B": 0.25})
    assert changed == "é = 'ü'; A = 4  # 1..9 naïve\nB: float = 0.25  # -3..3\nprint(A, B)\n"


def test_a_proposal_follows_from_the_trials_alone() -> None:
    knobs = find_knobs(STATED)
    start = TriedSettings(values={knob.name: knob.value for knob in knobs}, metric=20.0)
    trials = [start]
    for i in range(8):
        values = propose(knobs, trials, Direction.MINIMIZE, 3, 4)
        assert values is not None
        assert values == propose(knobs, tuple(trials), Direction.MINIMIZE, 3, 4)
        trials.append(TriedSettings(values=values, metric=None if i == 2 else 10.0 - i))
    assert propose(knobs, trials, Direction.MINIMIZE, 4, 4) != propose(knobs, trials, Direction.MINIMIZE, 3, 4)


def test_listed_fractions_are_taken_as_they_are_and_a_start_outside_of_them_is_no_matter() -> None:
    knobs = find_knobs("RATE = 0.3  # one of: 0.1, 0.2\n")
    trials = [TriedSettings(values={"RATE": 0.3}, metric=1.0)]
    for _ in range(2):
        values = propose(knobs, trials, Direction.MINIMIZE, 0, 1)
        assert values is not None
        trials.append(TriedSettings(values=values, metric=2.0))
    assert {trial.values["RATE"] for trial in trials} == {0.1, 0.2, 0.3}
    assert propose(knobs, trials, Direction.MINIMIZE, 0, 1) is None


def test_a_used_up_space_ends_the_search() -> None:
    knob = Knob(name="A", value=True, line=1, start=0, end=1, choices=(True, False))
    tried = [TriedSettings(values={"A": True}, metric=1.0), TriedSettings(values={"A": False}, metric=2.0)]
    assert propose([knob], tried, Direction.MAXIMIZE, 0, 1) is None


@pytest.mark.parametrize("metric", [float("nan"), float("inf"), "NaN", "-Infinity"])
def test_what_is_no_finite_number_is_a_failed_trial_in_old_states_too(metric: object) -> None:
    trial = TriedSettings.model_validate({"values": {}, "metric": metric})
    assert (trial.metric, trial.diverged) == (None, True)
    assert TriedSettings.model_validate_json(trial.model_dump_json()) == trial
    assert best([trial, TriedSettings(values={}, metric=2.0)], Direction.MINIMIZE) == 1


def test_best_is_the_earliest_of_equals_and_ignores_failures() -> None:
    trials = [TriedSettings(values={}, metric=m) for m in (None, 2.0, 3.0, 3.0)]
    assert best(trials, Direction.MAXIMIZE) == 2
    assert best(trials, Direction.MINIMIZE) == 1
    assert best(trials[:1], Direction.MINIMIZE) is None


def bench(tmp_path: Path, script: str = STATED, **budget: int) -> Bench:
    tmp_path.mkdir(exist_ok=True)
    (tmp_path / "train.py").write_text(script)
    return Bench(tmp_path, budget=Budget.model_validate({"steps": 60, **budget}))


def make(**settings: int) -> TunerAgent:
    return TunerAgent(AgentContext(seed=0, settings=dict(settings)))


def test_it_beats_the_starter_and_submits_the_best(tmp_path: Path) -> None:
    run = bench(tmp_path)
    steps = run.run(lambda: make(trials=14))
    values = [s.effect.training_run.metrics[-1].value for s in steps if s.effect.training_run]
    assert steps[-1].effect.final
    assert values[-1] == min(values) < 0.7 * values[0]
    final = str(steps[-1].decision.action.args["final_answer"])
    assert f"{values[-1]:.6g}" in final
    assert f"{values[0]:.6g}" in final
    assert f"{(values[0] - values[-1]) / values[0]:.1%} better" in final


def test_a_resumed_search_is_the_same_search(tmp_path: Path) -> None:
    undisturbed, resumed = bench(tmp_path / "a"), bench(tmp_path / "b")
    undisturbed.run(lambda: make(trials=6))
    resumed.run(lambda: make(trials=6), fresh_each_step=True)
    assert [s.decision for s in undisturbed.steps] == [s.decision for s in resumed.steps]


@pytest.mark.parametrize("steps", [2, 5, 8, 11])
def test_it_submits_within_the_steps(tmp_path: Path, steps: int) -> None:
    assert bench(tmp_path, steps=steps).run(make)[-1].effect.final


def test_training_runs_are_kept_within_their_budget(tmp_path: Path) -> None:
    steps = bench(tmp_path, training_runs=3).run(make)
    assert steps[-1].effect.final
    assert sum(s.effect.training_run is not None for s in steps) <= 3


def test_a_script_that_fails_is_submitted_honestly(tmp_path: Path) -> None:
    steps = bench(tmp_path, "A = 1  # 1..5\nraise SystemExit(3)\n").run(make)
    assert [s.decision.action.name for s in steps] == ["Execute Script", "Final Answer"]
    assert "no mae" in str(steps[-1].decision.action.args["final_answer"])


def test_a_failing_trial_is_not_the_best(tmp_path: Path) -> None:
    script = "A = 1  # one of: 1, 2, 3\nif A == 2: raise ValueError(A)\nprint(f'validation mae: {4 - A}')\n"
    steps = bench(tmp_path, script).run(make)
    assert "A = 3" in (tmp_path / "train.py").read_text()
    assert steps[-1].effect.final
