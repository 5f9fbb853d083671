"""Qwen Code: its sessions, with Google's parts in lines of their own, and what it prints as Claude Code does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from environment.records import Action, Outcome
from evaluation.importers.agents.claude_code import CLAUDE_CODE
from evaluation.importers.ending import by_last_step, span
from evaluation.importers.importer import Found, Importer
from evaluation.importers.messages import conversation, of_google
from evaluation.importers.parsing import GAP, figure, json_lines, mapping, text
from evaluation.importers.turns import Call, Turns
from evaluation.record.kinds import action_text
from evaluation.record.log import LogStep, RunLog

_AGENT = "qwen-code"
_EXITED = re.compile(r"^Exit Code: (-?\d+)$", re.MULTILINE)
_PRINTED_EXIT = re.compile(r"Command exited with code: (-?[1-9]\d*)\s*")
_OUTCOMES = {"success": Outcome.OK, "error": Outcome.FAILED, "cancelled": Outcome.REFUSED}


def _read_session(found: Found) -> Iterator[RunLog]:
    lines = [line for line in found.all_lines() if line is GAP or _is_message(line)]
    turns, asked = conversation(
        line if line is GAP else of_google(line["message"]) for line in lines if not _is_notice(line)
    )
    background: list[Call] = []
    for line in lines:
        _settle(turns, mapping(line.get("toolCallResult")), background)
    counts = [figure(mapping(line.get("usageMetadata")).get("totalTokenCount")) for line in lines]
    steps = turns.steps()
    yield RunLog(
        source=found.source,
        steps=steps,
        task=Path(next((text(line["cwd"]) for line in lines if line.get("cwd")), "")).name or found.stem,
        task_text="\n\n".join(asked),
        model=next((text(line["model"]) for line in lines if line.get("model")), None),
        agent=_AGENT,
        tokens=int(sum(count or 0 for count in counts)) or None,
        **span(lines[0].get("timestamp"), lines[-1].get("timestamp")),
        **by_last_step(steps),
    )


def _is_message(line: dict[str, Any]) -> bool:
    return isinstance(mapping(line.get("message")).get("parts"), list)


def _is_notice(line: dict[str, Any]) -> bool:
    """Whether a line tells the agent what happened in the background, in the user's name."""
    return line.get("type") == "user" and (line.get("subtype") == "notification" or line.get("provenance") == "system")


def _settle(turns: Turns, result: dict[str, Any], background: list[Call]) -> None:
    """How a call ended: a command that fails is a success of the tool that ran it.

    Args:
        turns: All calls.
        result: What the log says of one.
        background: Commands so far that went on in the background; what is read of one later is its output.
    """
    call = turns.find(text(result.get("callId")))
    if call is None:
        return
    if call.action.args.get("is_background") is True:
        call.running = True
        background.append(call)
    path = text(call.action.args.get("file_path") or call.action.args.get("absolute_path"))
    started = next((each for each in background if path and path in "\n".join(each.seen)), None)
    if started:
        call.action = Action(name="TaskOutput", args={"command": action_text(started.action)})
    call.outcome = _OUTCOMES.get(text(result.get("status")))
    code = _EXITED.search("\n".join(call.seen))
    if call.outcome is Outcome.OK and code and code[1] != "0":
        call.outcome = Outcome.FAILED


def _read_printed(found: Found) -> Iterator[RunLog]:
    for log in CLAUDE_CODE.read(found):
        steps, tokens = tuple(map(_settled, log.steps)), _spent(found)
        yield log.model_copy(update={"agent": _AGENT, "steps": steps, "tokens": tokens})


def _spent(found: Found) -> int | None:
    """All tokens, as the last line counts them: the pieces of one message each have those of the whole."""
    ended = [mapping(line.get("usage")) for line in json_lines(found.path) if line.get("type") == "result"]
    total = figure(ended[-1].get("total_tokens")) if ended else None
    return int(total) if total else None


def _settled(step: LogStep) -> LogStep:
    """A step whose commands failed where that is all they showed."""
    exchanges = (
        each.model_copy(update={"outcome": Outcome.FAILED}) if _PRINTED_EXIT.fullmatch(each.observation) else each
        for each in step.exchanges
    )
    return step.model_copy(update={"exchanges": tuple(exchanges)})


def _read(found: Found) -> Iterator[RunLog]:
    return _read_printed(found) if _is_printed(found) else _read_session(found)


def _is_printed(found: Found) -> bool:
    return any("qwen_code_version" in line for line in found.head)


def _is_line(line: dict[str, Any]) -> bool:
    return "sessionId" in line and isinstance(mapping(line.get("message")).get("parts"), list)


def _recognises(found: Found) -> bool:
    return _is_printed(found) or any(map(_is_line, found.head))


QWEN = Importer(recognises=_recognises, read=_read)
"""The format, as the registry names it."""
