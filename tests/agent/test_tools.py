"""Native tool calls: several in one answer, what providers may cache, long conversations made short."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from agent.errors import AgentSettingsError, GaveUpError
from agent.protocol import JSON, Agent
from agent.registry import make_agent
from environment.records import Budget
from tests.agent.bench import Bench
from tests.agent.conftest import Recorder, Serve, context
from tests.agent.llm_server import LlmServer, Reply
from tests.agent.scripted_answers import Scripted, says

PROVIDERS = pytest.mark.parametrize("provider", ["openai", "anthropic"])
RUN = ("execute_script", {"script_name": "train.py"})
LIST = ("list_files", {"dir_path": "."})
END = says("tools", "Final Answer", {"final_answer": "The validation mae is 3.5."})


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    root = tmp_path / "workspace"
    root.mkdir()
    (root / "train.py").write_text("print('validation mae: 3.5')\n")
    return Bench(root, budget=Budget(steps=60))


def tools(
    server: LlmServer,
    recorder: Recorder | None = None,
    provider: str = "openai",
    settings: Mapping[str, JSON] | None = None,
) -> Agent:
    return make_agent("tools", context(server, recorder, provider, settings=settings))


def results(body: dict[str, Any]) -> list[str]:
    """What the calls of a request's conversation have returned."""
    found = [m["content"] for m in body["messages"] if m["role"] == "tool"]
    blocks = [
        b for m in body["messages"] if m["role"] == "user" and isinstance(m["content"], list) for b in m["content"]
    ]
    return [*found, *(b["content"] for b in blocks if b["type"] == "tool_result")]


@PROVIDERS
def test_all_calls_of_an_answer_are_steps_in_its_order(
    serve: Serve, bench: Bench, recorder: Recorder, provider: str
) -> None:
    several = Reply("Both.", tools=[LIST, ("nothing", {}), RUN, ("read_file", {"file": "x"})])
    server = serve([several, END])
    steps = bench.run(lambda: tools(server, recorder, provider), fresh_each_step=True)
    assert [step.decision.action.name for step in steps] == ["List Files", "Execute Script", "Final Answer"]
    assert [len(step.decision.calls) for step in steps] == [1, 0, 1]
    assert [step.decision.prose for step in steps] == [{"thought": "Both."}, {}, {"thought": "I call it."}]
    first, second, third, fourth = results(server.requests[1].body)
    assert first == "train.py\n[That was step 0; 59 steps left.]"
    assert second.startswith("Nothing was done: there is no tool 'nothing'")
    assert third == "validation mae: 3.5\n\n[That was step 1; 58 steps left.]"
    assert fourth.startswith("Nothing was done: the input of Read File lacks 'file_name'")


def test_a_call_that_is_no_json_leaves_the_others(serve: Serve, bench: Bench) -> None:
    server = serve([Reply(tools=[RUN, ("read_file", '{"file_name": ')]), END])
    made = tools(server)
    bench.step(made)
    assert bench.step(made).effect.final
    assert "are no JSON object" in results(server.requests[1].body)[1]


@PROVIDERS
def test_where_one_call_is_wanted_the_provider_is_told(serve: Serve, bench: Bench, provider: str) -> None:
    server = serve([Reply(tools=[RUN, LIST]), END])
    made = tools(server, None, provider, {"parallel_tool_calls": "off"})
    bench.step(made)
    assert bench.step(made).effect.final
    told = server.requests[0].body
    one = (
        told["parallel_tool_calls"] is False
        if provider == "openai"
        else told["tool_choice"]["disable_parallel_tool_use"]
    )
    assert one
    assert results(server.requests[1].body)[1] == "Not carried out: one tool is called at a time."


def caching(bodies: list[dict[str, Any]]) -> Callable[[dict[str, Any]], Reply]:
    """Lists files for ever, and counts as cached what a request has in common with the one before."""

    def answer(body: dict[str, Any]) -> Reply:
        if not body.get("tools"):
            return Reply("SUMMARY", usage=(10, 5, 0, 0))
        now, before = json.dumps(prefix(body)), json.dumps(prefix(bodies[-1])) if bodies else ""
        same = next(
            (n for n, (a, b) in enumerate(zip(now, before, strict=False)) if a != b), min(len(now), len(before))
        )
        bodies.append(body)
        call = RUN if len(bodies) % 2 else LIST
        return Reply(f"Call {len(bodies)}.", tools=[call], usage=(len(now) // 4, 20, same // 4, 0))

    return answer


def prefix(body: dict[str, Any]) -> list[Any]:
    """What a provider sees of a request, in the order in which it caches."""
    return [body["tools"], body.get("system"), without_marks(body["messages"])]


def without_marks(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: without_marks(inner) for name, inner in value.items() if name != "cache_control"}
    return [without_marks(inner) for inner in value] if isinstance(value, list) else value


@PROVIDERS
def test_fifty_steps_are_cached_but_for_what_is_new(serve: Serve, bench: Bench, provider: str) -> None:
    bodies: list[dict[str, Any]] = []
    made = tools(serve(caching(bodies)), None, provider)
    calls = [bench.step(made).decision.calls[0] for _ in range(50)]
    share = sum(call.cached_tokens for call in calls) / sum(call.prompt_tokens for call in calls)
    assert share > 0.9
    for before, after in itertools.pairwise(bodies):
        known = without_marks(before["messages"])
        assert without_marks(after["messages"])[: len(known)] == known


def test_anthropic_is_told_what_it_may_cache(serve: Serve, bench: Bench) -> None:
    server = serve(Scripted([says("tools", "List Files", {"dir_path": "."})] * 2))
    made = tools(server, None, "anthropic")
    bench.step(made)
    bench.step(made)
    body = server.requests[1].body
    assert "cache_control" in body["system"][-1]
    assert "cache_control" in body["tools"][-1]
    assert "cache_control" in body or "cache_control" in json.dumps(body["messages"][-1])


@PROVIDERS
def test_a_long_conversation_becomes_a_summary_with_the_results_on_record(
    serve: Serve, bench: Bench, recorder: Recorder, provider: str
) -> None:
    bodies: list[dict[str, Any]] = []
    (bench.root / "train.py").write_text("print('x ' * 1000)\nprint('validation mae: 3.5')\n")
    server = serve(caching(bodies))
    for _ in range(24):
        made = tools(server, recorder, provider, {"context_tokens": 4_000})
        if bench.states:
            made.restore(json.loads(bench.states[-1]))
        bench.step(made)
    assert max(len(json.dumps(body["messages"])) for body in bodies) < 4 * 6_500
    summaries = [request.prompt for request in server.requests if not request.body.get("tools")]
    assert 2 <= len(summaries) <= 8
    assert "Notes on the steps before:\nSUMMARY" in summaries[1]
    assert "Step 0:" in summaries[0]
    assert "Step 0:" not in summaries[1]
    first = bodies[-1]["messages"][1 if provider == "openai" else 0]["content"]
    assert "## Task\nMake train.py better." in str(first)
    assert "SUMMARY" in str(first)
    assert "| 0 | train.py | ok, " in str(first)
    assert "validation mae 3.5" in str(first)


def test_a_model_with_less_room_than_was_allowed_gets_a_summary(serve: Serve, bench: Bench) -> None:
    (bench.root / "train.py").write_text("print('word ' * 1500)\n")
    server = serve(Scripted([says("tools", "Execute Script", {"script_name": "train.py"})] * 30), context=6_000)
    made = tools(server)
    for _ in range(8):
        bench.step(made)
    assert any("A researcher took these steps" in request.prompt for request in server.requests)


def test_thinking_is_kept_as_the_provider_wants_it(serve: Serve, bench: Bench, recorder: Recorder) -> None:
    server = serve([Reply("I run it.", thinking="hmm", tools=[RUN]), END])
    settings: dict[str, JSON] = {"model.thinking": 2_000, "model.top_p": 0.9}
    steps = bench.run(lambda: tools(server, recorder, "anthropic", settings), fresh_each_step=True)
    first, second = (request.body for request in server.requests)
    assert first["thinking"] == {"type": "enabled", "budget_tokens": 2_000}
    assert first["max_tokens"] == 2_000 + 4_096
    assert first["top_p"] == 0.9
    assert second["messages"][1]["content"][0] == {"type": "thinking", "thinking": "hmm", "signature": "signed"}
    assert steps[0].decision.prose == {"thought": "I run it."}


def test_reasoning_effort_is_sent_where_the_provider_knows_it(serve: Serve, bench: Bench) -> None:
    server = serve([END, END])
    bench.step(tools(server, settings={"model.reasoning_effort": "high", "model.top_p": 0.5}))
    assert (server.requests[0].body["reasoning_effort"], server.requests[0].body["top_p"]) == ("high", 0.5)
    bench.step(tools(server, None, "anthropic", {"model.reasoning_effort": "low"}))
    assert server.requests[1].body["output_config"] == {"effort": "low"}
    with pytest.raises(AgentSettingsError, match=r"Models of openai are not told model\.thinking"):
        bench.step(tools(server, settings={"model.thinking": "adaptive"}))


@PROVIDERS
def test_an_empty_answer_is_named_and_not_sent_back(serve: Serve, bench: Bench, provider: str) -> None:
    server = serve([Reply(""), says("tools", "List Files", {"dir_path": "."})])
    bench.step(tools(server, None, provider))
    assert "your answer was empty; call a tool" in server.requests[1].prompt
    assert "(nothing)" in server.requests[1].prompt
    with pytest.raises(GaveUpError, match="empty"):
        tools(serve([Reply("")] * 2), None, provider, {"repairs": 1}).decide(bench.view())
