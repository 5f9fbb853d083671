"""Messages as other tools and SDKs write them, made Anthropic's: goose, Crush, Amp, pi, AI SDK, pydantic-ai."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evaluation.importers.parsing import mapping, text

Block = dict[str, Any]


def call_block(call_id: object, name: object, given: object) -> Block:
    """A call of a tool."""
    return {"type": "tool_use", "id": call_id, "name": name, "input": given}


def result_block(call_id: object, seen: object, *, failed: bool = False) -> Block:
    """What came back from one."""
    return {"type": "tool_result", "tool_use_id": call_id, "content": seen, "is_error": failed}


def _goose_call(part: Block) -> Block:
    asked = mapping(part.get("toolCall") or part.get("tool_call"))
    value = mapping(asked.get("value")) or asked
    return call_block(part.get("id"), value.get("name"), value.get("arguments"))


def _goose_result(part: Block) -> Block:
    came = mapping(part.get("toolResult") or part.get("tool_result"))
    value = came.get("value")
    content = value.get("content") if isinstance(value, dict) else value
    failed = came.get("status") == "error" or mapping(value).get("isError") is True
    return result_block(part.get("id"), content or text(came.get("error")), failed=failed)


def _crush_text(part: Block) -> Block:
    return {"type": "text", "text": text(mapping(part["data"]).get("text"))}


def _crush_thought(part: Block) -> Block:
    return {"type": "thinking", "thinking": text(mapping(part["data"]).get("thinking"))}


def _crush_call(part: Block) -> Block:
    asked = mapping(part["data"])
    return call_block(asked.get("id"), asked.get("name"), asked.get("input"))


def _crush_result(part: Block) -> Block:
    came = mapping(part["data"])
    return result_block(came.get("tool_call_id"), came.get("content"), failed=came.get("is_error") is True)


def _sdk_call(part: Block) -> Block:
    return call_block(part.get("toolCallId"), part.get("toolName"), part.get("input", part.get("args")))


def _sdk_result(part: Block) -> Block:
    came = part.get("output", part.get("result"))
    kind = mapping(came).get("type")
    failed = part.get("isError") is True or str(kind).startswith("error")
    return result_block(part.get("toolCallId"), _value(came), failed=failed)


def _value(came: object) -> object:
    """An output of the AI SDK, which tells its own type."""
    return mapping(came).get("value", came)


def _pydantic_call(part: Block) -> Block:
    return call_block(part.get("tool_call_id"), part.get("tool_name"), part.get("args"))


def _pydantic_result(part: Block) -> Block:
    failed = part.get("part_kind") == "retry-prompt" or text(part.get("outcome")) in _FAILED
    return result_block(part.get("tool_call_id"), part.get("content"), failed=failed)


def _pydantic_retry(part: Block) -> Block:
    return _pydantic_result(part) if part.get("tool_name") else _words(part)


def _words(part: Block) -> Block:
    return {"type": "text", "text": text(part.get("content"))}


def _pydantic_thought(part: Block) -> Block:
    return {"type": "thinking", "thinking": text(part.get("content"))}


def _amp_result(part: Block) -> Block:
    run = mapping(part.get("run"))
    came = run.get("result", run.get("error"))
    seen = mapping(came).get("output", came)
    return result_block(part.get("toolUseID"), seen, failed=run.get("status") in ("error", "cancelled"))


def _pi_call(part: Block) -> Block:
    return call_block(part.get("id"), part.get("name"), part.get("arguments"))


_OF_KIND: dict[str, Callable[[Block], Block]] = {
    "toolCall": _pi_call,
    "toolRequest": _goose_call,
    "toolResponse": _goose_result,
    "tool-call": _sdk_call,
    "tool-result": _sdk_result,
}
_OF_CRUSH: dict[str, Callable[[Block], Block]] = {
    "text": _crush_text,
    "reasoning": _crush_thought,
    "tool_call": _crush_call,
    "tool_result": _crush_result,
}
_FAILED = ("failed", "retried", "denied")
_OF_PYDANTIC: dict[str, Callable[[Block], Block]] = {
    "tool-call": _pydantic_call,
    "tool-return": _pydantic_result,
    "retry-prompt": _pydantic_retry,
    "thinking": _pydantic_thought,
    "user-prompt": _words,
    "text": _words,
}
_PYDANTIC_ROLES = {"request": "user", "response": "assistant"}


def as_block(part: Block) -> Block:
    """A block as Anthropic has it; one of no known dialect as it is."""
    kind = text(part.get("type"))
    if "toolUseID" in part:
        return _amp_result(part)
    if isinstance(part.get("data"), dict) and kind in _OF_CRUSH:
        return _OF_CRUSH[kind](part)
    return _OF_KIND[kind](part) if kind in _OF_KIND else part


def of_pi(message: Block) -> Block:
    """A message of pi's with what came back from a tool."""
    failed = message.get("isError") is True
    return {
        "role": "tool",
        "content": [result_block(message.get("toolCallId"), text(message.get("content")), failed=failed)],
    }


def is_pydantic(message: Block) -> bool:
    """Whether a message is one of pydantic-ai's."""
    return text(message.get("kind")) in _PYDANTIC_ROLES and isinstance(message.get("parts"), list)


def of_pydantic(message: Block) -> Block:
    """A message of pydantic-ai's as one of Anthropic's; its system prompt is left out."""
    parts = [mapping(part) for part in message["parts"]]
    known = [(_OF_PYDANTIC.get(text(part.get("part_kind"))), part) for part in parts]
    content = [made(part) for made, part in known if made]
    return {"role": _PYDANTIC_ROLES[message["kind"]], "content": content, "model": message.get("model_name")}
