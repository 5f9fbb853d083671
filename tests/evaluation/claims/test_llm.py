"""Claims found by a model behind a real HTTP server."""

from __future__ import annotations

from typing import Any

import pytest

from evaluation.claims.audit import audit
from evaluation.claims.claim import Verdict
from evaluation.claims.llm import FoundClaims, ModelExtractor
from flows.cli.structured import StructuredModel
from tests.agent.llm_server import LlmServer, Reply
from tests.evaluation.claims.scenarios import REGRESSION, log

PROSE = "RMSE on held-out houses came in at 28,951. We beat the starting point. I then stored everything."


def extractor(server: LlmServer) -> ModelExtractor:
    model = StructuredModel("openai:reader", {"model.base_url": f"{server.address}/v1", "model.backoff": 0.01})
    return ModelExtractor(lambda prompt, record: model.ask(prompt, record)[0])


def found(answer: dict[str, Any]) -> Reply:
    return Reply(tools=[(FoundClaims.__name__, answer)])


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-planted-0123456789abcdef")


def test_what_a_model_finds_is_judged_by_the_same_code() -> None:
    answer = {
        "claims": [
            {
                "quote": "RMSE on held-out houses came in at 28,951",
                "kind": "result",
                "metric": "RMSE",
                "value": "28,951",
            },
            {
                "quote": "We beat the starting point",
                "kind": "comparison",
                "relation": "better",
                "reference": "baseline",
            },
            {"quote": "words that nobody wrote", "kind": "result", "metric": "RMSE", "value": "1"},
        ]
    }
    with LlmServer([Reply(status=500), found(answer)]) as server:
        claims = audit(log(*REGRESSION.exchanges, prose=PROSE), extractor=extractor(server))
    assert PROSE in server.requests[-1].prompt
    assert [(claim.kind.value, claim.verdict) for claim in claims] == [
        ("result", Verdict.SUPPORTED),
        ("comparison", Verdict.SUPPORTED),
    ]
    assert claims[0].value == 28951.0
    assert all(claim.quote in PROSE for claim in claims)


def test_a_text_written_twice_is_paid_once() -> None:
    once = log(*REGRESSION.exchanges, prose=PROSE)
    twice = once.model_copy(update={"steps": (*once.steps, once.steps[-1])})
    with LlmServer([found({"claims": []})]) as server:
        assert audit(twice, extractor=extractor(server)) == []
    assert len(server.requests) == 1
