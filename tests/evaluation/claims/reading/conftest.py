"""A model that reads claims, behind a real HTTP server."""

from __future__ import annotations

import pytest

from evaluation.claims.reading.model import ModelReader
from flows.structured import StructuredModel
from tests.agent.llm_server import LlmServer


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the provider's library wants to see."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-planted-0123456789abcdef")


def reader(server: LlmServer) -> ModelReader:
    """A reader that asks a server by OpenAI's protocol."""
    model = StructuredModel("openai:reader", {"model.base_url": f"{server.address}/v1", "model.backoff": 0.01})
    return ModelReader(lambda prompt, record, _: model.ask(prompt, record)[0])
