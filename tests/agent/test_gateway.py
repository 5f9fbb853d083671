"""Models for scripts: asked from inside a real sandbox, counted, recorded, held by the budget."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from agent.models.calls import Models
from agent.models.gateway import Gateway
from environment.budgets import BudgetMeter
from environment.records import Budget, Spent
from environment.sandbox import Command, Limits, open_sandbox
from environment.sandbox.offering import SOCKET, OfferingModels
from tests.agent.conftest import KEY, Recorder, Serve, context
from tests.agent.llm_server import Reply

ASK = """
import json, os, sys, urllib.error, urllib.request
assert os.environ["OPENAI_API_KEY"] == "none"
request = urllib.request.Request(os.environ["OPENAI_BASE_URL"] + sys.argv[1], sys.argv[2].encode())
try:
    print(urllib.request.urlopen(request).read().decode())
except urllib.error.HTTPError as error:
    print(error.read().decode())
"""
Ask = Callable[..., dict[str, Any]]


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
    sandbox = OfferingModels(open_sandbox("bubblewrap", label="test"), shown)

    def ask(body: Mapping[str, Any] | str, path: str = "/chat/completions") -> dict[str, Any]:
        text = body if isinstance(body, str) else json.dumps(body)
        command = Command(["python", "ask.py", path, text], workspace=workspace, limits=Limits(timeout=60))
        done = sandbox.run(command)
        assert done.exit_code == 0, done.output
        assert KEY.encode() not in done.output
        answer: dict[str, Any] = json.loads(done.output)
        return answer

    return ask, gateway


def chat(text: str, **more: Any) -> dict[str, Any]:
    return {"model": "main", "messages": [{"role": "user", "content": text}], **more}


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_a_script_asks_the_run_s_model_and_a_crash_pays_nothing_twice(
    serve: Serve, recorder: Recorder, tmp_path: Path, stack: ExitStack, provider: str
) -> None:
    tool = {"type": "function", "function": {"name": "look", "parameters": {"type": "object", "properties": {}}}}
    server = serve([Reply("It is 3.", usage=(100, 5, 0, 0)), Reply("", tools=[("look", {"at": 1})])])

    def gateway_of(socket: Path) -> Gateway:
        return Gateway(Models(context(server, recorder, provider)), socket, lambda _: True)

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
    ask, _ = asking(lambda socket: Gateway(Models(context(server)), socket, meter.affords), tmp_path, stack)
    assert [ask(chat("a")).get("error", {}).get("code") for _ in range(3)] == [None, None, "insufficient_quota"]
    assert len(server.requests) == 2
    no_price = BudgetMeter(Budget(money=1), Spent(unknown_cost=True))
    assert not no_price.affords(())


def test_what_is_no_request_is_told_in_words(serve: Serve, tmp_path: Path, stack: ExitStack) -> None:
    server = serve([Reply(status=400, error=("invalid_request_error", "bad model"))])
    ask, _ = asking(lambda socket: Gateway(Models(context(server)), socket, lambda _: True), tmp_path, stack)
    assert "bad model" in ask(chat("a"))["error"]["message"]
    assert "no chat request" in ask({"model": "main"})["error"]["message"]
    assert "without stream" in ask(chat("a", stream=True))["error"]["message"]
    assert "one JSON object" in ask("[]")["error"]["message"]
    assert "/v1/chat/completions" in ask("{}", "/embeddings")["error"]["message"]
