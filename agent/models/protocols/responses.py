"""OpenAI's responses, of which functions and text are taken; state on the server is not."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from agent.models.endings import is_cut
from agent.models.protocols.spoken import Asked, arguments_of, function, text_of
from environment.gateway.server import Event

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, BaseMessage

    from environment.records import ModelCall

_CHOICES = {"required": "any"}


class Responses:
    """``/v1/responses``."""

    def read(self, body: Mapping[str, Any]) -> Asked:
        """See ``Spoken``; what had no use for text models (reasoning, hosted tools) is left out."""
        from langchain_core.messages import SystemMessage

        if body.get("previous_response_id"):
            raise ValueError("previous_response_id: nothing is kept here, send the whole input")
        asked = body["input"]
        items = [{"type": "message", "role": "user", "content": asked}] if isinstance(asked, str) else asked
        instructions = body.get("instructions")
        chosen = body.get("tool_choice")
        if isinstance(chosen, Mapping):
            chosen = chosen.get("name")
        return Asked(
            model=str(body.get("model")),
            messages=[*([SystemMessage(instructions)] if instructions else []), *_messages(items)],
            tools=[
                function(tool["name"], tool.get("description"), tool.get("parameters"))
                for tool in body.get("tools") or ()
                if tool.get("type") == "function"
            ],
            tool_choice=None if chosen is None else _CHOICES.get(chosen, chosen),
            stream=bool(body.get("stream")),
        )

    def reply(self, answer: AIMessage, call: ModelCall) -> dict[str, Any]:
        """See ``Spoken``."""
        output: list[dict[str, Any]] = []
        if answer.text:
            output.append(
                {
                    "type": "message",
                    "id": "msg_0",
                    "status": "completed",
                    "role": "assistant",
                    "content": [{"type": "output_text", "text": str(answer.text), "annotations": []}],
                }
            )
        output += [
            {
                "type": "function_call",
                "id": f"fc_{n}",
                "status": "completed",
                "call_id": made["id"] or f"call_{n}",
                "name": made["name"],
                "arguments": json.dumps(made["args"]),
            }
            for n, made in enumerate(answer.tool_calls)
        ]
        cut = is_cut(answer)
        return {
            "id": "resp_gateway",
            "object": "response",
            "created_at": int(time.time()),
            "status": "incomplete" if cut else "completed",
            "incomplete_details": {"reason": "max_output_tokens"} if cut else None,
            "error": None,
            "model": call.model,
            "output": output,
            "parallel_tool_calls": True,
            "usage": {
                "input_tokens": call.prompt_tokens,
                "input_tokens_details": {"cached_tokens": call.cached_tokens},
                "output_tokens": call.completion_tokens,
                "output_tokens_details": {"reasoning_tokens": call.reasoning_tokens},
                "total_tokens": call.prompt_tokens + call.completion_tokens,
            },
        }

    def events(self, reply: Mapping[str, Any]) -> list[Event]:
        """See ``Spoken``."""
        begun = {**reply, "status": "in_progress", "output": [], "usage": None}
        stream: list[tuple[str, dict[str, Any]]] = [("response.created", {"response": begun})]
        for n, item in enumerate(reply["output"]):
            stream.append(("response.output_item.added", {"output_index": n, "item": item}))
            stream.append(_delta(n, item))
            stream.append(("response.output_item.done", {"output_index": n, "item": item}))
        end = "response.incomplete" if reply["incomplete_details"] else "response.completed"
        stream.append((end, {"response": reply}))
        return [Event({"type": name, "sequence_number": n, **data}, name) for n, (name, data) in enumerate(stream)]


def _delta(n: int, item: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    place = {"output_index": n, "item_id": item["id"]}
    if item["type"] == "message":
        return "response.output_text.delta", {**place, "content_index": 0, "delta": item["content"][0]["text"]}
    return "response.function_call_arguments.delta", {**place, "delta": item["arguments"]}


def _messages(items: Sequence[Mapping[str, Any]]) -> Iterator[BaseMessage]:
    """The items of an input as messages; calls of one answer stand in one message."""
    from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage

    kinds = {"user": HumanMessage, "system": SystemMessage, "developer": SystemMessage}
    said: AIMessage | None = None
    for item in items:
        kind = item.get("type", "message")
        if kind == "function_call" or (kind == "message" and item["role"] == "assistant"):
            said = said or AIMessage("")
            if kind == "message":
                said.content = "\n".join(filter(None, (str(said.text), text_of(item["content"]))))
            else:
                made = {"name": item["name"], "args": arguments_of(item["arguments"]), "id": item["call_id"]}
                said.tool_calls.append({**made, "type": "tool_call"})  # type: ignore[typeddict-item]
            continue
        if said is not None and kind in ("message", "function_call_output"):
            yield said
            said = None
        if kind == "function_call_output":
            yield ToolMessage(text_of(item["output"]), tool_call_id=item["call_id"])
        elif kind == "message":
            yield kinds[item["role"]](text_of(item["content"]))
    if said is not None:
        yield said
