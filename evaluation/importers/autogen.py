"""Messages and events of AutoGen's AgentChat, made Anthropic's: who speaks is a ``source``, what happens a ``type``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evaluation.importers.dialects import Block, call_block, result_block
from evaluation.importers.parsing import mapping, text
from evaluation.importers.results import UNREADABLE, is_readable

_INTERPRETER = "python_interpreter"


def is_autogen(message: Block) -> bool:
    """Whether it is one of AutoGen's: of a type that is known, or with a speaker, as new types have."""
    kind = message.get("type")
    return "role" not in message and isinstance(kind, str) and (kind in _OF_TYPE or "source" in message)


def unknown_kind(message: Block) -> str:
    """What to call a message of AutoGen's that cannot be read; empty for one that is."""
    kind = text(message.get("type"))
    if not is_autogen(message) or ("source" in message and kind in _OF_TYPE):
        return ""
    return kind if "source" in message else f"{kind} of nobody"


def of_autogen(message: Block) -> Block:
    """It as a message of a role; one that only repeats what a tool gave, or asks who is next, says nothing."""
    return _nothing(message) if unknown_kind(message) else _OF_TYPE[message["type"]](message)


def _said(message: Block) -> Block:
    role = "user" if message.get("source") == "user" else "assistant"
    return {"role": role, "content": message.get("content")}


def _thought(message: Block) -> Block:
    return {"role": "assistant", "content": [{"type": "thinking", "thinking": text(message.get("content"))}]}


def _called(message: Block) -> Block:
    calls = [mapping(call) for call in _listed(message.get("content"))]
    made = [call_block(call.get("id"), call.get("name"), _given(call.get("arguments"))) for call in calls]
    return {"role": "assistant", "content": made}


def _returned(message: Block) -> Block:
    content = message.get("content")
    came = [mapping(each) for each in (content if isinstance(content, list) else [content])]
    seen = [
        result_block(each.get("call_id"), each.get("content"), failed=each.get("is_error") is True) for each in came
    ]
    return {"role": "tool", "content": seen}


def _wrote_code(message: Block) -> Block:
    code = "\n".join(text(mapping(block).get("code")) for block in _listed(message.get("code_blocks")))
    return {"role": "assistant", "content": [call_block(None, _INTERPRETER, {"code": code})]}


def _ran_code(message: Block) -> Block:
    came = mapping(message.get("result"))
    return {
        "role": "tool",
        "content": [result_block(None, came.get("output"), failed=came.get("exit_code") not in (0, None))],
    }


def _nothing(_: Block) -> Block:
    return {"role": "system", "content": ""}


def _given(arguments: object) -> object:
    return arguments if is_readable(arguments) else UNREADABLE


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


_OF_TYPE: dict[str, Callable[[Block], Block]] = {
    "TextMessage": _said,
    "MultiModalMessage": _said,
    "StopMessage": _said,
    "HandoffMessage": _said,
    "ThoughtEvent": _thought,
    "ToolCallRequestEvent": _called,
    "ToolCallExecutionEvent": _returned,
    "CodeGenerationEvent": _wrote_code,
    "CodeExecutionEvent": _ran_code,
    "ToolCallSummaryMessage": _nothing,
    "MemoryQueryEvent": _nothing,
    "SelectSpeakerEvent": _nothing,
    "UserInputRequestedEvent": _nothing,
    "ModelClientStreamingChunkEvent": _nothing,
}
