"""Sessions of Cline's command line and SDK: ``<session>.messages.json``, with what its manifest tells beside it.

A call may hold several commands; its result is a list of what each of them gave.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from environment.records import Action, Outcome
from evaluation.importers.ending import INTERRUPTED, Ending, broken_off, by_last_step, span
from evaluation.importers.errors import LogError
from evaluation.importers.importer import Found
from evaluation.importers.messages import assistant, blocks, is_call, is_result
from evaluation.importers.parsing import figure, load_json, mapping, mappings, text, tool_action
from evaluation.importers.turns import Call, Turns
from evaluation.record.log import RunLog

_SUFFIX = ".messages"
_COUNTED = ("inputTokens", "outputTokens")


def is_session(found: Found) -> bool:
    """Whether a file is that of a session's messages."""
    data = {} if found.is_folder or found.has_lines else mapping(found.json)
    return {"messages", "sessionId"} <= data.keys() and found.path.stem.endswith(_SUFFIX)


def read_session(found: Found) -> Iterator[RunLog]:
    """The run of a session."""
    manifest, session = _manifest(found), _Session()
    messages = mappings(found.json["messages"])
    for message in messages:
        session.take(message)
    steps = session.turns.steps()
    spent = [mapping(message.get("metrics")) for message in messages]
    costs = [cost for of_one in spent if (cost := figure(of_one.get("cost"))) is not None]
    times = [message["ts"] for message in messages if message.get("ts")]
    models = (text(mapping(message.get("modelInfo")).get("id")) for message in messages)
    yield RunLog(
        source=found.source,
        steps=steps,
        task=Path(text(manifest.get("cwd"))).name or found.stem.removesuffix(_SUFFIX),
        task_text="\n\n".join(session.asked),
        model=next(filter(None, models), "") or text(manifest.get("model")) or None,
        agent="cline",
        tokens=int(sum(figure(of_one.get(name)) or 0 for of_one in spent for name in _COUNTED)) or None,
        cost=sum(costs) if costs else None,
        **span(times[0] if times else manifest.get("started_at"), times[-1] if times else manifest.get("ended_at")),
        **_ending(text(manifest.get("status")), by_last_step(steps, is_over=manifest.get("status") == "completed")),
    )


def _manifest(found: Found) -> dict[str, Any]:
    """What lies beside the messages about the session: under its own name, or that of the session which began it."""
    path = found.path.with_name(f"{found.path.parent.name}.json")
    with suppress(LogError):
        if path.is_file():
            found.used.append(path)
            return mapping(load_json(path))
    return {}


def _ending(status: str, otherwise: Ending) -> Ending:
    if status == "failed":
        return broken_off("the session failed")
    return INTERRUPTED if status == "cancelled" else otherwise


class _Session:
    """A session as far as it was read."""

    def __init__(self) -> None:
        self.turns = Turns()
        self.asked: list[str] = []
        self._calls: dict[str, list[Call]] = {}

    def take(self, message: dict[str, Any]) -> None:
        """Take in one message."""
        held = list(blocks(message.get("content")))
        if message.get("role") == "assistant":
            self.turns.begin()
            assistant(self.turns, {"content": [block for block in held if not is_call(block)]})
            for block in filter(is_call, held):
                self._call(text(block.get("id")), text(block.get("name")), block.get("input"))
            return
        for block in held:
            if is_result(block):
                self._answer(block)
            elif said := text(block.get("text")):
                self.asked.append(said)

    def _call(self, call_id: str, name: str, given: object) -> None:
        asked = mapping(given)
        if name == "submit_and_exit":
            self.turns.say("final_answer", text(asked.get("summary")))
            name = "submit"
        actions = list(_commands(given)) if name == "run_commands" else [_action(name, asked)]
        self._calls[call_id] = [self.turns.call(action) for action in actions]

    def _answer(self, block: dict[str, Any]) -> None:
        """What came back for a call: to each of its commands its own, where it tells as many."""
        calls, failed = self._calls.get(text(block.get("tool_use_id")), []), block.get("is_error") is True
        content = block.get("content")
        operations = [each for each in mappings(content) if "success" in each]
        if len(operations) != len(calls):
            operations = [{"result": _result(content), "success": None}] * bool(calls)
        for call in calls:
            call.answered = True
        for call, operation in zip(calls, operations, strict=False):
            call.seen = [_result(operation.get("result")), text(operation.get("error"))]
            failed_here = failed or operation["success"] is False
            call.outcome = Outcome.FAILED if failed_here else Outcome.OK if operation["success"] else None


def _result(value: object) -> str:
    """What operations gave, or one of them did."""
    told = [_result(part.get("result")) + text(part.get("error")) for part in mappings(value) if "success" in part]
    return "\n".join(told) or text(value)


def _commands(given: object) -> Iterator[Action]:
    """The commands of a call, each as text or as a program with its arguments."""
    asked = given.get("commands", given) if isinstance(given, dict) else given
    for each in asked if isinstance(asked, list) else [asked]:
        about = mapping(each)
        words = [text(about.get("command") or about.get("cmd")), *map(text, about.get("args") or [])]
        command = text(each) if isinstance(each, str) else words[0] if len(words) == 1 else shlex.join(words)
        yield Action(name="bash", args={"command": command})


def _action(name: str, asked: dict[str, Any]) -> Action:
    if name != "editor":
        return tool_action(name, asked)
    old, path, new = asked.get("old_text"), text(asked.get("path")), text(asked.get("new_text"))
    if old is not None:
        return Action(name="edit", args={"file_path": path, "old_string": text(old), "new_string": new})
    return Action(name="insert" if asked.get("insert_line") else "write", args={"file_path": path, "content": new})
