"""Messages of the providers' protocols, as agents and their SDKs keep them: what was written, and which tools called.

Anthropic's content blocks and OpenAI's tool calls are both read by their shape, since exports of SDK objects leave out
roles and types; Google's parts and those of other tools are made such blocks.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from environment.records import Action, Outcome
from evaluation.importers.dialects import as_block
from evaluation.importers.parsing import GAP, mapping, text, tool_action
from evaluation.importers.results import EXIT_CODES, UNREADABLE, told
from evaluation.importers.turns import Turns

_THOUGHTS = ("thinking", "reasoning", "think")
CALLS = ("function_call", "custom_tool_call")
"""Items of OpenAI's Responses protocol that call a tool of the agent's."""
OF_PROVIDER = ("shell_call", "local_shell_call", "apply_patch_call")
"""Items that call a tool which OpenAI defines."""
ANSWERED = ("code_interpreter_call", "mcp_call")
"""Items of calls that OpenAI itself makes: what came back stands in them."""
_RESULTS = ("tool_result", "web_search_tool_result", "code_execution_tool_result")
_CALL_IDS = ("tool_use_id", "tool_call_id", "toolCallId", "tool_id")
"""Names under which a result says which call it belongs to."""
_GIVEN_BACK = ("content", "output", "result")
"""Names under which a result holds what came back."""
_BESIDE = frozenset({"type", "role", "name", "id", "is_error", "status", "cache_control", "tool_name", "timestamp"})
"""What else stands in a result, which may be all: Anthropic leaves out a content that is empty."""


def blocks(content: object) -> Iterator[dict[str, Any]]:
    """The blocks of a message's content; plain text is one of them."""
    for part in content if isinstance(content, list) else [content]:
        if isinstance(part, dict):
            yield as_block(part)
        elif isinstance(part, str):
            yield {"type": "text", "text": part}


def is_result(block: dict[str, Any]) -> bool:
    """Whether a block is what came back from a tool."""
    return block.get("type") in _RESULTS or ("tool_use_id" in block and "name" not in block)


def is_call(block: dict[str, Any]) -> bool:
    """Whether a block calls a tool."""
    kind = str(block.get("type", ""))
    return kind.endswith("tool_use") or (not kind and "name" in block and "input" in block)


def thoughts_of(block: dict[str, Any]) -> str:
    """What a block holds of the model's thoughts."""
    return next((text(block[name]) for name in _THOUGHTS if isinstance(block.get(name), str)), "")


def assistant(turns: Turns, message: dict[str, Any], key: str | None = None) -> None:
    """Take in what a model wrote and called."""
    reasoning = text(message.get("reasoning_content") or message.get("reasoning"))
    turns.say("reasoning", reasoning, key)
    for block in blocks(message.get("content")):
        if is_call(block):
            call = turns.call(tool_action(*_asked(block)), text(block.get("id") or block.get("tool_id")), key)
            if "result" in block:  # a tool of the provider's, which answers within the message
                call.seen, call.answered = [text(block["result"])], True
        elif is_result(block):
            result(turns, block)
        elif thought := thoughts_of(block):
            turns.say("reasoning", thought, key)
        else:
            turns.say("response", text(block.get("text")), key)
    for made in _calls(message.get("tool_calls") or message.get("toolCalls")):
        function = made.get("function")
        asked = _asked(function if isinstance(function, dict) else {**made, "name": function or made.get("name")})
        turns.call(tool_action(*asked), text(made.get("id")), key)


def result(turns: Turns, block: dict[str, Any]) -> None:
    """Take in what came back from a tool, a content block or a message of the role ``tool``."""
    call_id = next((text(block[name]) for name in _CALL_IDS if block.get(name)), "")
    failed = block.get("is_error") is True or block.get("status") == "error"
    seen, outcome = told(_given_back(block))
    turns.answer(call_id, seen, Outcome.FAILED if failed else outcome)


def _given_back(block: dict[str, Any]) -> object:
    """What a result holds; under a name that nobody knows anything may stand."""
    known = next((block[name] for name in _GIVEN_BACK if name in block), None)
    is_empty = block.keys() <= {*_BESIDE, *_CALL_IDS}
    return known if known is not None else "" if is_empty else UNREADABLE


def _results(turns: Turns, message: dict[str, Any]) -> None:
    """Take in a message of the role ``tool``, which is a result or holds several."""
    held = [block for block in blocks(message.get("content")) if is_result(block)]
    for block in held or [message]:
        result(turns, block)


def conversation(messages: Iterable[dict[str, Any]]) -> tuple[Turns, list[str]]:
    """Read whole messages of either protocol.

    Returns:
        The turns of the assistant, and what the user wrote.
    """
    turns, asked = Turns(), []
    for message in messages:
        role = message.get("role")
        if message is GAP:
            turns.miss()
        elif role == "assistant":
            assistant(turns, message)
        elif role == "tool":
            _results(turns, message)
        elif role == "user":
            asked += user(turns, message)
        else:
            item(turns, message)
    return turns, asked


def of_google(message: dict[str, Any]) -> dict[str, Any]:
    """A content of Google's protocol as a message: its parts as blocks, ``model`` as ``assistant``."""
    role = "assistant" if message.get("role") == "model" else message.get("role") or "user"
    return {"role": role, "content": [_block_of(mapping(part)) for part in message["parts"]]}


def _block_of(part: dict[str, Any]) -> dict[str, Any]:
    called = mapping(part.get("functionCall") or part.get("function_call"))
    answered = mapping(part.get("functionResponse") or part.get("function_response"))
    if called:
        return {"type": "tool_use", "id": called.get("id"), "name": called.get("name"), "input": called.get("args")}
    if answered:
        response = mapping(answered.get("response"))
        seen = next((response[name] for name in ("output", "error", "result") if response.get(name)), response or "")
        seen = json.dumps(response) if not response.keys().isdisjoint(EXIT_CODES) else seen
        return {"type": "tool_result", "tool_use_id": answered.get("id"), "content": seen}
    if part.get("thought") is True:
        return {"type": "thinking", "thinking": text(part.get("text"))}
    return {"type": "text", "text": text(part.get("text"))}


def item(turns: Turns, found: dict[str, Any]) -> None:
    """Take in an item of OpenAI's Responses protocol, where calls and results stand beside the messages."""
    kind = str(found.get("type", ""))
    if kind in CALLS:
        turns.call(tool_action(*_asked(found)), text(found.get("call_id") or found.get("id")))
    elif kind in OF_PROVIDER:
        turns.call(_of_provider(kind, found), text(found.get("call_id") or found.get("id")))
    elif kind in ANSWERED:
        _answered(turns, kind, found)
    elif kind.endswith("_call_output"):
        turns.answer(text(found.get("call_id")), *told(found.get("output")))
    elif kind == "reasoning":
        turns.say("reasoning", text(found.get("summary")))


def _answered(turns: Turns, kind: str, found: dict[str, Any]) -> None:
    is_code = kind == "code_interpreter_call"
    asked = ("code_interpreter", {"code": found.get("code")}) if is_code else _asked(found)
    call = turns.call(tool_action(*asked), text(found.get("id")))
    printed = [text(mapping(part).get("logs")) for part in _calls(found.get("outputs"))]
    call.seen, call.answered = [*printed, text(found.get("output") or found.get("error"))], True
    call.outcome = Outcome.FAILED if found.get("error") or found.get("status") == "failed" else None


def _of_provider(kind: str, found: dict[str, Any]) -> Action:
    """A call of a tool that OpenAI defines: a shell's commands, or the patch of a file."""
    asked = mapping(found.get("action") or found.get("operation"))
    if kind == "apply_patch_call":
        return Action(name="apply_patch", args={"file_path": text(asked.get("path")), "patch": text(asked.get("diff"))})
    commands = asked.get("commands")
    return tool_action("shell", {"command": "; ".join(map(text, commands))} if isinstance(commands, list) else asked)


def user(turns: Turns, message: dict[str, Any]) -> list[str]:
    """Take in the results that a user's message carries; the texts in it."""
    said = []
    for block in blocks(message.get("content")):
        if is_result(block):
            result(turns, block)
        elif words := text(block.get("text")):
            said.append(words)
    return said


def _asked(call: dict[str, Any]) -> tuple[object, object]:
    """Name and arguments of a call."""
    given = next((call[name] for name in ("input", "arguments", "args") if name in call), None)
    return call.get("name") or call.get("tool_name"), given


def _calls(value: object) -> list[dict[str, Any]]:
    return [call for call in value if isinstance(call, dict)] if isinstance(value, list) else []
