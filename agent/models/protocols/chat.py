"""OpenAI's chat completions."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from agent.models.endings import is_cut
from agent.models.protocols.spoken import Asked
from environment.gateway.server import Event

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage

    from environment.records import ModelCall

_CHOICES = {"required": "any"}


class ChatCompletions:
    """``/v1/chat/completions``."""

    def read(self, body: Mapping[str, Any]) -> Asked:
        """See ``Spoken``."""
        from langchain_core.messages import convert_to_messages

        chosen, stop = body.get("tool_choice"), body.get("stop")
        if isinstance(chosen, Mapping):
            chosen = chosen["function"]["name"]
        return Asked(
            model=str(body.get("model")),
            messages=convert_to_messages(body["messages"]),
            tools=body.get("tools") or (),
            tool_choice=None if chosen is None else _CHOICES.get(chosen, chosen),
            stop=[stop] if isinstance(stop, str) else stop,
            stream=bool(body.get("stream")),
        )

    def reply(self, answer: AIMessage, call: ModelCall) -> dict[str, Any]:
        """See ``Spoken``."""
        from langchain_core.messages import convert_to_openai_messages

        message = convert_to_openai_messages([answer], text_format="string")[0]
        finish = "length" if is_cut(answer) else "tool_calls" if answer.tool_calls else "stop"
        return {
            "id": "chatcmpl-gateway",
            "object": "chat.completion",
            "created": int(time.time()),
            "model": call.model,
            "choices": [{"index": 0, "message": message, "finish_reason": finish}],
            "usage": {
                "prompt_tokens": call.prompt_tokens,
                "completion_tokens": call.completion_tokens,
                "total_tokens": call.prompt_tokens + call.completion_tokens,
            },
        }

    def events(self, reply: Mapping[str, Any]) -> list[Event]:
        """See ``Spoken``."""
        (choice,) = reply["choices"]
        said = choice["message"]
        calls = [{"index": n, **call} for n, call in enumerate(said.get("tool_calls") or ())]
        delta = {**said, "tool_calls": calls} if calls else said
        chunk = {**reply, "object": "chat.completion.chunk", "usage": None}
        first = {**chunk, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
        last = {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}]}
        counted = {**chunk, "choices": [], "usage": reply["usage"]}
        return [Event(first), Event(last), Event(counted), Event("[DONE]")]
