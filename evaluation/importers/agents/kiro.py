"""Sessions of Kiro's command line, once Amazon Q's: saved by ``/chat save``, in its database, in ``~/.kiro/sessions``.

Three forms of one conversation: turns of a user and an assistant, messages a line, and events a line.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from environment.records import Outcome
from evaluation.importers.ending import by_last_step, span
from evaluation.importers.errors import LogError
from evaluation.importers.importer import Found, Importer
from evaluation.importers.parsing import load_json, mapping, mappings, text, tool_action
from evaluation.importers.turns import Turns
from evaluation.record.log import RunLog

_MESSAGES = ("Prompt", "AssistantMessage", "ToolResults")
_EVENTS = ("user", "assistant", "tool_call", "tool_result")


class _Session:
    """A session in the making, whichever form it is in."""

    def __init__(self) -> None:
        self.turns = Turns()
        self.asked: list[str] = []
        self.folder = ""

    def calls(self, calls: object, call_id: str, args: str) -> None:
        """Tool calls with their ids and arguments under these names."""
        for made in mappings(calls):
            self.turns.call(tool_action(made.get("name"), made.get(args)), text(made.get(call_id)))

    def came_back(self, call_id: object, content: object, *, ok: bool) -> None:
        """What came back from a call."""
        parts = content if isinstance(content, list) else [content]
        seen, code = zip(*map(_part, parts), strict=True) if parts else ((), ())
        failed = not ok or any(found not in ("", "0") for found in code)
        self.turns.answer(text(call_id), "\n".join(filter(None, seen)), Outcome.FAILED if failed else Outcome.OK)


def _part(part: object) -> tuple[str, str]:
    """The text of a part of a result, and the exit status that it tells of a command."""
    if not isinstance(part, dict):
        return text(part), ""
    found = part.get("Text") or part.get("text") or part.get("Json") or part.get("json") or part.get("data") or part
    if not isinstance(found, dict):
        return text(found), ""
    printed = [text(found.get(name)) for name in ("stdout", "stderr")]
    is_command = "stdout" in found or "stderr" in found
    return "\n".join(filter(None, printed)) if is_command else json.dumps(found), text(found.get("exit_status"))


def of_turns(found: Found, conversation: dict[str, Any], source: str, folder: str = "") -> RunLog:
    """The run of a saved conversation, or of a row of Kiro's database."""
    session, times = _Session(), []
    for turn in mappings(conversation.get("history")):
        user, about = mapping(turn.get("user")), mapping(turn.get("request_metadata"))
        times += [user.get("timestamp"), about.get("stream_end_timestamp_ms")]
        where = mapping(mapping(user.get("env_context")).get("env_state")).get("current_working_directory")
        session.folder = session.folder or text(where)
        for content in map(mapping, mapping(user.get("content")).values()):  # a prompt, results, or both
            session.asked.append(text(content.get("prompt")))
            for result in mappings(content.get("tool_use_results")):
                is_ok = text(result.get("status")).lower() != "error"
                session.came_back(result.get("tool_use_id"), result.get("content"), ok=is_ok)
        assistant = mapping(turn.get("assistant"))
        said = mapping(assistant.get("ToolUse")) or mapping(assistant.get("Response"))
        session.turns.say("response", text(said.get("content")))
        session.calls(said.get("tool_uses"), "id", "args")
    session.folder = folder or session.folder
    known = [time for time in times if time]
    model = text(mapping(conversation.get("model_info")).get("model_id"))
    return _log(found, session, source, model, known)


def _of_lines(found: Found) -> Iterator[RunLog]:
    session, times = _Session(), []
    for line in found.lines(session.turns.miss):
        if isinstance(line.get("payload"), dict):
            times.append(line.get("timestamp"))
            _event(session, line["payload"])
        else:
            _message(session, text(line.get("kind")), mapping(line.get("data")))
    about = _beside(found)
    session.folder = text(about.get("cwd"))
    state = mapping(mapping(about.get("session_state")).get("rts_model_state"))
    model = text(about.get("modelId")) or text(mapping(state.get("model_info")).get("model_id"))
    yield _log(found, session, found.source, model, [time for time in times if time])


def _beside(found: Found) -> dict[str, Any]:
    """What Kiro keeps of a session beside its lines."""
    for file in (found.path.with_name(f"{found.stem}.json"), found.path.with_name("session.json")):
        if file.is_file():
            found.used.append(file)
            with suppress(LogError):
                return mapping(load_json(file))
    return {}


def _message(session: _Session, kind: str, data: dict[str, Any]) -> None:
    content = mappings(data.get("content"))
    said = "\n".join(text(part.get("data")) for part in content if part.get("kind") == "text")
    if kind == "Prompt":
        session.asked.append(said)
    elif kind == "AssistantMessage":
        session.turns.say("response", said)
        session.calls([part.get("data") for part in content if part.get("kind") == "toolUse"], "toolUseId", "input")
    elif kind == "ToolResults":
        for result in (mapping(part.get("data")) for part in content if part.get("kind") == "toolResult"):
            is_ok = text(result.get("status") or "success").lower() == "success"
            session.came_back(result.get("toolUseId"), result.get("content"), ok=is_ok)


def _event(session: _Session, event: dict[str, Any]) -> None:
    match event.get("type"):
        case "user":
            session.asked.append(text(event.get("content")))
        case "assistant" if event.get("operationType") == "Say":
            session.turns.say("response", text(event.get("content")))
        case "tool_call":
            action = tool_action(event.get("toolName"), event.get("args"))
            session.turns.call(action, text(event.get("toolCallId")))
        case "tool_result":
            session.came_back(event.get("toolCallId"), event.get("content"), ok=event.get("success") is not False)


def _log(found: Found, session: _Session, source: str, model: str, times: list[Any]) -> RunLog:
    steps = session.turns.steps()
    return RunLog(
        source=source,
        steps=steps,
        task=Path(session.folder).name or found.stem,
        task_text="\n\n".join(filter(None, session.asked)),
        model=model or None,
        agent="kiro",
        **span(*(times[0], times[-1]) if times else (None, None)),
        **by_last_step(steps),
    )


def _is_saved(data: object) -> bool:
    history = mapping(data).get("history")
    first = mapping(history[0]) if isinstance(history, list) and history else {}
    return first.keys() >= {"user", "assistant"}


def _recognises(found: Found) -> bool:
    if found.has_lines:
        kinds = {text(line.get("kind")) for line in found.head if isinstance(line.get("data"), dict)}
        events = {text(mapping(line.get("payload")).get("type")) for line in found.head}
        return not kinds.isdisjoint(_MESSAGES) or len(events.intersection(_EVENTS)) > 1
    return _is_saved(found.json)


def _read(found: Found) -> Iterator[RunLog]:
    return _of_lines(found) if found.has_lines else iter([of_turns(found, found.json, found.source)])


KIRO = Importer(recognises=_recognises, read=_read)
"""The format, as the registry names it."""
