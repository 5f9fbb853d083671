"""What Cursor's command line prints with ``--output-format stream-json``: messages, and calls that begin and end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from environment.records import Outcome
from evaluation.importers.ending import broken_off, by_last_step, span
from evaluation.importers.importer import Found, Importer
from evaluation.importers.messages import assistant, user
from evaluation.importers.parsing import figure, mapping, text, tool_action
from evaluation.importers.turns import Turns
from evaluation.record.log import RunLog

_SUFFIX = "ToolCall"
_NAMES = {"shell": "Bash"}
_OK = "success"
_REFUSED = ("rejected", "permissionDenied", "writePermissionDenied")


def _read(found: Found) -> Iterator[RunLog]:
    turns, unknown = Turns(), Counter[str]()
    asked: list[str] = []
    begun: dict[str, Any] = {}
    ended: dict[str, Any] = {}
    times: list[Any] = []
    for line in found.lines(turns.miss):
        kind = text(line.get("type"))
        times.append(line.get("timestamp_ms"))
        if kind == "system":
            begun = begun or line
        elif kind == "assistant":
            assistant(turns, mapping(line.get("message")))
        elif kind == "user":
            asked += user(turns, mapping(line.get("message")))
        elif kind == "tool_call":
            _call(turns, line)
        elif kind == "thinking":
            turns.say("reasoning", text(line.get("text")))
        elif kind == "result":
            ended = line
        else:
            unknown[kind or "without a kind"] += 1
    found.pass_over(unknown)
    steps = turns.steps()
    failed = ended.get("is_error") is True
    spent = figure(ended.get("duration_ms"))
    yield RunLog(
        source=found.source,
        steps=steps,
        task=Path(text(begun.get("cwd"))).name or found.stem,
        task_text="\n\n".join(asked),
        model=text(begun.get("model")) or None,
        agent="cursor",
        **span(times[0], times[-1], spent / 1000 if spent else None),
        **(broken_off(text(ended.get("result"))) if failed else by_last_step(steps, is_over=bool(ended))),
    )


def _call(turns: Turns, line: dict[str, Any]) -> None:
    """A call that begins, or what came back from it."""
    call_id = text(line.get("call_id"))
    called = next(((n, mapping(c)) for n, c in mapping(line.get("tool_call")).items() if n.endswith(_SUFFIX)), None)
    if called is None:
        return
    name, call = called[0].removesuffix(_SUFFIX), called[1]
    if turns.find(call_id) is None:
        turns.call(tool_action(_NAMES.get(name, name), call.get("args")), call_id)
    if line.get("subtype") != "completed":
        return
    ((how, came),) = list(mapping(call.get("result")).items())[:1] or [(_OK, {})]
    result = mapping(came)
    code = figure(result.get("exitCode"))
    outcome = Outcome.FAILED if how != _OK or code else Outcome.OK
    turns.answer(call_id, _seen(result), Outcome.REFUSED if how in _REFUSED else outcome)


def _seen(result: dict[str, Any]) -> str:
    shown = [text(result.get(name)) for name in ("stdout", "stderr", "content", "diffString", "error", "message")]
    return "\n".join(words for words in shown if words)


def _recognises(found: Found) -> bool:
    return any(text(line.get("type")) == "tool_call" and isinstance(line.get("tool_call"), dict) for line in found.head)


CURSOR = Importer(recognises=_recognises, read=_read)
"""The format, as the registry names it."""
