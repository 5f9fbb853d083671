from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable

from evaluation.claims.audit import audit
from evaluation.claims.claim import Verdict
from evaluation.claims.llm import FoundClaims, ModelExtractor
from tests.evaluation.claims.scenarios import REGRESSION, log

PROSE = "RMSE on held-out houses came in at 28,951. We beat the starting point. I then stored everything."


class Scripted(BaseChatModel):
    """A chat model that answers every request with the same tool call."""

    answer: dict[str, Any]

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Runnable[Any, AIMessage]:
        return self

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        call = {"name": FoundClaims.__name__, "args": self.answer, "id": "1"}
        return ChatResult(generations=[ChatGeneration(message=AIMessage(content="", tool_calls=[call]))])


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
    claims = audit(log(*REGRESSION.exchanges, prose=PROSE), extractor=ModelExtractor(Scripted(answer=answer)))
    assert [(claim.kind.value, claim.verdict) for claim in claims] == [
        ("result", Verdict.SUPPORTED),
        ("comparison", Verdict.SUPPORTED),
    ]
    assert claims[0].value == 28951.0
    assert all(claim.quote in PROSE for claim in claims)
