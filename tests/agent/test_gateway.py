"""Models for scripts: asked from inside a real sandbox, counted, recorded, held by the budget."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from agent.models.calls import Models
from agent.models.gateway import Gateway, Offers
from environment.budgets import BudgetMeter
from environment.gateway.offered import Offered
from environment.gateway.recorded import UNKNOWN, RecordedAnswer, RecordedModel
from environment.literature import Paper, SavedLiterature
from environment.records import Budget, Spent
from environment.sandbox import Command, Limits, open_sandbox
from environment.sandbox.offering import SOCKET, OfferedSandbox
from tasks_catalog.library.spec import OffersSpec
from tests.agent.conftest import KEY, Recorder, Serve, context
from tests.agent.llm_server import Reply

ASK = """
import json, os, sys, urllib.error, urllib.request
assert os.environ["OPENAI_API_KEY"] == os.environ["ANTHROPIC_API_KEY"] == "none"
assert os.environ["ANTHROPIC_BASE_URL"] + "/v1" == os.environ["OPENAI_BASE_URL"]
data = sys.argv[2].encode() or None
request = urllib.request.Request(os.environ["OPENAI_BASE_URL"] + sys.argv[1], data)
try:
    print(urllib.request.urlopen(request).read().decode())
except urllib.error.HTTPError as error:
    print(error.read().decode())
"""
Ask = Callable[..., Any]


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def asking(gateway_of: Callable[[Path], Gateway], folder: Path, stack: ExitStack) -> tuple[Ask, Gateway]:
    """A way to ask from inside a sandbox, and the gateway that answers."""
    workspace, shown = folder / "workspace", folder / ("long" * 30) / "gateway"
    workspace.mkdir(exist_ok=True)
    shown.mkdir(parents=True, exist_ok=True)
    (shown / SOCKET).unlink(missing_ok=True)
    (workspace / "ask.py").write_text(ASK)
    gateway = gateway_of(shown / SOCKET)
    stack.callback(gateway.close)
    sandbox = OfferedSandbox(open_sandbox("bubblewrap", label="test"), shown)

    def ask(body: Mapping[str, Any] | str, path: str = "/chat/completions") -> Any:
        text = body if isinstance(body, str) else json.dumps(body)
        command = Command(["python", "ask.py", path, text], workspace=workspace, limits=Limits(timeout=60))
        done = sandbox.run(command)
        assert done.exit_code == 0, done.output
        assert KEY.encode() not in done.output
        said = done.output.decode()
        return json.loads(said) if said.startswith("{") else events(said)

    return ask, gateway


def events(text: str) -> list[Any]:
    """The data of each event of a stream."""
    lines = [line.removeprefix("data: ") for line in text.splitlines() if line.startswith("data: ")]
    return [json.loads(line) for line in lines if line != "[DONE]"]


def chat(text: str, **more: Any) -> dict[str, Any]:
    return {"model": "main", "messages": [{"role": "user", "content": text}], **more}


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_a_script_asks_the_run_s_model_and_a_crash_pays_nothing_twice(
    serve: Serve, recorder: Recorder, tmp_path: Path, stack: ExitStack, provider: str
) -> None:
    tool = {"type": "function", "function": {"name": "look", "parameters": {"type": "object", "properties": {}}}}
    server = serve([Reply("It is 3.", usage=(100, 5, 0, 0)), Reply("", tools=[("look", {"at": 1})])])

    def gateway_of(socket: Path) -> Gateway:
        return Gateway(Offers(Models(context(server, recorder, provider))), socket, lambda _: True)

    for _ in range(2):
        ask, gateway = asking(gateway_of, tmp_path, stack)
        gateway.begin(4)
        first = ask(chat("What is it?"))
        assert first["choices"][0]["message"]["content"] == "It is 3."
        assert first["usage"]["total_tokens"] == 105
        second = ask(chat("Look.", tools=[tool]))
        (call,) = second["choices"][0]["message"]["tool_calls"]
        assert (call["function"]["name"], json.loads(call["function"]["arguments"])) == ("look", {"at": 1})
        assert second["choices"][0]["finish_reason"] == "tool_calls"
        assert [made.prompt_tokens for made in gateway.taken()] == [100, 100]
        assert gateway.taken() == ()
    assert len(server.requests) == 2
    assert all(key.startswith("00004-") for key in recorder.kept)


def test_the_budget_holds_for_scripts(serve: Serve, tmp_path: Path, stack: ExitStack) -> None:
    server = serve([Reply("yes", usage=(900, 50, 0, 0)), Reply("yes", usage=(100, 50, 0, 0))])
    meter = BudgetMeter(Budget(tokens=1_000), Spent())
    ask, _ = asking(lambda socket: Gateway(Offers(Models(context(server))), socket, meter.affords), tmp_path, stack)
    assert [ask(chat("a")).get("error", {}).get("code") for _ in range(3)] == [None, None, "insufficient_quota"]
    assert len(server.requests) == 2
    no_price = BudgetMeter(Budget(money=1), Spent(unknown_cost=True))
    assert not no_price.affords(())


def test_what_is_no_request_is_told_in_words(serve: Serve, tmp_path: Path, stack: ExitStack) -> None:
    server = serve([Reply(status=400, error=("invalid_request_error", "bad model"))])
    ask, _ = asking(lambda socket: Gateway(Offers(Models(context(server))), socket, lambda _: True), tmp_path, stack)
    assert "bad model" in ask(chat("a"))["error"]["message"]
    assert "no request for a model" in ask({"model": "main"})["error"]["message"]
    assert "one JSON object" in ask("[]")["error"]["message"]
    told = ask("{}", "/embeddings")["error"]["message"]
    assert "/v1/chat/completions, /v1/responses, /v1/messages" in told
    assert "literature" not in told


CALL = Reply("I look.", tools=[("look", {"at": 1})], usage=(100, 5, 40, 0))
PARAMETERS = {"type": "object", "properties": {"at": {"type": "integer"}}}


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_each_protocol_asks_the_run_s_model_whole_and_in_events(
    serve: Serve, tmp_path: Path, stack: ExitStack, provider: str
) -> None:
    server = serve(lambda _: CALL)
    ask, _ = asking(
        lambda socket: Gateway(Offers(Models(context(server, provider=provider))), socket, lambda _: True),
        tmp_path,
        stack,
    )
    tool = {"name": "look", "description": "looks"}
    in_chat = chat("a", tools=[{"type": "function", "function": {**tool, "parameters": PARAMETERS}}])
    by_parts = ask({**in_chat, "stream": True, "tool_choice": "required"})
    (call,) = by_parts[0]["choices"][0]["delta"]["tool_calls"]
    assert (call["index"], call["function"]["name"]) == (0, "look")
    assert by_parts[1]["choices"][0]["finish_reason"] == "tool_calls"
    assert by_parts[2]["usage"]["prompt_tokens"] == 100

    earlier = [
        {"role": "user", "content": "a"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "look", "input": {"at": 0}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "saw 0"}]},
    ]
    in_messages = {"model": "x", "system": [{"type": "text", "text": "Be."}], "messages": earlier, "max_tokens": 9}
    in_messages["tools"] = [{**tool, "input_schema": PARAMETERS}]
    assert ask(in_messages, "/messages?beta=true")["content"] == [
        {"type": "text", "text": "I look."},
        {
            "type": "tool_use",
            "id": ask(in_messages, "/messages")["content"][1]["id"],
            "name": "look",
            "input": {"at": 1},
        },
    ]
    streamed = ask({**in_messages, "stream": True}, "/messages")
    assert [event["type"] for event in streamed[:2] + streamed[-2:]] == [
        "message_start",
        "content_block_start",
        "message_delta",
        "message_stop",
    ]
    assert (streamed[-2]["delta"]["stop_reason"], streamed[-2]["usage"]["cache_read_input_tokens"]) == ("tool_use", 40)
    assert ask(in_messages, "/messages/count_tokens")["input_tokens"] > 5
    assert "saw 0" in server.requests[-1].prompt

    items = [
        {"role": "developer", "content": [{"type": "input_text", "text": "Be."}]},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "a"}]},
        {"type": "reasoning", "summary": []},
        {"type": "function_call", "call_id": "c1", "name": "look", "arguments": '{"at": 0}'},
        {"type": "function_call_output", "call_id": "c1", "output": "saw 1"},
    ]
    in_responses = {"model": "x", "instructions": "Help.", "input": items, "stream": True}
    in_responses["tools"] = [{"type": "function", **tool, "parameters": PARAMETERS}, {"type": "web_search"}]
    told = ask(in_responses, "/responses")
    assert [told[0]["type"], told[-1]["type"]] == ["response.created", "response.completed"]
    message, made = told[-1]["response"]["output"]
    assert message["content"][0]["text"] == "I look."
    assert (made["name"], json.loads(made["arguments"])) == ("look", {"at": 1})
    assert told[-1]["response"]["usage"]["input_tokens_details"]["cached_tokens"] == 40
    assert all(part in server.requests[-1].prompt for part in ("Help.", "Be.", "saw 1"))
    assert (
        "previous_response_id" in ask({**in_responses, "previous_response_id": "r"}, "/responses")["error"]["message"]
    )


PAPERS = [
    Paper(title=title, authors=("A. Author",), year="2020", url=f"https://papers.example/{title}", summary="On trees.")
    for title in ("Boosting", "Forests", "Boosting forests")
]


def test_searches_and_recorded_answers_are_kept_counted_and_limited(
    recorder: Recorder, tmp_path: Path, stack: ExitStack
) -> None:
    known = RecordedModel([RecordedAnswer(question="terms for sums of guesses", answer="boosting")])

    def gateway_of(socket: Path) -> Gateway:
        offered = Offered(OffersSpec(searches=2, model_calls=1), SavedLiterature(PAPERS), known)
        return Gateway(Offers(task=offered), socket, lambda _: True, recorder)

    for _ in range(2):  # the second time what was recorded is found again
        ask, gateway = asking(gateway_of, tmp_path, stack)
        gateway.begin(3)
        found = ask("", "/literature?query=boosting+forests&limit=2")["papers"]
        assert [paper["title"] for paper in found] == ["Boosting forests", "Boosting"]
        assert ask("", "/models")["data"] == [{"id": "recorded", "object": "model"}]
        said = ask({"model": "recorded", "messages": [{"role": "user", "content": "Terms for a sum of guesses?"}]})
        assert said["choices"][0]["message"]["content"] == "boosting"
        assert [(call.model, call.cost) for call in gateway.taken()] == [
            ("offered:search", 0.0),
            ("offered:recorded", 0.0),
        ]
    assert [call.role for call in recorder.calls] == ["search", "recorded"]
    assert all(key.startswith("00003-") for key in recorder.kept)
    assert "from 1 to 20" in ask("", "/literature?query=a&limit=0")["error"]["message"]
    assert "used up" in [ask("", f"/literature?query={n}") for n in "abc"][-1]["error"]["message"]
    assert ask(chat("a"))["error"]["code"] == "not_found"


def test_a_budget_that_is_used_up_ends_searches_too(tmp_path: Path, stack: ExitStack) -> None:
    offers = Offers(literature=SavedLiterature(PAPERS))
    ask, _ = asking(lambda socket: Gateway(offers, socket, lambda _: False), tmp_path, stack)
    assert ask("", "/literature?query=boosting")["error"]["code"] == "insufficient_quota"


def test_a_question_like_none_recorded_has_no_answer() -> None:
    model = RecordedModel([RecordedAnswer(question="title of the paper known as ResNet", answer="Deep Residual …")])
    assert model.answer("What is the title of the paper known as resnet?") == "Deep Residual …"
    assert model.answer("Why is the sky blue?") == UNKNOWN
