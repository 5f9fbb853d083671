"""Sessions of Codex: the rollouts that the CLI keeps, and the events that ``codex exec --json`` prints."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from environment.records import Action, Outcome
from evaluation.importers.agents.codex_results import printed_by, share
from evaluation.importers.agents.codex_scripts import SCRIPT, calls_in
from evaluation.importers.ending import INTERRUPTED, Ending, broken_off, by_last_step, span
from evaluation.importers.importer import Found, Importer
from evaluation.importers.parsing import figure, mapping, text, tool_action
from evaluation.importers.results import outcome_of
from evaluation.importers.turns import Call, Turns
from evaluation.record.kinds import action_text
from evaluation.record.log import RunLog

_WRAPPED = frozenset({"session_meta", "response_item", "event_msg", "turn_context", "compacted", "world_state"})
_QUIET = frozenset(
    [
        "event_msg",
        "turn_context",
        "compacted",
        "world_state",
        "ghost_snapshot",
        "web_search_call",
        "web_search",
        "image_generation_call",
        "tool_search_call",
        "tool_search_output",
        "todo_list",
        "token_usage_record",
        "item.started",
        "item.updated",
        "turn.started",
        "inter_agent_communication",
        "inter_agent_communication_metadata",
        "additional_tools",
        "context_compaction",
        "compaction",
        "compaction_trigger",
    ]
)
_OF_OTHERS = "spawn_agent"
"""What a call is named that has to do with other agents: they are begun, written to or waited for."""
_ITEMS = {"agent_message": "response", "reasoning": "reasoning"}
_BY_HARNESS = re.compile(r"\s*(?:<\w+[> ]|# AGENTS\.md instructions)")
_EXITED = re.compile(r"(?:exited with code|^Exit code:) (-?\d+)", re.MULTILINE)
_RUNNING = re.compile(r"Process running with session ID (\d+)")
_UNKEPT = "[content omitted: what is printed names the changed files alone]"
"""In the place of a patch."""
_TIMED_OUT = re.compile(r"command timed out after")


@dataclass
class _Session:
    """A session as far as it was read."""

    turns: Turns = field(default_factory=Turns)
    asked: list[str] = field(default_factory=list)
    running: dict[str, Call] = field(default_factory=dict)
    scripts: dict[str, list[Call]] = field(default_factory=dict)
    unknown: Counter[str] = field(default_factory=Counter)
    first: str = ""
    last: str = ""
    folder: str = ""
    model: str | None = None
    tokens: int | None = None
    error: str | None = None
    stopped: bool = False
    done: bool = False

    def take(self, line: dict[str, Any]) -> None:
        """Take in one line, of whatever kind."""
        kind = text(line.get("type"))
        at = text(line.get("timestamp"))
        self.first, self.last = self.first or at, at or self.last
        payload = mapping(line.get("payload")) if kind in _WRAPPED else line
        if isinstance(line.get("msg"), dict):
            self._read_message(line["msg"])
            return
        if kind in ("session_meta", "turn_context") or "instructions" in line:
            self.folder = text(payload.get("cwd")) or self.folder
            self.model = text(payload.get("model")) or self.model
        elif kind == "event_msg":
            self._event(payload)
        elif kind.startswith(("item.", "turn.", "thread.")) or kind == "error":
            self._printed(kind, line)
        elif kind not in _QUIET and "record_type" not in line:
            self._item(payload)

    def _item(self, item: dict[str, Any]) -> None:
        """An item of the conversation with the model."""
        kind = text(item.get("type"))
        if kind == "message":
            said = text(item.get("content"))
            if item.get("role") == "assistant":
                self.turns.say("response", said)
            elif item.get("role") == "user" and not _BY_HARNESS.match(said):
                self.asked.append(said)
        elif kind == "reasoning":
            self.turns.say("reasoning", text(item.get("summary")) or text(item.get("content")))
        elif kind in ("function_call", "custom_tool_call", "local_shell_call"):
            self._call(item)
        elif kind.endswith("_call_output"):
            self._answer(item)
        elif kind not in _QUIET:
            self.unknown[kind] += 1

    def _call(self, item: dict[str, Any]) -> None:
        given = item.get("arguments", item.get("input", mapping(item.get("action"))))
        call_id = text(item.get("call_id") or item.get("id"))
        inner = calls_in(given) if item.get("name") == SCRIPT and isinstance(given, str) else []
        if inner:
            self.scripts[call_id] = [self._begin(tool_action(name, args)) for name, args in inner]
        else:
            self._begin(tool_action(item.get("name", "shell"), given), call_id)

    def _begin(self, action: Action, call_id: str = "") -> Call:
        """A call; one that looks again at a command that goes on is that command's."""
        ids = (action.args.get("session_id", ""), f"cell {action.args.get('cell_id', '')}")
        started = next((self.running[str(name)] for name in ids if str(name) in self.running), None)
        if started:
            action = Action(name=action.name, args={**action.args, "command": action_text(started.action)})
        return self.turns.call(action, call_id)

    def _answer(self, item: dict[str, Any]) -> None:
        call_id, output = text(item.get("call_id")), item.get("output")
        if printed := printed_by(output):
            calls = self.scripts.get(call_id) or [self.turns.answer(call_id, "")]
            self.running = share(printed, calls) | self.running
            return
        seen, outcome = _output(output)
        found = _RUNNING.search(seen[:500])
        call = self.turns.answer(call_id, seen, outcome, running=bool(found))
        if found:
            self.running.setdefault(found[1], call)

    def _event(self, event: dict[str, Any]) -> None:
        """What the harness says of the session; the conversation itself stands in the items."""
        kind = text(event.get("type"))
        if kind == "token_count":
            total = mapping(mapping(event.get("info")).get("total_token_usage")).get("total_tokens")
            self.tokens = int(count) if (count := figure(total)) else self.tokens
        elif kind in ("error", "stream_error"):
            self.error = text(event.get("message"))
        elif kind == "turn_aborted":
            self.stopped = True
        elif kind in ("task_complete", "turn_complete"):
            self.done, self.stopped, self.error = True, False, None
        elif kind in ("task_started", "turn_started"):
            self.done = False

    def _read_message(self, event: dict[str, Any]) -> None:
        """An event as the first ``codex exec --json`` printed it."""
        kind, call_id = text(event.get("type")), text(event.get("call_id"))
        if kind in ("agent_message", "agent_reasoning"):
            entry = "response" if kind == "agent_message" else "reasoning"
            self.turns.say(entry, text(event.get("message") or event.get("text")))
        elif kind == "exec_command_begin":
            self.turns.call(tool_action("shell", {"command": event.get("command")}), call_id)
        elif kind == "patch_apply_begin":
            files = list(mapping(event.get("changes")))
            self.turns.call(Action(name="apply_patch", args={"file_path": next(iter(files), "")}), call_id)
        elif kind in ("exec_command_end", "patch_apply_end"):
            seen = event.get("aggregated_output") or f"{text(event.get('stdout'))}{text(event.get('stderr'))}"
            worked = event.get("exit_code") == 0 or event.get("success") is True
            self.turns.answer(call_id, text(seen), Outcome.OK if worked else Outcome.FAILED)
        else:
            self._event(event)

    def _printed(self, kind: str, line: dict[str, Any]) -> None:
        """An event of ``codex exec --json``: every item is whole when it is completed."""
        item = mapping(line.get("item"))
        if kind == "item.completed":
            self._completed(item)
        elif kind == "item.started" and item.get("type") == "command_execution":
            self.turns.call(Action(name="shell", args={"command": text(item.get("command"))}), text(item.get("id")))
        elif kind == "turn.completed":
            usage = mapping(line.get("usage"))
            counts = [figure(usage.get(name)) or 0 for name in ("input_tokens", "output_tokens")]
            self.tokens, self.done, self.error = (self.tokens or 0) + int(sum(counts)), True, None
        elif kind in ("turn.failed", "error"):
            self.error = text(mapping(line.get("error")).get("message") or line.get("message"))
        elif kind not in _QUIET and not kind.startswith("thread."):
            self.unknown[kind] += 1

    def _completed(self, item: dict[str, Any]) -> None:
        kind = text(item.get("type"))
        if kind in _ITEMS:
            self.turns.say(_ITEMS[kind], text(item.get("text")))
        elif kind == "command_execution":
            outcome = Outcome.OK if item.get("exit_code") == 0 else Outcome.FAILED
            outcome = Outcome.REFUSED if item.get("status") == "declined" else outcome
            self._did(item, Action(name="shell", args={"command": text(item.get("command"))}), outcome)
        elif kind == "file_change":
            changes = item.get("changes")
            paths = [text(mapping(change).get("path")) for change in changes] if isinstance(changes, list) else []
            args: dict[str, Any] = {"file_path": next(iter(paths), ""), "files": "\n".join(paths), "patch": _UNKEPT}
            action = Action(name="apply_patch", args=args)
            self._did(item, action, Outcome.FAILED if item.get("status") == "failed" else Outcome.OK)
        elif kind == "mcp_tool_call":
            self._did(item, tool_action(item.get("tool"), item.get("arguments")), None)
        elif kind == "collab_tool_call":
            states = mapping(item.get("agents_states")).values()
            told = "\n".join(text(mapping(state).get("message")) for state in states)
            self._did(
                {**item, "aggregated_output": told}, tool_action(_OF_OTHERS, {"prompt": item.get("prompt")}), None
            )
        elif kind not in _QUIET and kind != "error":
            self.unknown[kind] += 1

    def _did(self, item: dict[str, Any], action: Action, outcome: Outcome | None) -> None:
        seen = item.get("aggregated_output") or mapping(item.get("result")).get("content") or item.get("error")
        call = self.turns.find(text(item.get("id"))) or self.turns.call(action)
        call.seen, call.outcome, call.answered = [text(seen)], outcome, True


def _output(output: object) -> tuple[str, Outcome | None]:
    """What a tool gave back, and how it ended by its exit code."""
    if isinstance(output, dict):
        output = output.get("content", output.get("output", output))
    seen, code = text(output), None
    if seen.startswith("{") and '"metadata"' in seen:
        try:
            parsed = mapping(json.loads(seen))
            seen, code = text(parsed.get("output")), figure(mapping(parsed.get("metadata")).get("exit_code"))
        except ValueError:
            pass
    elif found := _EXITED.search(seen[:500]):
        code = float(found[1])
    if _TIMED_OUT.search(seen[-300:]) or code == 124:
        return seen, Outcome.KILLED
    return seen, outcome_of(code)


def _read(found: Found) -> Iterator[RunLog]:
    session = _Session()
    for line in found.lines(session.turns.miss):
        session.take(line)
    found.pass_over(session.unknown)
    yield RunLog(
        source=found.source,
        steps=session.turns.steps(),
        task=Path(session.folder).name or found.stem,
        task_text="\n\n".join(session.asked),
        model=session.model,
        agent="codex",
        tokens=session.tokens,
        **span(session.first, session.last),
        **_ending(session),
    )


def _ending(session: _Session) -> Ending:
    if session.error:
        return broken_off(session.error)
    return INTERRUPTED if session.stopped else by_last_step(session.turns.steps(), is_over=session.done)


def _is_rollout(found: Found) -> bool:
    return any(_is_own(line) for line in found.head)


def _is_own(line: dict[str, Any]) -> bool:
    """Whether a line can only be Codex's; its first rollouts had no wrapping around the items."""
    kind = line.get("type")
    if isinstance(line.get("msg"), dict) and "id" in line:
        return "type" in line["msg"]
    if kind in ("session_meta", "response_item", "turn_context"):
        return "payload" in line
    if kind == "thread.started":
        return "thread_id" in line
    return ("instructions" in line and {"id", "timestamp"} <= line.keys()) or line.get("record_type") == "state"


CODEX = Importer(recognises=_is_rollout, read=_read)
"""The format, as the registry names it."""
