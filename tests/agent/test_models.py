"""Model calls against a server that answers, fails and misbehaves."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import pytest
from langchain_core.messages import HumanMessage

from agent.errors import AgentSettingsError
from agent.models.calls import Models
from agent.models.errors import (
    BadKeyError,
    BadRequestError,
    ModelCallError,
    NetworkError,
    PromptTooLongError,
    QuotaError,
    RateLimitedError,
    RefusedError,
    ServerError,
)
from agent.models.factory import PROVIDERS, is_installed
from agent.models.prices import load_prices
from agent.protocol import AgentContext
from tasks_catalog.library.errors import MissingExtraError
from tests.agent.conftest import KEY, Recorder, Serve, context
from tests.agent.llm_server import Reply

BOTH = pytest.mark.parametrize("provider", ["openai", "anthropic"])
STREAMING = pytest.mark.parametrize("streaming", [False, True])
ASK = [HumanMessage("What is the MAE?")]


@BOTH
@STREAMING
def test_an_answer_is_counted(serve: Serve, recorder: Recorder, provider: str, streaming: bool) -> None:
    server = serve([Reply("It is 3.", usage=(1000, 50, 400, 0))])
    session = Models(context(server, recorder, provider, settings={"model.streaming": streaming})).session(2)
    assert session.ask("fast", ASK).text == "It is 3."
    (call,) = session.calls
    assert (call.model, call.role) == (f"{provider}:test-model", "fast")
    assert (call.prompt_tokens, call.cached_tokens, call.completion_tokens) == (1000, 400, 50)
    assert call.cost is None
    assert recorder.calls == [call]
    assert next(iter(recorder.kept)).startswith("00002-000-")


def test_reasoning_tokens_are_told_apart(serve: Serve) -> None:
    session = Models(context(serve([Reply("3", usage=(10, 50, 0, 45))]))).session(0)
    session.ask("main", ASK)
    assert session.calls[0].reasoning_tokens == 45


def test_a_server_without_usage_is_estimated(serve: Serve) -> None:
    session = Models(context(serve([Reply("word " * 100, usage=None)]))).session(0)
    session.ask("main", ASK)
    assert session.calls[0].completion_tokens > 50
    assert session.calls[0].cost is None


def test_a_price_for_the_address_counts(serve: Serve, tmp_path: Path) -> None:
    server = serve([Reply("3", usage=(1_000_000, 100_000, 500_000, 0))])
    table = tmp_path / "prices.toml"
    table.write_text(
        f'version = "mine"\n[prices]\n"openai:test-model@{server.address}/v1" = '
        "{ input = 2.0, output = 10.0, cached = 0.5 }\n"
    )
    session = Models(context(server, settings={"model.prices": str(table)})).session(0)
    session.ask("main", ASK)
    assert session.calls[0].cost == pytest.approx(0.5 * 2 + 0.5 * 0.5 + 0.1 * 10)


def test_the_shipped_prices_can_be_overridden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = load_prices()
    assert shipped.price("openai:gpt-4o-mini") is not None
    assert shipped.price("openai:no-such-model") is None
    table = tmp_path / "own.toml"
    table.write_text('version = "1"\n[prices]\n"openai:gpt-4o-mini" = { input = 9.0, output = 9.0 }\n')
    monkeypatch.setenv("MLAB_PRICES", str(table))
    own = load_prices()
    price = own.price("openai:gpt-4o-mini")
    assert price is not None
    assert price.input == 9
    assert own.version.startswith(f"{shipped.version}+1.")
    table.write_text("version = 3")
    with pytest.raises(AgentSettingsError, match="is no price table"):
        load_prices()


@BOTH
def test_a_recorded_answer_is_not_paid_again(serve: Serve, recorder: Recorder, provider: str) -> None:
    server = serve([Reply("first"), Reply("second")])
    one = Models(context(server, recorder, provider)).session(1)
    assert [one.ask("main", ASK).text, one.ask("main", ASK).text] == ["first", "second"]
    again = Models(context(server, recorder, provider)).session(1)
    assert [again.ask("main", ASK).text, again.ask("main", ASK).text] == ["first", "second"]
    assert again.calls == one.calls
    assert len(server.requests) == 2


def test_another_step_or_prompt_is_another_call(serve: Serve, recorder: Recorder) -> None:
    server = serve(["a", "b", "c"])
    models = Models(context(server, recorder))
    answers = [
        models.session(1).ask("main", ASK),
        models.session(2).ask("main", ASK),
        models.session(1).ask("main", [HumanMessage("?")]),
    ]
    assert [answer.text for answer in answers] == ["a", "b", "c"]


FAILURES = {
    "rate": (Reply(status=429, error=("rate_limit_error", "Rate limit reached")), RateLimitedError),
    "quota": (Reply(status=429, error=("insufficient_quota", "You exceeded your current quota")), QuotaError),
    "credit": (Reply(status=400, error=("invalid_request_error", "Your credit balance is too low")), QuotaError),
    "key": (Reply(status=401, error=("authentication_error", "invalid x-api-key")), BadKeyError),
    "forbidden": (Reply(status=403, error=("permission_error", "not allowed")), BadKeyError),
    "model": (Reply(status=404, error=("not_found_error", "no such model")), BadRequestError),
    "server": (Reply(status=500, error=("api_error", "internal")), ServerError),
    "overloaded": (Reply(status=529, error=("overloaded_error", "Overloaded")), ServerError),
    "gateway": (Reply(status=502, raw=b"<html>bad gateway</html>"), ServerError),
    "policy": (Reply(status=400, error=("content_policy_violation", "flagged by our usage policy")), RefusedError),
    "cut": (Reply("a long answer " * 50, cut=True), NetworkError),
    "no json": (Reply(raw=b"this is no JSON"), ServerError),
    "empty": (Reply(raw=b""), ServerError),
    "half json": (Reply(raw=b'{"id": "x", "choices": ['), ServerError),
    "other json": (Reply(raw=b'{"hello": 1}'), ServerError),
    "null": (Reply(raw=b"null"), ServerError),
    "list": (Reply(raw=b"[]"), ServerError),
}


def test_what_a_library_says_of_its_own_records_is_not_shown(serve: Serve) -> None:
    session = Models(context(serve([Reply(tools=[("look", "[1, 2]")])]), settings={"model.attempts": 1})).session(0)
    with pytest.raises(ServerError) as raised:
        session.ask("main", ASK)
    assert "tool_calls.0.args: should be names with values" in raised.value.message
    assert "pydantic" not in raised.value.message


@BOTH
@pytest.mark.parametrize("failure", FAILURES)
def test_failures_are_told_apart(serve: Serve, provider: str, failure: str) -> None:
    reply, expected = FAILURES[failure]
    server = serve([reply] * 2)
    session = Models(context(server, None, provider, settings={"model.attempts": 2})).session(0)
    with pytest.raises(expected):
        session.ask("main", ASK)
    is_repeated = issubclass(expected, RateLimitedError | ServerError | NetworkError)
    assert len(server.requests) == (2 if is_repeated else 1)


@pytest.mark.parametrize("reply", [Reply("No.", finish="content_filter")])
def test_a_refusal_is_counted_and_not_asked_again(serve: Serve, recorder: Recorder, reply: Reply) -> None:
    server = serve([reply])
    for _ in range(2):
        session = Models(context(server, recorder)).session(0)
        with pytest.raises(RefusedError):
            session.ask("main", ASK)
        assert session.calls[0].completion_tokens == 20
    assert len(server.requests) == 1


@BOTH
@STREAMING
def test_a_too_long_prompt_is_told_apart(serve: Serve, provider: str, streaming: bool) -> None:
    session = Models(
        context(serve([], context=200_000), None, provider, settings={"model.streaming": streaming})
    ).session(0)
    with pytest.raises(PromptTooLongError):
        session.ask("main", [HumanMessage("word " * 200_001)])


@BOTH
@STREAMING
def test_a_cut_connection_is_repeated(serve: Serve, provider: str, streaming: bool) -> None:
    server = serve([Reply("word " * 200, cut=True), Reply("whole")])
    session = Models(context(server, None, provider, settings={"model.streaming": streaming})).session(0)
    assert session.ask("main", ASK).text == "whole"


@BOTH
def test_retry_after_is_honoured_and_counts_as_waiting(serve: Serve, provider: str) -> None:
    limited = Reply(status=429, error=("rate_limit_error", "slow down"), headers={"Retry-After": "1"})
    session = Models(context(serve([limited, Reply("now")]), None, provider)).session(0)
    started = time.monotonic()
    assert session.ask("main", ASK).text == "now"
    assert time.monotonic() - started >= 1
    assert session.calls[0].waited_seconds >= 1
    assert session.calls[0].seconds < 1


def test_the_rate_is_limited(serve: Serve) -> None:
    models = Models(context(serve(["a", "b", "c"]), settings={"model.requests_per_minute": 300}))
    session = models.session(0)
    started = time.monotonic()
    for _ in range(3):
        session.ask("main", ASK)
    assert time.monotonic() - started >= 0.4
    assert session.calls[2].waited_seconds > 0


def test_nobody_there_is_the_network(recorder: Recorder) -> None:
    settings = {"model.base_url": "http://127.0.0.1:9/v1", "model.attempts": 1}
    session = Models(AgentContext(model="openai:x", settings=settings)).session(0)  # type: ignore[arg-type]
    with pytest.raises(NetworkError):
        session.ask("main", ASK)


def test_the_key_appears_nowhere(serve: Serve, recorder: Recorder, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    server = serve([Reply(f"Your key is {KEY}."), Reply(status=401, error=("auth", f"Incorrect API key: {KEY}"))])
    session = Models(context(server, recorder)).session(0)
    assert "[redacted]" in session.ask("main", ASK).text
    with pytest.raises(BadKeyError) as caught:
        session.ask("main", [HumanMessage("again")])
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
    shown: BaseException | None = caught.value
    while shown is not None:
        assert KEY not in f"{shown!r} {shown}"
        shown = shown.__cause__
    assert KEY not in json.dumps(recorder.kept)
    assert KEY not in caplog.text


def test_a_key_comes_from_dotenv_but_not_into_the_environment(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadKeyError, match="no key for openai"):
        Models(AgentContext(model="openai:gpt-5")).chat("main")
    (tmp_path / ".env").write_text("OPENAI_API_KEY=sk-from-the-file-123\n")
    server = serve(["hello"])
    Models(context(server)).session(0).ask("main", ASK)
    assert server.requests[0].headers["authorization"] == "Bearer sk-from-the-file-123"
    import os

    assert "OPENAI_API_KEY" not in os.environ


@pytest.mark.parametrize(
    ("model", "install"),
    [("ollama:llama3", "langchain-ollama"), ("groq:x", "-m pip install langchain-groq")],
)
def test_a_missing_library_gives_its_command(model: str, install: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "langchain_ollama", None)
    with pytest.raises(MissingExtraError) as caught:
        Models(AgentContext(model=model)).chat("main")
    assert install in caught.value.hint


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_library_is_found_where_it_can_be_loaded(provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip(f"langchain_{provider}")
    assert is_installed(provider)
    monkeypatch.setitem(sys.modules, f"langchain_{provider}", None)
    assert not is_installed(provider)


@pytest.mark.parametrize("model", [None, "gpt-5", "nobody:gpt-5"])
def test_an_unusable_name_says_what_to_write(model: str | None) -> None:
    with pytest.raises((AgentSettingsError, MissingExtraError)):
        Models(AgentContext(model=model)).chat("main")


def test_an_unknown_provider_is_told_without_all_that_the_library_knows() -> None:
    with pytest.raises(AgentSettingsError) as caught:
        Models(AgentContext(model="opnai:gpt-5")).chat("main")
    assert caught.value.message == "The model opnai:gpt-5 cannot be made: Unsupported provider='opnai'."
    assert caught.value.hint.startswith("Did you mean openai? Providers with an extra of their own: openai, anthropic,")


def test_every_error_is_one_of_ours() -> None:
    assert all(issubclass(expected, ModelCallError) for _, expected in FAILURES.values())
