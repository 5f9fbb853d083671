"""Sessions of the Gemini CLI: one JSON object, or since 2026 JSON lines of messages and changes to the session.

What ``--output-format stream-json`` prints is read, too.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from environment.records import Action, Outcome
from evaluation.importers.ending import broken_off, by_last_step, span
from evaluation.importers.importer import Found, Importer
from evaluation.importers.messages import blocks
from evaluation.importers.parsing import GAP, figure, mapping, moment, objects, text, tool_action
from evaluation.importers.turns import Call, Turns
from evaluation.record.kinds import DELEGATES, action_text
from evaluation.record.log import RunLog

_CHATS = "chats"
_QUIET = ("info", "warning", "user")
_EXITED = re.compile(r"^Exit Code: (-?\d+)", re.MULTILINE)
_IN_BACKGROUND = re.compile(
    r"Background PIDs: \d|moved to (?:the )?background|running in (?:the )?background", re.IGNORECASE
)
_PROCESSES = re.compile(r"\bPIDs?: (\d+)")
_STOPPED = "before it could complete"
"""Of a command that ran until the user cancelled it; else a cancelled one never began."""
_OUTCOMES = {"success": Outcome.OK, "error": Outcome.FAILED, "cancelled": Outcome.REFUSED}


def _messages(found: Found) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """What the session says of itself, and its messages as they were last written."""
    if not found.has_lines:
        return mapping(found.json), objects(mapping(found.json).get("messages"), found.path, "messages")
    about: dict[str, Any] = {}
    messages: dict[str, dict[str, Any]] = {}
    for line in found.all_lines():
        if line is GAP:
            messages[f"gap {len(messages)}"] = GAP
            continue
        change = mapping(line.get("$set"))
        if "$rewindTo" in line:
            kept = list(messages)
            target = text(line["$rewindTo"])
            for dropped in kept[kept.index(target) :] if target in messages else ():
                del messages[dropped]
        elif "id" in line and "type" in line:
            messages[text(line["id"])] = line
        elif "sessionId" in line or change:
            about |= {name: value for name, value in (change or line).items() if name != "messages"}
            for message in change["messages"] if isinstance(change.get("messages"), list) else ():
                messages[text(mapping(message).get("id"))] = mapping(message)
    return about, list(messages.values())


def _read(found: Found) -> Iterator[RunLog]:
    if not _belongs_to_session(found):
        yield _read_printed(found) if _is_printed(found) else _read_session(found)


def _belongs_to_session(found: Found) -> bool:
    """Whether a file is that of a subagent, ``chats/<session>/<agent>.jsonl``, and the session lies where it should."""
    if next(iter(found.head), {}).get("kind") != "subagent" or found.path.parent.parent.name != _CHATS:
        return False
    return any(found.path.parent.parent.glob(f"session-*-{found.path.parent.name[:8]}.json*"))


def _with_subagents(found: Found, turns: Turns, session: str) -> list[dict[str, Any]]:
    """Put what subagents did behind the calls that began them, in their order; their messages."""
    folder, told = found.path.parent / session, list[dict[str, Any]]()
    if not session or not folder.is_dir():
        return told
    found.used.append(folder)
    inner = [_messages(Found(file, file.name)) for file in sorted(folder.glob("*.jsonl"))]
    calls = turns.calls_of(DELEGATES)
    for about, messages in sorted(inner, key=lambda each: text(each[0].get("startTime"))):
        own, running = Turns(), dict[str, Call]()
        for message in messages:
            if message is GAP:
                own.miss()
            elif message.get("type") == "gemini":
                _turn(own, message, running)
        call = next(calls, None) or turns.call(Action(name="agent"), text(about.get("sessionId")))
        call.nested, call.authored = own.steps(), True
        told += messages
    return told


def _read_session(found: Found) -> RunLog:
    about, messages = _messages(found)
    turns, unknown, running = Turns(), Counter[str](), dict[str, Call]()
    asked, error = [], None
    for message in messages:
        kind = text(message.get("type"))
        if message is GAP:
            turns.miss()
        elif kind == "user" and not _is_from_harness(said := text(message.get("content"))):
            asked.append(said)
        elif kind == "gemini":
            _turn(turns, message, running)
            error = None
        elif kind == "error":
            error = text(message.get("content"))
        elif kind not in _QUIET:
            unknown[kind or "without a kind"] += 1
    found.pass_over(unknown)
    of_others = _with_subagents(found, turns, text(about.get("sessionId")))
    steps = turns.steps()
    return RunLog(
        source=found.source,
        steps=steps,
        task=found.path.parent.parent.name if found.path.parent.name == _CHATS else found.stem,
        task_text="\n\n".join(asked),
        model=next((text(m["model"]) for m in messages if m.get("model")), None),
        agent="gemini-cli",
        tokens=_tokens([*messages, *of_others]),
        **span(about.get("startTime"), _last_moment(about, messages)),
        **(broken_off(error) if error else by_last_step(steps)),
    )


def _last_moment(about: dict[str, Any], messages: list[dict[str, Any]]) -> object:
    """The latest time that a session tells: ``lastUpdated`` is not kept up in each version."""
    told = (about.get("lastUpdated"), *(message.get("timestamp") for message in messages))
    return max(((at, value) for value in told if (at := moment(value))), default=(None, None))[1]


def _read_printed(found: Found) -> RunLog:
    """The events that the CLI prints: words come in pieces, a result names its call."""
    turns, unknown, asked = Turns(), Counter[str](), list[str]()
    said, about, ended, times = "", dict[str, Any](), dict[str, Any](), list[str]()
    for event in found.lines(turns.miss):
        kind = text(event.get("type"))
        times.append(text(event.get("timestamp")))
        if kind == "message" and event.get("role") != "user":
            said += text(event.get("content"))
            continue
        turns.say("response", said)
        said = ""
        if kind == "message":
            asked.append(text(event.get("content")))
        elif kind == "tool_use":
            turns.call(tool_action(event.get("tool_name"), event.get("parameters")), text(event.get("tool_id")))
        elif kind == "tool_result":
            seen = text(event.get("output") or mapping(event.get("error")).get("message"))
            outcome = Outcome.FAILED if event.get("status") == "error" else None
            turns.answer(text(event.get("tool_id")), seen, outcome)
        elif kind == "init":
            about = event
        elif kind in ("result", "error"):
            ended = event
        else:
            unknown[kind or "without a kind"] += 1
    turns.say("response", said)
    found.pass_over(unknown)
    steps, tokens = turns.steps(), figure(mapping(ended.get("stats")).get("total_tokens"))
    error = mapping(ended.get("error")) or (ended if ended.get("type") == "error" else {})
    return RunLog(
        source=found.source,
        steps=steps,
        task=found.stem,
        task_text="\n\n".join(asked),
        model=text(about.get("model")) or None,
        agent="gemini-cli",
        tokens=int(tokens) if tokens else None,
        **span(next(iter(times), ""), next(reversed(times), "")),
        **(broken_off(text(error.get("message"))) if error else by_last_step(steps, is_over=bool(ended))),
    )


def _turn(turns: Turns, message: dict[str, Any], running: dict[str, Call]) -> None:
    """One answer of the model: thoughts, words, and the calls with their results.

    Args:
        turns: What came before.
        message: The answer.
        running: Commands in the background by the id of their process; what is read of one later is its output.
    """
    key = text(message.get("id")) or None
    thoughts = message.get("thoughts")
    for thought in thoughts if isinstance(thoughts, list) else ():
        words = [text(mapping(thought).get(name)) for name in ("subject", "description")]
        turns.say("reasoning", ": ".join(word for word in words if word), key)
    turns.say("response", text(message.get("content")), key)
    calls = message.get("toolCalls")
    for call in calls if isinstance(calls, list) else ():
        given = mapping(call)
        action = tool_action(given.get("name"), given.get("args"))
        if started := running.get(text(action.args.get("pid"))):
            action = Action(name=action.name, args={**action.args, "command": action_text(started.action)})
        made = turns.call(action, text(given.get("id")), key)
        seen = _seen(given)
        code = _EXITED.search(seen)
        made.outcome = _OUTCOMES.get(text(given.get("status")))
        if made.outcome is Outcome.REFUSED and _STOPPED in seen:
            made.outcome = Outcome.KILLED
        if made.outcome is Outcome.OK and code and code[1] != "0":
            made.outcome = Outcome.FAILED
        made.seen, made.answered = [seen], "status" in given
        made.running = bool(_IN_BACKGROUND.search(seen)) and not code
        running |= dict.fromkeys(_PROCESSES.findall(seen), made) if made.running else {}


def _seen(call: dict[str, Any]) -> str:
    """What the model was shown of a call, else what the screen showed."""
    found = []
    for block in blocks(call.get("result")):
        response = mapping(mapping(block.get("functionResponse")).get("response"))
        found.append(text(response.get("output") or response.get("error") or block.get("text")))
    shown = call.get("resultDisplay")
    return "\n".join(part for part in found if part) or text(shown if isinstance(shown, str) else "")


def _tokens(messages: Iterable[dict[str, Any]]) -> int | None:
    counts = [figure(mapping(message.get("tokens")).get("total")) for message in messages]
    known = [count for count in counts if count is not None]
    return int(sum(known)) if known else None


def _is_from_harness(said: str) -> bool:
    return not said.strip() or said.startswith(("<session_context>", "This is the Gemini CLI"))


def _is_printed(found: Found) -> bool:
    first = next(iter(found.head), {})
    return first.get("type") == "init" and {"session_id", "model"} <= first.keys()


def _is_session(found: Found) -> bool:
    if _is_printed(found):
        return True
    about = next(iter(found.head), {}) if found.has_lines else mapping(found.json)
    return "sessionId" in about and "projectHash" in about


GEMINI = Importer(recognises=_is_session, read=_read)
"""The format, as the registry names it."""
