"""Why a model's answer ended: by itself, at its limit of tokens, or because the model or its provider declined."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent.models.errors import RefusedError

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage

_REFUSALS = ("refusal", "content_filter", "safety", "prohibited_content", "blocklist")
_CUT = ("length", "max_tokens", "max_output_tokens", "model_length", "token_limit")
"""What OpenAI, Mistral and Ollama; Anthropic and Google; OpenAI's Responses; Mistral; and Cohere call the limit."""


def finish_reason(answer: AIMessage) -> str:
    """What the provider gave as the reason, in lower case; "" where it gave none."""
    metadata = answer.response_metadata
    reason = metadata.get("finish_reason") or metadata.get("stop_reason") or metadata.get("done_reason")
    if not reason and isinstance(details := metadata.get("incomplete_details"), dict):
        reason = details.get("reason")
    return str(reason or "").lower().rpartition(".")[2]


def is_cut(answer: AIMessage) -> bool:
    """Whether the answer reached its limit of tokens before its end, so that nothing of it can be relied on."""
    return finish_reason(answer) in _CUT


def is_empty(answer: AIMessage) -> bool:
    """Whether the answer holds neither text nor a call."""
    return not str(answer.text).strip() and not answer.tool_calls and not answer.invalid_tool_calls


def refuse_refusal(answer: AIMessage, model: str) -> None:
    """Let an answer pass that is one.

    Raises:
        RefusedError: The model or its provider declined.
    """
    refusal = answer.additional_kwargs.get("refusal")
    if refusal or finish_reason(answer) in _REFUSALS:
        raise RefusedError(f"{model} declined to answer: {refusal or finish_reason(answer)}")
