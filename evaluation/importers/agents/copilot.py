"""Sessions of GitHub Copilot's command line: ``~/.copilot/session-state/<session>/events.jsonl``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from environment.records import Outcome
from evaluation.importers.agents.copilot_shells import Shells
from evaluation.importers.ending import INTERRUPTED, Ending, broken_off, by_last_step, span
from evaluation.importers.importer import Found, Importer
from evaluation.importers.parsing import figure, mapping, text, tool_action
from evaluation.importers.turns import Turns
from evaluation.record.log import RunLog

_AREAS = (
    "assistant.", "tool.", "user.", "session.", "system.", "subagent.", "hook.", "skill.", "permission.",
    "user_input.", "elicitation.", "external_tool.", "command.", "exit_plan_mode.", "pending_messages.", "mcp.",
    "model.",
)  # fmt: skip
"""How the kinds of events begin that are known; what most of them tell is not the agent's."""
_KINDS = ("assistant.message", "tool.execution_start", "tool.execution_complete", "user.message")
_DENIED = ("denied", "rejected")
_ABORTED = "abort"


def _read(found: Found) -> Iterator[RunLog]:
    turns, shells, unknown = Turns(), Shells(), Counter[str]()
    asked: list[str] = []
    times: list[str] = []
    folder, model, error, ended = "", "", "", ""
    tokens = None
    for line in found.lines(turns.miss):
        kind, data = text(line.get("type")), mapping(line.get("data"))
        times.append(text(line.get("timestamp")))
        model = model if "agentId" in line else text(data.get("model") or data.get("selectedModel")) or model
        folder = folder or text(mapping(data.get("context")).get("cwd"))
        if kind == "user.message":
            asked.append(text(data.get("content")))
        elif kind == "assistant.reasoning":
            turns.say("reasoning", text(data.get("content")))
        elif kind == "assistant.message":
            _message(turns, shells, data)
        elif kind in ("tool.execution_start", "tool.execution_complete"):
            _tool(turns, shells, kind, data)
        elif kind == "system.notification":
            shells.notice(turns, data)
        elif kind == "session.error":
            error = text(data.get("message"))
        elif kind == "session.shutdown":
            tokens = _tokens(data) or tokens
        elif kind == _ABORTED:
            ended = kind
        elif not kind.startswith(_AREAS):
            unknown[kind or "without a kind"] += 1
    found.pass_over(unknown)
    steps = turns.steps()
    yield RunLog(
        source=found.source,
        steps=steps,
        task=Path(folder).name or found.stem,
        task_text="\n\n".join(filter(None, asked)),
        model=model or None,
        agent="copilot-cli",
        tokens=tokens,
        **span(times[0], times[-1]),
        **_ending(error, ended, by_last_step(steps)),
    )


def _ending(error: str, ended: str, otherwise: Ending) -> Ending:
    if ended:
        return INTERRUPTED
    return broken_off(error) if error else otherwise


def _tokens(data: dict[str, Any]) -> int | None:
    """What all models read and wrote, as the end of a session counts it."""
    usages = [mapping(mapping(metrics).get("usage")) for metrics in mapping(data.get("modelMetrics")).values()]
    counts = [figure(usage.get(name)) for usage in usages for name in ("inputTokens", "outputTokens")]
    found = [count for count in counts if count is not None]
    return int(sum(found)) if found else None


def _message(turns: Turns, shells: Shells, data: dict[str, Any]) -> None:
    key = text(data.get("messageId")) or None
    turns.say("reasoning", text(data.get("reasoningText")), key)
    turns.say("response", text(data.get("content")), key)
    asked = data.get("toolRequests")
    for request in asked if isinstance(asked, list) else ():
        made = mapping(request)
        action = shells.named(tool_action(made.get("name"), made.get("arguments")))
        turns.call(action, text(made.get("toolCallId")), key)


def _tool(turns: Turns, shells: Shells, kind: str, data: dict[str, Any]) -> None:
    """A call that begins, where no message announced it, or what came back from it."""
    call_id = text(data.get("toolCallId"))
    if kind == "tool.execution_start":
        if turns.find(call_id) is None:
            turns.call(shells.named(tool_action(data.get("toolName"), data.get("arguments"))), call_id)
        return
    result, error = data.get("result"), mapping(data.get("error"))
    seen = text(result.get("content")) if isinstance(result, dict) else text(result)
    outcome = Outcome.FAILED if data.get("success") is False else None
    seen = seen or text(error.get("message"))
    shells.ended(turns.answer(call_id, seen, Outcome.REFUSED if _is_denied(error) else outcome), seen)


def _is_denied(error: dict[str, Any]) -> bool:
    return text(error.get("code")) in _DENIED


def _recognises(found: Found) -> bool:
    return any(text(line.get("type")) in _KINDS and isinstance(line.get("data"), dict) for line in found.head)


COPILOT = Importer(recognises=_recognises, read=_read)
"""The format, as the registry names it."""
