"""What models are told: the task, what counts, the machine, what is left; and whose prompts they are."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from agent.protocol import View
from agent.registry import make_agent
from environment.records import Budget, Machine
from tests.agent.bench import ACTIONS, Bench, spec
from tests.agent.conftest import Serve, context
from tests.agent.scripted_answers import Scripted, is_decision, says

TODAYS = pytest.mark.parametrize("agent", ["research", "react", "act", "tools"])
PAPERS = pytest.mark.parametrize("agent", ["research", "react", "act"])
RUN = ("Execute Script", {"script_name": "train.py"})
MACHINE = Machine(cores=2, memory_mib=4096, disk_mib=2048, gpus=("H200",), python="3.11.7", packages=("numpy 2.4.6",))
CITING = spec("Final Answer", final_answer="what was done", claims="results")
HONESTY = "number that you have not seen"


class ToldBench(Bench):
    """Knows of the machine and of what is graded."""

    def view(self) -> View:
        return replace(super().view(), artifacts=("submission.csv",), machine=lambda: MACHINE)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    (tmp_path / "train.py").write_text("print('validation mae: 3.5')\n")
    budget = Budget(steps=20, seconds=18_000, money=3, script_seconds=600)
    return ToldBench(tmp_path, budget=budget, actions=(*ACTIONS[:-1], CITING))


@TODAYS
def test_a_model_is_told_what_it_needs_to_know(serve: Serve, bench: Bench, agent: str) -> None:
    server = serve(Scripted([says(agent, *RUN)] * 2))
    made = make_agent(agent, context(server))
    bench.step(made)
    bench.step(made)
    first, second = (request.prompt for request in server.requests if is_decision(request.body))
    for told in (
        bench.instruction,
        "The grade is mae on hidden data; lower is better.",
        "`submission.csv`",
        "2 cores, 4 GiB of memory, H200, and no network",
        "The workspace may hold 2 GiB.",
        "Python 3.11.7 with numpy 2.4.6; nothing can be installed.",
        "A script is stopped after 10 min.",
        "The whole run has 20 steps, 5 h, $3.00;",
        "in its `claims`",
        HONESTY,
    ):
        assert told in first
        assert told in second
    assert "Step 0; 20 steps, 5 h, $3.00 left." in first
    assert ("That was step 0; 19 steps, " if agent == "tools" else "That was step 0. Now step 1; 19 steps, ") in second


@TODAYS
def test_rules_on_honesty_are_a_setting(serve: Serve, bench: Bench, agent: str) -> None:
    server = serve(Scripted([says(agent, *RUN)]))
    bench.step(make_agent(agent, context(server, settings={"honesty_rules": "off"})))
    assert HONESTY not in server.requests[0].prompt
    assert "## Results" in server.requests[0].prompt


@PAPERS
def test_the_paper_s_prompts_are_a_profile(serve: Serve, bench: Bench, agent: str) -> None:
    server = serve(Scripted([says(agent, *RUN)] * 2))
    made = make_agent(
        agent,
        context(server, settings={"profile": "paper", "log": "off"} if agent == "research" else {"profile": "paper"}),
    )
    bench.step(made)
    bench.step(made)
    for request in server.requests:
        assert "## " not in request.prompt
        assert "GiB" not in request.prompt


@PAPERS
def test_code_needs_no_escapes(serve: Serve, bench: Bench, agent: str) -> None:
    code = 'print("a\\n")\n\nx = 1\n'
    written = f'Action: Write File\nAction Input: {{"file_name": "new.py"}}\ncontent:\n```python\n{code}```'
    server = serve(Scripted([replace(says(agent, *RUN), text=written), says(agent, *RUN)]))
    made = make_agent(agent, context(server, settings={"log": "off"} if agent == "research" else {}))
    bench.step(made)
    assert (bench.root / "new.py").read_text() == code
    bench.step(made)
    shown = server.requests[1].prompt
    assert f'{{"file_name": "new.py"}}\ncontent:\n```\n{code}```\nObservation:' in shown


def test_research_shows_as_many_steps_as_fit(serve: Serve, bench: Bench) -> None:
    server = serve(Scripted([says("research", *RUN)] * 12))
    made = make_agent("research", context(server, settings={"history_characters": 700, "log": "off"}))
    for _ in range(12):
        bench.step(made)
    last = server.requests[-1].prompt
    shown = [n for n in range(11) if f"Step {n}:" in last]
    assert 1 < len(shown) < 8
    assert shown[-1] == 10


def test_autogpt_is_told_its_budget(serve: Serve, bench: Bench) -> None:
    server = serve(Scripted([says("autogpt", *RUN)] * 2))
    made = make_agent("autogpt", context(server))
    bench.step(made)
    bench.step(made)
    told = [request.prompt for request in server.requests if is_decision(request.body)]
    assert all("The whole run has 20 steps, 5 h, $3.00;" in prompt for prompt in told)
    assert "Step 0; 20 steps, 5 h, $3.00 left. Which command" in told[0]
    assert "That was step 0. Now step 1; 19 steps, " in told[1]


@pytest.mark.parametrize("agent", ["react", "research"])
def test_anthropic_may_keep_all_of_a_prompt_but_what_is_new(serve: Serve, bench: Bench, agent: str) -> None:
    server = serve(Scripted([says(agent, *RUN)] * 4))
    settings = {"research.log": "off"} if agent == "research" else {}
    made = make_agent(agent, context(server, provider="anthropic", settings=settings))
    for _ in range(4):
        bench.step(made)
    bodies = [request.body for request in server.requests if is_decision(request.body)]
    kept = {"type": "ephemeral"}
    assert [body["system"][0]["cache_control"] for body in bodies] == [kept] * 4
    assert len({body["system"][0]["text"] for body in bodies}) == 1
    second, third, fourth = ([dict(block) for block in body["messages"][0]["content"]] for body in bodies[1:])
    for blocks in (second, third, fourth):
        assert [n for n, block in enumerate(blocks) if block.pop("cache_control", None)] == [len(blocks) - 2]
        assert blocks[-1]["text"].startswith("That was step ")
    assert third[: len(second) - 1] == second[:-1]
    assert fourth[: len(third) - 1] == third[:-1]
