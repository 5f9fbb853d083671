"""Chats of VS Code with Copilot or another agent, as "Chat: Export Chat…" writes them and ``chatSessions/`` keeps them.

What an agent called, and what came back, stands in the result's metadata; the pages' own parts stand in for it where a
result has none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from evaluation.importers.agents.vscode_kept import begins_kept_chat, kept_chat
from evaluation.importers.ending import INTERRUPTED, broken_off, by_last_step, span
from evaluation.importers.importer import Found, Importer
from evaluation.importers.parsing import mapping, mappings, text, tool_action
from evaluation.importers.turns import Turns
from evaluation.record.log import RunLog

_CALLED = "toolInvocationSerialized"
_OF_CALL = "__vscode-"
"""Behind it VS Code counts the calls of one id."""


def _read(found: Found) -> Iterator[RunLog]:
    unmade = Counter[str]()
    chat = kept_chat(found.lines(), unmade) if found.has_lines else mapping(found.json)
    found.pass_over(unmade)
    requests = mappings(chat.get("requests"))
    if not requests:
        return
    turns, asked = Turns(), []
    for request in requests:
        asked.append(_message(request.get("message")))
        rounds = mappings(_metadata(request).get("toolCallRounds"))
        _rounds(turns, rounds, mapping(_metadata(request).get("toolCallResults")))
        _parts(turns, _new(request, rounds))
    steps, last = turns.steps(), requests[-1]
    times = [request.get("timestamp") for request in requests]
    ended = text(mapping(mapping(last.get("result")).get("errorDetails")).get("message"))
    is_stopped = last.get("isCanceled") is True
    yield RunLog(
        source=found.source,
        steps=steps,
        task=text(chat.get("customTitle")) or found.stem,
        task_text="\n\n".join(filter(None, asked)),
        model=next((text(one["modelId"]).rpartition("/")[2] for one in requests if one.get("modelId")), None),
        agent="vscode-chat",
        **span(times[0], mapping(last.get("modelState")).get("completedAt") or times[-1]),
        **(INTERRUPTED if is_stopped else broken_off(ended) if ended else by_last_step(steps)),
    )


def _message(message: object) -> str:
    return text(message.get("text")) if isinstance(message, dict) else text(message)


def _metadata(request: dict[str, Any]) -> dict[str, Any]:
    return mapping(mapping(request.get("result")).get("metadata"))


def _rounds(turns: Turns, rounds: list[dict[str, Any]], results: dict[str, Any]) -> None:
    """What the model wrote and called at once, again and again, with what came back."""
    for one in rounds:
        turns.begin()
        turns.say("reasoning", text(mapping(one.get("thinking")).get("text")))
        turns.say("response", text(one.get("response")))
        for call in mappings(one.get("toolCalls")):
            call_id = text(call.get("id"))
            turns.call(tool_action(call.get("name"), call.get("arguments")), call_id)
            result = results.get(call_id) or results.get(call_id.partition(_OF_CALL)[0])
            if result is not None:
                turns.answer(call_id, _shown(mapping(result).get("content")).strip())


def _new(request: dict[str, Any], rounds: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The parts of a response that the metadata does not have: all, or the words behind the last call."""
    parts = mappings(request.get("response"))
    if not rounds:
        return parts
    last = max((n for n, part in enumerate(parts) if part.get("kind") == _CALLED), default=len(parts))
    return parts[last + 1 :] if rounds[-1].get("toolCalls") else []


def _parts(turns: Turns, parts: list[dict[str, Any]]) -> None:
    """What the page shows: words, and calls with what it tells of them."""
    for part in parts:
        if part.get("kind") == _CALLED:
            _called(turns, part)
        elif part.get("kind") in (None, "markdownContent"):
            turns.say("response", text(part.get("value") or mapping(part.get("content")).get("value")))


def _called(turns: Turns, part: dict[str, Any]) -> None:
    """A call as the page tells it: a command with its output, or in words."""
    about, details = mapping(part.get("toolSpecificData")), mapping(part.get("resultDetails"))
    command = mapping(about.get("commandLine"))
    script = command.get("toolEdited") or command.get("original") or about.get("command")
    asked = {"command": script} if script else details.get("input") or _words(part.get("invocationMessage"))
    printed = mapping(about.get("terminalCommandOutput")).get("text") or _shown(details.get("output"))
    turns.call(tool_action(part.get("toolId"), asked), text(part.get("toolCallId")))
    turns.answer(text(part.get("toolCallId")), text(printed) or _words(part.get("pastTenseMessage")))


def _words(message: object) -> str:
    return text(message.get("value")) if isinstance(message, dict) else text(message)


def _shown(value: object) -> str:
    """The text of a result, which may be a tree of what was rendered for the model."""
    if isinstance(value, list):
        return "".join(map(_shown, value))
    if not isinstance(value, dict):
        return text(value)
    words = text(value.get("text"))
    begins = "\n" if value.get("lineBreakBefore") else ""
    return begins + words + "".join(_shown(value.get(name)) for name in ("value", "node", "children"))


def _recognises(found: Found) -> bool:
    if found.head:
        return begins_kept_chat(found.head[0])
    requests = mappings(mapping(found.json).get("requests"))
    return bool(requests) and all("message" in request and "response" in request for request in requests)


VSCODE_CHAT = Importer(recognises=_recognises, read=_read)
"""The format, as the registry names it."""
