"""The research agent's parts: its switches, its log, its long observations."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agent.research.agent import ResearchAgent
from agent.research.prompt import system_sections
from agent.research.settings import ResearchSettings
from environment.records import Budget
from tests.agent.bench import ACTIONS, Bench
from tests.agent.conftest import Recorder, Serve, context
from tests.agent.llm_server import LlmServer, Reply, Request
from tests.agent.scripted_answers import Scripted, is_decision, says

RUN = ("Execute Script", {"script_name": "train.py"})
LAST_THREE = {"history": 3}
SWITCHES = {
    "reflection": "entry reflection",
    "plan": "entry plan",
    "fact_check": "entry fact_check",
    "thought": "entry thought",
}


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    (tmp_path / "train.py").write_text("print('validation mae: 3.5')\n")
    return Bench(tmp_path, budget=Budget(steps=20))


def main_prompts(server: LlmServer) -> list[Request]:
    return [request for request in server.requests if is_decision(request.body)]


@pytest.mark.parametrize("profile", ["today", "paper"])
@pytest.mark.parametrize("switch", SWITCHES)
def test_a_switch_takes_away_its_section_and_nothing_else(bench: Bench, switch: str, profile: str) -> None:
    full = system_sections(bench.view(), ACTIONS, ResearchSettings.model_validate({"profile": profile}))
    less = system_sections(bench.view(), ACTIONS, ResearchSettings.model_validate({"profile": profile, switch: "off"}))
    assert {name: text for name, text in full.items() if name != SWITCHES[switch]} == less


@pytest.mark.parametrize("name", ["fact_check", "research.fact_check"])
def test_a_switch_reaches_the_model(serve: Serve, bench: Bench, name: str) -> None:
    server = serve(Scripted([says("research", *RUN)] * 2))
    bench.step(ResearchAgent(context(server)))
    bench.steps.clear()
    bench.step(ResearchAgent(context(server, settings={name: "off"})))
    whole, less = (request.prompt.splitlines() for request in main_prompts(server))
    assert [line for line in whole if line not in less] == [line for line in whole if line.startswith("Fact Check:")]
    assert set(less) <= set(whole)


def test_skills_change_the_list_of_actions_only(bench: Bench, serve: Serve) -> None:
    server = serve(Scripted([says("research", *RUN)] * 2))
    bench.step(ResearchAgent(context(server)))
    bench.steps.clear()
    bench.step(ResearchAgent(context(server, settings={"skills": "off"})))
    whole, less = (request.prompt for request in main_prompts(server))
    assert "- Edit Script (AI):" in whole
    before, after = whole[: whole.index("- Understand File")], whole[whole.index("- Final Answer") :]
    assert less == before + after


@pytest.mark.parametrize("history", [0, 1, 3])
def test_history_is_the_number_of_steps_shown(serve: Serve, bench: Bench, history: int) -> None:
    server = serve(Scripted([says("research", *RUN)] * 6))
    agent = ResearchAgent(context(server, settings={"history": history, "log": "off"}))
    for _ in range(6):
        bench.step(agent)
    last = main_prompts(server)[-1].prompt
    assert [n for n in range(5) if f"Step {n}:" in last] == list(range(5 - history, 5))


def test_the_log_takes_in_every_step_and_uses_none(serve: Serve, bench: Bench, recorder: Recorder) -> None:
    server = serve(Scripted([says("research", *RUN)] * 6, other="LOGGED"))
    steps = [
        bench.step(agent) for agent in [ResearchAgent(context(server, recorder, settings=LAST_THREE))] for _ in range(6)
    ]
    assert [step.decision.action.name for step in steps] == ["Execute Script"] * 6
    state = json.loads(bench.states[-1])
    assert state["log"] == [f"[Step {n}]\nLOGGED" for n in range(5)]
    prompts = [request.prompt for request in main_prompts(server)]
    assert ["From your research log" in prompt for prompt in prompts] == [False] * 4 + [True] * 2
    assert [len(step.decision.calls) for step in steps] == [1, 2, 2, 2, 3, 3]
    assert {call.role for call in steps[-1].decision.calls} == {"main", "fast"}


def test_without_the_log_there_is_one_call_a_step(serve: Serve, bench: Bench) -> None:
    server = serve(Scripted([says("research", *RUN)] * 6))
    agent = ResearchAgent(context(server, settings={"research": {"log": False}}))
    assert [len(bench.step(agent).decision.calls) for _ in range(6)] == [1] * 6
    assert "Research Log" not in server.requests[-1].prompt


def test_a_long_observation_is_summarised_in_blocks_up_to_the_cap(serve: Serve, bench: Bench) -> None:
    (bench.root / "train.py").write_text("for i in range(20_000): print(f'line {i}')\nprint('validation mae: 3.5')\n")
    server = serve(Scripted([says("research", *RUN)] * 2, other="SHORT"))
    agent = ResearchAgent(context(server, settings={"profile": "paper", "summary_blocks": 3, "log": "off"}))
    bench.step(agent)
    step = bench.step(agent)
    fast = [request.prompt for request in server.requests if not is_decision(request.body)]
    assert len(fast) == 4
    assert "part 1 of 3" in fast[0]
    assert "validation mae: 3.5" in fast[2]
    prompt = main_prompts(server)[-1].prompt
    assert "(summary of a long observation)\nSHORT" in prompt
    assert "blocks were not read" in prompt
    assert len(prompt) < 10_000
    assert "line 10000\n" in step.effect.observation.text


def test_the_log_skills_work_on_the_same_log(serve: Serve, bench: Bench) -> None:
    steps = [
        ("Append Summary to Research Log", {"content": "KEEP THIS"}),
        ("Retrieval from Research Log", {"current_plan": "to tune"}),
        ("Final Answer", {"final_answer": "done"}),
    ]
    server = serve(Scripted([says("research", *step) for step in steps], other="FOUND"))
    done = bench.run(lambda: ResearchAgent(context(server)), fresh_each_step=True)
    assert done[0].effect.observation.text == "The text was added to the research log."
    assert done[1].effect.observation.text == "FOUND"
    asked = [r.prompt for r in server.requests if "Summarise from the log" in r.prompt]
    assert "KEEP THIS" in asked[0]
    assert "to tune" in asked[0]


def test_roles_use_their_own_models(serve: Serve, bench: Bench) -> None:
    server = serve(Scripted([says("research", *RUN)] * 2 + [Reply("x")]))
    made = context(server)
    from dataclasses import replace

    agent = ResearchAgent(replace(made, fast_model="openai:small", edit_model="openai:editor"))
    bench.step(agent)
    bench.step(agent)
    assert [request.body["model"] for request in server.requests] == ["test-model", "small", "test-model"]
