"""Counts the tokens and the money of one answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent.models.prices import Price
from environment.records import ModelCall

if TYPE_CHECKING:
    from collections.abc import Sequence

    from langchain_core.messages import AIMessage, BaseMessage


def count(
    model: str,
    role: str,
    prompt: Sequence[BaseMessage],
    answer: AIMessage,
    price: Price | None,
    *,
    seconds: float,
    waited: float,
) -> ModelCall:
    """What a call used, as its provider reports it.

    Where a server reports no usage, tokens are estimated at four characters each, so that a token
    budget still holds, and the cost is unknown.
    """
    usage = answer.usage_metadata
    if usage is None or not usage["input_tokens"]:
        from langchain_core.messages.utils import count_tokens_approximately

        return ModelCall(
            model=model,
            role=role,
            prompt_tokens=count_tokens_approximately(prompt),
            completion_tokens=count_tokens_approximately([answer]),
            seconds=seconds,
            waited_seconds=waited,
        )
    of_prompt = usage.get("input_token_details") or {}
    cached = of_prompt.get("cache_read") or 0
    written = of_prompt.get("cache_creation") or 0
    reasoning = (usage.get("output_token_details") or {}).get("reasoning") or 0
    prompt_tokens, completion = usage["input_tokens"], usage["output_tokens"]
    used = {"prompt": prompt_tokens, "cached": cached, "written": written, "completion": completion}
    cost = None if price is None else price.cost(**used)
    return ModelCall(
        model=model,
        role=role,
        prompt_tokens=prompt_tokens,
        cached_tokens=cached,
        completion_tokens=completion,
        reasoning_tokens=reasoning,
        cost=cost,
        seconds=seconds,
        waited_seconds=waited,
    )
