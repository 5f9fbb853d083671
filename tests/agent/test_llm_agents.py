"""Every agent with a model, against a real server: whole runs, resumes, bad answers and misbehaving servers."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from agent.errors import AgentSettingsError, GaveUpError
from agent.models.errors import ServerError
from agent.protocol import AgentContext
from agent.registry import make_agent
from tests.agent.bench import Bench
from tests.agent.conftest import Recorder, Serve, context
from tests.agent.llm_server import Reply
from tests.agent.scripted_answers import LLM_AGENTS, Scripted, is_decision, says

AGENTS = pytest.mark.parametrize("agent", LLM_AGENTS)
PROVIDERS = pytest.mark.parametrize("provider", ["openai", "anthropic"])
BETTER = "print('validation mae: 1.5')\n"
PLAN = (
    ("Execute Script", {"script_name": "train.py"}),
    ("Write File", {"file_name": "train.py", "content": BETTER}),
    ("Execute Script", {"script_name": "train.py"}),
    ("Reflection", {"things_to_reflect_on": "Is it better?"}),
    ("Final Answer", {"final_answer": "The validation mae is 1.5."}),
)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    root = tmp_path / "workspace"
    root.mkdir()
    (root / "train.py").write_text("print('validation mae: 3.5')\n")
    return Bench(root)


@AGENTS
@PROVIDERS
def test_a_whole_run_resumed_at_every_step(
    serve: Serve, bench: Bench, recorder: Recorder, agent: str, provider: str
) -> None:
    server = serve(Scripted([says(agent, *step) for step in PLAN]))
    steps = bench.run(lambda: make_agent(agent, context(server, recorder, provider)), fresh_each_step=True)
    assert [(s.decision.action.name, s.decision.action.args) for s in steps] == list(PLAN)
    assert (bench.root / "train.py").read_text() == BETTER
    assert steps[3].effect.observation.text == "noted"
    assert steps[-1].effect.final
    assert all(s.decision.calls for s in steps)
    assert sum(len(s.decision.calls) for s in steps) == len(server.requests)
    decisions = [r for r in server.requests if is_decision(r.body)]
    assert "validation mae: 3.5" in decisions[1].prompt
    assert "validation mae: 1.5" in decisions[3].prompt


@AGENTS
def test_a_decision_made_again_is_not_paid_again(serve: Serve, bench: Bench, recorder: Recorder, agent: str) -> None:
    server = serve(Scripted([says(agent, *step) for step in PLAN]))
    first = make_agent(agent, context(server, recorder))
    bench.step(first)
    state = json.loads(json.dumps(first.state()))
    one = first.decide(bench.view())
    paid = len(server.requests)
    again = make_agent(agent, context(server, recorder))
    again.restore(state)
    assert again.decide(bench.view()) == one
    assert again.state() == first.state()
    assert len(server.requests) == paid


BAD = {
    "research": ["Let me think.", 'Thought: x\nAction: Run\nAction Input: {"a": 1}'],
    "react": ["Thought: I run it.", "Action: Execute Script\nAction Input: train.py"],
    "act": ["", 'Action: Execute Script\nAction Input: {"name": "train.py"}'],
    "autogpt": ["I run it.", '{"thoughts": {}, "command": "Execute Script"}'],
}


def bad_replies(agent: str) -> list[Reply]:
    if agent == "tools":
        return [
            Reply("I would run it."),
            Reply(tools=[("run", {"x": 1})]),
            Reply(tools=[("execute_script", {"file": "train.py"})]),
            Reply(tools=[("execute_script", '{"script_name": ')]),
        ]
    return [Reply(text) for text in BAD[agent]]


@AGENTS
def test_a_bad_answer_is_repaired_with_the_reason(serve: Serve, bench: Bench, agent: str) -> None:
    bad = bad_replies(agent)
    server = serve(Scripted([*bad, says(agent, *PLAN[0]), says(agent, *PLAN[-1])]))
    made = make_agent(agent, context(server))
    step = bench.step(made)
    assert step.decision.action.name == "Execute Script"
    assert len(step.decision.calls) == len(bad) + 1
    why = server.requests[len(bad)].prompt
    assert ("could not be used" in why) or ("Nothing was done" in why)
    assert bench.step(made).effect.final


CUT = {"openai": "length", "anthropic": "max_tokens"}


@AGENTS
@PROVIDERS
def test_an_answer_cut_off_at_its_limit_is_not_used_and_named(
    serve: Serve, bench: Bench, agent: str, provider: str
) -> None:
    whole = says(agent, "Write File", {"file_name": "train.py", "content": "print('half"})
    server = serve(Scripted([replace(whole, finish=CUT[provider]), says(agent, *PLAN[0])]))
    step = bench.step(make_agent(agent, context(server, provider=provider)))
    assert step.decision.action.name == "Execute Script"
    assert "validation mae: 3.5" in step.effect.observation.text
    decisions = [request for request in server.requests if is_decision(request.body)]
    assert "cut off at the longest answer allowed, 4,096 tokens (model.max_tokens)" in decisions[1].prompt

    endless = serve(Scripted([replace(whole, finish=CUT[provider])] * 6))
    with pytest.raises(GaveUpError, match=r"4,096 tokens \(model\.max_tokens\).*--set model\.max_tokens="):
        make_agent(agent, context(endless, provider=provider)).decide(bench.view())


@AGENTS
def test_it_gives_up_after_five_repairs_and_keeps_what_was_paid(serve: Serve, bench: Bench, agent: str) -> None:
    server = serve(Scripted([Reply("I cannot decide.")] * 6))
    with pytest.raises(GaveUpError) as caught:
        make_agent(agent, context(server)).decide(bench.view())
    assert len(server.requests) == 6
    decision = caught.value.decision()
    assert len(decision.calls) == 6
    assert decision.prose == {"unread": "I cannot decide."}


@AGENTS
@PROVIDERS
def test_a_prompt_too_long_for_the_model_ends_the_run(serve: Serve, bench: Bench, agent: str, provider: str) -> None:
    bench.instruction = "word " * 20_000
    with pytest.raises(GaveUpError, match="too long"):
        make_agent(agent, context(serve([], context=10_000), None, provider)).decide(bench.view())


@AGENTS
def test_a_refusal_ends_the_run(serve: Serve, bench: Bench, agent: str) -> None:
    server = serve([Reply("I will not.", finish="content_filter")])
    with pytest.raises(GaveUpError, match="declined"):
        make_agent(agent, context(server)).decide(bench.view())


@AGENTS
def test_a_broken_server_fails_the_run_for_a_later_resume(serve: Serve, bench: Bench, agent: str) -> None:
    server = serve([Reply(status=500)] * 2)
    with pytest.raises(ServerError):
        make_agent(agent, context(server, None, settings={"model.attempts": 2})).decide(bench.view())


@AGENTS
def test_streamed_answers_do_the_same(serve: Serve, bench: Bench, agent: str) -> None:
    server = serve(Scripted([says(agent, *PLAN[0])]))
    step = bench.step(make_agent(agent, context(server, None, settings={"model.streaming": True})))
    assert step.decision.action.args == PLAN[0][1]


@AGENTS
def test_without_a_model_it_says_what_to_give(agent: str) -> None:
    with pytest.raises(AgentSettingsError, match="needs a model"):
        make_agent(agent, AgentContext())


@AGENTS
def test_skills_can_be_switched_off(serve: Serve, bench: Bench, agent: str) -> None:
    server = serve(Scripted([says(agent, *PLAN[0])]))
    bench.step(make_agent(agent, context(server, None, settings={f"{agent}.skills": "off"})))
    assert "Understand File" not in json.dumps(server.requests[0].body)
    assert "understand_file" not in json.dumps(server.requests[0].body)


@pytest.mark.parametrize("agent", ["research", "react", "act", "autogpt"])
def test_a_prompt_too_long_with_history_is_shortened(serve: Serve, bench: Bench, agent: str) -> None:
    long = ("Write File", {"file_name": "x.txt", "content": "word " * 3_000})
    server = serve(Scripted([says(agent, *long)] * 4 + [says(agent, *PLAN[-1])]), context=9_000)
    made = make_agent(agent, context(server, None, settings={f"{agent}.history": 4}))
    for _ in range(4):
        bench.step(made)
    assert bench.step(made).effect.final


def test_the_agents_word_on_unused_arguments_reaches_the_model(serve: Serve, bench: Bench) -> None:
    for agent in LLM_AGENTS:
        with_extra = ("Execute Script", {"script_name": "train.py", "gpu": "0"})
        server = serve(Scripted([says(agent, *with_extra), says(agent, *PLAN[-1])]))
        made = make_agent(agent, context(server))
        bench.steps.clear()
        assert bench.step(made).decision.action.args == {"script_name": "train.py"}
        bench.step(made)
        assert "no argument 'gpu'" in [r for r in server.requests if is_decision(r.body)][-1].prompt
