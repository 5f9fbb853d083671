"""Anthropic's messages."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from agent.models.endings import is_cut
from agent.models.protocols.spoken import Asked, function, text_of
from environment.gateway.server import Event

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, BaseMessage

    from environment.records import ModelCall


class Messages:
    """``/v1/messages``."""

    def read(self, body: Mapping[str, Any]) -> Asked:
        """See ``Spoken``; thinking and pictures of earlier messages are left out."""
        from langchain_core.messages import SystemMessage

        system, chosen = text_of(body.get("system") or ""), body.get("tool_choice") or {}
        return Asked(
            model=str(body.get("model")),
            messages=[*([SystemMessage(system)] if system else []), *_messages(body["messages"])],
            tools=[
                function(tool["name"], tool.get("description"), tool["input_schema"])
                for tool in body.get("tools") or ()
                if "input_schema" in tool
            ],
            tool_choice=chosen.get("name") or chosen.get("type"),
            stop=body.get("stop_sequences") or None,
            stream=bool(body.get("stream")),
        )

    def reply(self, answer: AIMessage, call: ModelCall) -> dict[str, Any]:
        """See ``Spoken``."""
        content: list[dict[str, Any]] = [{"type": "text", "text": str(answer.text)}] if answer.text else []
        content += [
            {"type": "tool_use", "id": made["id"] or f"toolu_{n}", "name": made["name"], "input": made["args"]}
            for n, made in enumerate(answer.tool_calls)
        ]
        return {
            "id": "msg_gateway",
            "type": "message",
            "role": "assistant",
            "model": call.model,
            "content": content,
            "stop_reason": "max_tokens" if is_cut(answer) else "tool_use" if answer.tool_calls else "end_turn",
            "stop_sequence": None,
            "usage": {
                "input_tokens": call.prompt_tokens - call.cached_tokens,
                "cache_read_input_tokens": call.cached_tokens,
                "cache_creation_input_tokens": 0,
                "output_tokens": call.completion_tokens,
            },
        }

    def events(self, reply: Mapping[str, Any]) -> list[Event]:
        """See ``Spoken``."""
        begun = {**reply, "content": [], "stop_reason": None}
        stop = {"stop_reason": reply["stop_reason"], "stop_sequence": None}
        return [
            _event("message_start", message=begun),
            *(event for n, block in enumerate(reply["content"]) for event in _block(n, block)),
            _event("message_delta", delta=stop, usage=reply["usage"]),
            _event("message_stop"),
        ]


def _event(name: str, **data: Any) -> Event:
    return Event({"type": name, **data}, name)


def _block(n: int, block: Mapping[str, Any]) -> list[Event]:
    begun: dict[str, Any]
    if block["type"] == "text":
        begun, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": block["text"]}
    else:
        begun = {**block, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    return [
        _event("content_block_start", index=n, content_block=begun),
        _event("content_block_delta", index=n, delta=delta),
        _event("content_block_stop", index=n),
    ]


def _messages(messages: Sequence[Mapping[str, Any]]) -> Iterator[BaseMessage]:
    """The messages of a request; each result of a tool is a message of its own."""
    from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage

    for message in messages:
        content = message["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        text = "\n".join(block["text"] for block in blocks if block["type"] == "text")
        if message["role"] == "assistant":
            calls = [
                {"name": block["name"], "args": block["input"], "id": block["id"], "type": "tool_call"}
                for block in blocks
                if block["type"] == "tool_use"
            ]
            yield AIMessage(text, tool_calls=calls)
            continue
        for block in blocks:
            if block["type"] == "tool_result":
                yield ToolMessage(text_of(block.get("content") or ""), tool_call_id=block["tool_use_id"])
        if text:
            yield SystemMessage(text) if message["role"] == "system" else HumanMessage(text)
