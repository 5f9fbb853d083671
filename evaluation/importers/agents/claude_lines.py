"""Lines and files of Claude Code's sessions: of which kind a line is, and which files belong together."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

from evaluation.importers.errors import LogError
from evaluation.importers.importer import Found
from evaluation.importers.messages import blocks
from evaluation.importers.parsing import json_lines, load_json, mapping, text

_HEAD = 40
"""Lines within which a session names its first message."""
_SUBAGENTS, _WORKFLOWS = "subagents", "workflows"
QUIET = frozenset(
    [
        "summary",
        "system",
        "attachment",
        "queue-operation",
        "last-prompt",
        "progress",
        "file-history-snapshot",
        "ai-title",
        "custom-title",
        "tag",
        "agent-name",
        "mode",
        "permission-mode",
        "stream_event",
        "tool_progress",
        "tool_use_summary",
        "rate_limit_event",
        "auth_status",
        "prompt_suggestion",
        "control_request",
        "control_response",
        "saved_hook_context",
        "pr-link",
        "content-replacement",
        "agent-color",
        "agent-setting",
        "artifact-autoreact-ledger",
        "artifact-comment-monitor",
        "atis-latch",
        "attribution-snapshot",
        "bridge-session",
        "file-history-delta",
        "fork-context-ref",
        "frame-link",
        "history-suppression",
        "relocated",
        "started",
        "task-summary",
        "worktree-state",
    ]
)
"""Kinds of lines that hold nothing the agent wrote, did or saw."""


def kind_of(line: dict[str, Any]) -> str:
    """The kind of a line; exports of SDK objects have none."""
    kind = text(line.get("type") or line.get("role"))
    if kind in ("", "message") or "message" not in line:
        kind = text(line.get("role")) or kind
    if kind:
        return kind
    if "total_cost_usd" in line or "num_turns" in line:
        return "result"
    if "data" in line and "subtype" in line:
        return "system"
    return ("assistant" if "model" in line else "user") if "content" in line else ""


def subagents(path: Path) -> Iterator[tuple[str, Path]]:
    """The files of a session's subagents, each under the id of its call, else its workflow's or its own."""
    for file in sorted((path.with_suffix("") / _SUBAGENTS).rglob("agent-*.jsonl")):
        caller = file.parent.name if file.parent.parent.name == _WORKFLOWS else ""
        with suppress(LogError):
            caller = text(mapping(load_json(file.with_suffix(".meta.json"))).get("toolUseId")) or caller
        yield caller or file.stem.removeprefix("agent-"), file
    for file in sorted(path.parent.glob("agent-*.jsonl")):
        first = next(json_lines(file), {})
        if text(first.get("sessionId")) == path.stem:
            yield file.stem.removeprefix("agent-"), file


def belongs_to_session(path: Path) -> bool:
    """Whether a file is that of a subagent whose session lies where it should."""
    if not path.name.startswith("agent-"):
        return False
    within = next((folder for folder in path.parents if folder.name == _SUBAGENTS), None)
    if within:
        return within.parent.with_suffix(".jsonl").is_file()
    first = next(json_lines(path), {})
    return path.with_name(f"{text(first.get('sessionId'))}.jsonl").is_file()


def resumed_in(path: Path) -> Path | None:
    """The session that resumed one and begins with a copy of all its lines, if it lies beside it."""
    first = _first_id(path)
    for other in sorted(path.parent.glob("*.jsonl")) if first else ():
        if other != path and _first_id(other) == first and other.stat().st_size > path.stat().st_size:
            own = [line["uuid"] for line in json_lines(path) if "uuid" in line]
            if own[-1] in {line.get("uuid") for line in json_lines(other)}:
                return other
    return None


@lru_cache(maxsize=10_000)
def _first_id(path: Path) -> str:
    return next((text(line["uuid"]) for line in islice(json_lines(path), _HEAD) if line.get("uuid")), "")


def messages_of(data: Any) -> list[dict[str, Any]]:
    """The messages of an export, which may stand under a name."""
    if isinstance(data, dict):
        data = next(
            (data[name] for name in ("messages", "conversation", "events") if isinstance(data.get(name), list)), []
        )
    return [message for message in data if isinstance(message, dict)] if isinstance(data, list) else []


def is_session(found: Found) -> bool:
    """Whether a file is a session or an export of one."""
    lines = found.head if found.has_lines else messages_of(found.json)[:40]
    return any(_is_own(line) for line in lines)


def _is_own(line: dict[str, Any]) -> bool:
    """Whether a line can only be Claude Code's."""
    message = mapping(line.get("message"))
    if line.get("type") in ("user", "assistant") and "role" in message:
        of_google = "parts" in message  # Qwen Code's, in lines of the same fields
        return not of_google and not {"sessionId", "session_id", "parent_tool_use_id"}.isdisjoint(line)
    if line.get("type") == "system" and line.get("subtype") == "init":
        return "session_id" in line
    if line.get("subtype") == "init" and "session_id" in mapping(line.get("data")):
        return True
    own = [block for block in blocks(line.get("content")) if "type" not in block and "role" not in line]
    return "type" not in line and bool(own) and "parent_tool_use_id" in line
