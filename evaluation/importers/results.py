"""What came back from a tool: what it printed, and how it ended where that stands beside it."""

from __future__ import annotations

import json
from typing import Any

from environment.records import Outcome
from environment.records.display import counted
from evaluation.importers.parsing import figure, mapping, text
from evaluation.record.log import RunLog

EXIT_CODES = ("exit_code", "exitCode", "returncode", "return_code", "exit_status")
"""Names under which harnesses keep an exit code."""
UNREADABLE = "[output omitted: the log holds no text of it]"
"""Stands for what a tool was asked or gave back where that is damaged: anything may have stood there."""
_PRINTED = ("output", "stdout", "stderr")


def outcome_of(code: float | None) -> Outcome | None:
    """How something ended by its exit code; ``None`` where there is none."""
    return None if code is None else Outcome.FAILED if code else Outcome.OK


def told(content: object) -> tuple[str, Outcome | None]:
    """What a tool gave back, and how it ended; many say both as one object: ``{"output": …, "exit_code": 1}``."""
    if not is_readable(content):
        return f"{text(content)}\n{UNREADABLE}".strip(), None
    parts = content if isinstance(content, list) else [content]
    found = [_taken_apart(part) for part in parts]
    if not found or None in found:
        return text(content) or _unknown(parts), None
    outcomes = [one[1] for one in found if one]
    worst = next((each for each in outcomes if each is not Outcome.OK), Outcome.OK)
    return "\n".join(one[0] for one in found if one and one[0]), worst


def is_readable(content: object) -> bool:
    """Whether it is text or an object, or a list of them, as all that a tool is asked or gives back is."""
    parts = content if isinstance(content, list) else [content]
    return all(isinstance(part, str | dict) for part in parts)


def unread_note(log: RunLog) -> str:
    """What people should know of a log with calls that are damaged; nothing where none is."""
    exchanges = [exchange for step in log.steps for exchange in step.exchanges]
    found = sum(UNREADABLE in str((each.action.args, each.observation)) for each in exchanges)
    what = f"of {counted(found, 'tool call')} the log holds no text of what was asked or came back"
    return f"{what}; what was printed there is unknown" if found else ""


def _unknown(parts: list[Any]) -> str:
    """Objects that are no known blocks, as they are: what they show would be lost."""
    return "\n".join(json.dumps(part) for part in parts if isinstance(part, dict) and "type" not in part)


def _taken_apart(part: object) -> tuple[str, Outcome] | None:
    """What an object, or a text that is one, says to have been printed, with the outcome of its exit code."""
    about = _object_of(part)
    outcome = mapping(about.get("outcome"))
    codes = (figure(held.get(name)) for held in (about, outcome) for name in EXIT_CODES)
    code = next((code for code in codes if code is not None), None)
    printed = [text(about[name]) for name in _PRINTED if isinstance(about.get(name), str)]
    if not printed or (code is None and outcome.get("type") != "timeout"):
        return None
    return "\n".join(filter(None, printed)), outcome_of(code) or Outcome.KILLED


def _object_of(part: object) -> dict[str, Any]:
    if isinstance(part, dict):
        part = part["text"] if isinstance(part.get("text"), str) else part
    if not isinstance(part, str):
        return mapping(part)
    if not part.startswith("{") or not any(f'"{name}"' in part for name in EXIT_CODES):
        return {}
    try:
        return mapping(json.loads(part))
    except ValueError:
        return {}
