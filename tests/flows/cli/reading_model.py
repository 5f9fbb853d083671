"""A model that reads claims for ``mlab audit``, behind a real HTTP server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.agent.llm_server import LlmServer, Reply
from tests.evaluation.importers.logs import CLAIM, LIE

PRICES = """
version = "test"

[prices]
"openai:reader@{address}/v1" = {{ input = 10.0, output = 50.0 }}
"""


@pytest.fixture
def reader_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the provider's library wants to see."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-planted-0123456789abcdef")


SAYS = {"type": "value", "metric": "accuracy", "split": "test", "rows": ["m0:2a"]}


def is_second_look(body: dict[str, Any]) -> bool:
    return [tool["function"]["name"] for tool in body["tools"]] == ["Looks"]


def looks(answer: str, why: str) -> Reply:
    return Reply(tools=[("Looks", {"looks": [{"claim": 1, "why": why, "answer": answer}]})])


def finds(body: dict[str, Any]) -> Reply:
    """Quotes the two sentences that state an accuracy, whichever of them the text has; upholds what is false."""
    if is_second_look(body):
        return looks("false", "another value was printed")
    prompt = json.dumps(body["messages"])
    claims = [
        {
            "quote": quote,
            "says": {**SAYS, "stated": value},
        }
        for quote, value in ((CLAIM, "59.03%"), (LIE, "93.1%"))
        if quote in prompt
    ]
    return Reply(tools=[("FoundClaims", {"claims": claims})])


def priced(server: LlmServer, folder: Path) -> list[str]:
    file = folder / "prices.toml"
    file.write_text(PRICES.format(address=server.address))
    address = f"model.base_url={server.address}/v1"
    return ["--extractor", "openai:reader", "--set", address, "--set", f"model.prices={file}"]
