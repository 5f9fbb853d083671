"""nop, oracle and replay, and how agents are found by name."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TypedDict

import pytest

from agent.adapters import FunctionAgent, GraphAgent, decision_of
from agent.errors import AgentError, AgentNotFoundError, AgentSettingsError, RecordingEndedError
from agent.protocol import AgentContext, View
from agent.registry import AGENTS, make_agent
from environment.records import Action, Decision, ModelCall, Observation
from tests.agent.bench import Bench


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    root = tmp_path / "workspace"
    root.mkdir()
    (root / "train.py").write_text("print('validation mae: 3.5')\n")
    return Bench(root)


def names(bench: Bench) -> list[str]:
    return [step.decision.action.name for step in bench.steps]


def test_nop_runs_the_starter_once_and_submits(bench: Bench) -> None:
    bench.run(lambda: make_agent("nop", AgentContext()))
    assert names(bench) == ["Execute Script", "Final Answer"]


def test_oracle_lays_the_solution_over_the_starter(bench: Bench, tmp_path: Path) -> None:
    solution = tmp_path / "solution"
    (solution / "lib").mkdir(parents=True)
    (solution / "train.py").write_text("print('validation mae: 1.0')\n")
    (solution / "lib" / "help.py").write_text("X = 1\n")
    bench.run(lambda: make_agent("oracle", AgentContext(solution=solution)), fresh_each_step=True)
    assert names(bench) == ["Write File", "Write File", "Execute Script", "Final Answer"]
    assert (bench.root / "lib" / "help.py").read_text() == "X = 1\n"
    assert "mae: 1.0" in bench.steps[2].effect.observation.text


def test_oracle_without_a_solution_says_so() -> None:
    with pytest.raises(AgentError, match="reference solution"):
        make_agent("oracle", AgentContext())


def test_replay_repeats_without_paying_again(bench: Bench) -> None:
    call = ModelCall(model="m", prompt_tokens=5)
    recording = (
        Decision(action=Action(name="Understand File"), answer=Observation(text="It prints."), calls=(call,)),
        Decision(action=Action(name="Final Answer", args={"final_answer": "done"})),
    )
    bench.run(lambda: make_agent("replay", AgentContext(recording=recording)))
    assert [step.decision.action for step in bench.steps] == [d.action for d in recording]
    assert bench.steps[0].effect.observation.text == "It prints."
    assert bench.steps[0].decision.calls == ()


def test_replay_past_the_end_is_an_error(bench: Bench) -> None:
    with pytest.raises(RecordingEndedError, match="after 0 steps"):
        make_agent("replay", AgentContext()).decide(bench.view())


def test_every_built_in_agent_has_a_line() -> None:
    assert set(AGENTS.built_in) <= set(AGENTS.names())
    assert all(line.help for line in AGENTS.listing())


@pytest.mark.parametrize("name", ["unknown", "no_such_module:Agent", "no_such_file.py:Agent", "json:NoSuchName"])
def test_an_unknown_name_is_told_apart(name: str) -> None:
    with pytest.raises(AgentNotFoundError):
        make_agent(name, AgentContext())


def test_what_is_no_agent_says_what_it_lacks() -> None:
    with pytest.raises(AgentError, match="lacks decide"):
        make_agent("pathlib:Path", AgentContext())


OUTSIDE = """
from environment.records.run import Action, Decision

class Mine:
    def decide(self, view):
        return Decision(action=Action(name="Final Answer", args={"final_answer": "mine"}))
    def state(self):
        return None
    def restore(self, state):
        pass

def just_a_function(view):
    return Action(name="Final Answer", args={"final_answer": view.script})
"""


@pytest.mark.parametrize("path", ["outside_agent:Mine", "outside_agent.py:Mine", "outside_agent:just_a_function"])
def test_agents_from_outside(path: str, bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "outside_agent.py").write_text(OUTSIDE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "outside_agent", raising=False)
    bench.run(lambda: make_agent(path, AgentContext()))
    assert names(bench) == ["Final Answer"]
    monkeypatch.delitem(sys.modules, "outside_agent", raising=False)


def test_an_entry_point_is_an_agent(bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "plugged_agent.py").write_text(OUTSIDE)
    info = tmp_path / "plugged-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: plugged\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[mlab.agents]\nplugged = plugged_agent:Mine\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert "plugged" in AGENTS.names()
    bench.run(lambda: make_agent("plugged", AgentContext()))
    assert names(bench) == ["Final Answer"]


def test_a_function_that_returns_nonsense_is_an_error(bench: Bench) -> None:
    with pytest.raises(AgentError, match="returned int"):
        FunctionAgent(lambda view: 3).decide(bench.view())  # type: ignore[arg-type, return-value]


def test_any_agent_may_answer_with_an_action_alone() -> None:
    action = Action(name="List Files")
    assert decision_of(action) == Decision(action=action)
    with pytest.raises(AgentError, match="returned dict and no decision"):
        decision_of({"action": action})


class GraphState(TypedDict, total=False):
    view: View
    memory: int | None
    action: dict[str, object]


def test_a_langgraph_graph_is_an_agent_with_memory(bench: Bench) -> None:
    from langgraph.graph import END, START, StateGraph

    def choose(state: GraphState) -> GraphState:
        seen = state.get("memory") or 0
        action: dict[str, object] = {"name": "List Files", "args": {"dir_path": "."}}
        if seen == 2:
            action = {"name": "Final Answer", "args": {"final_answer": "seen enough"}}
        return {"memory": seen + 1, "action": action}

    graph = StateGraph(GraphState)
    graph.add_node("choose", choose)
    graph.add_edge(START, "choose")
    graph.add_edge("choose", END)
    compiled = graph.compile()
    bench.run(lambda: GraphAgent(compiled), fresh_each_step=True)
    assert names(bench) == ["List Files", "List Files", "Final Answer"]


@pytest.mark.parametrize("settings", [{"trails": 3}, {"tuner.trials": "many"}, {"tuner": {"trials": -1}}])
def test_wrong_settings_name_the_setting(settings: dict[str, object]) -> None:
    with pytest.raises(AgentSettingsError, match=r"tuner\.tr"):
        make_agent("tuner", AgentContext(settings=settings))  # type: ignore[arg-type]
