"""What the tests of agents share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack

import pytest

from agent.protocol import JSON, AgentContext
from environment.records import ModelCall
from tests.agent.llm_server import LlmServer, Script
from tests.conftest import ONE_AUTHORITY

KEY = "sk-planted-0123456789abcdef"
FAST = {"model.backoff": 0.01}


class Recorder:
    """Keeps answers in memory."""

    def __init__(self) -> None:
        self.kept: dict[str, JSON] = {}
        self.calls: list[ModelCall] = []

    def load(self, key: str) -> JSON | None:
        return self.kept.get(key)

    def save(self, key: str, answer: JSON, call: ModelCall) -> None:
        self.kept[key] = answer
        self.calls.append(call)


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"OPENAI_API_KEY": KEY, "ANTHROPIC_API_KEY": KEY, **ONE_AUTHORITY}.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def recorder() -> Recorder:
    return Recorder()


@pytest.fixture
def serve() -> Iterator[Callable[..., LlmServer]]:
    """Starts servers that stop with the test."""
    with ExitStack() as stack:
        yield lambda script, **options: stack.enter_context(LlmServer(script, **options))


def context(
    server: LlmServer,
    recorder: Recorder | None = None,
    provider: str = "openai",
    settings: Mapping[str, JSON] | None = None,
) -> AgentContext:
    """A context whose models the server answers for."""
    address = server.address if provider == "anthropic" else f"{server.address}/v1"
    return AgentContext(
        model=f"{provider}:test-model",
        settings={"model.base_url": address, **FAST, **(settings or {})},
        calls=recorder,
    )


Serve = Callable[..., LlmServer]
__all__ = ["KEY", "Recorder", "Script", "Serve", "context"]
