"""The short run of ``logs``, as goose and Crush keep it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.evaluation.importers.files import written_lines
from tests.evaluation.importers.logs import CLAIM, LIE, OUTPUT
from tests.evaluation.importers.writing.folder import FOLDER, database
from tests.evaluation.importers.writing.lines import PROMPT


def goose_messages() -> list[dict[str, Any]]:
    call = {"status": "success", "value": {"name": "developer__shell", "arguments": {"command": "python train.py"}}}
    came = {"status": "success", "value": {"content": [{"type": "text", "text": OUTPUT}], "isError": False}}
    return [
        {"role": "user", "created": 1, "content": [{"type": "text", "text": PROMPT}]},
        {"role": "assistant", "created": 2, "content": [
            {"type": "text", "text": "I run it."}, {"type": "toolRequest", "id": "c1", "toolCall": call}]},
        {"role": "user", "created": 3, "content": [{"type": "toolResponse", "id": "c1", "toolResult": came}]},
        {"role": "assistant", "created": 4, "content": [{"type": "text", "text": CLAIM}]},
        {"role": "assistant", "created": 5, "content": [{"type": "text", "text": LIE}]},
    ]  # fmt: skip


def write_goose(folder: Path) -> Path:
    about = {"working_dir": FOLDER, "description": "A run", "message_count": 5}
    return written_lines(folder, "20260101_1.jsonl", [about, *goose_messages()])


def write_goose_printed(folder: Path) -> Path:
    lines = [{"type": "message", "message": message} for message in goose_messages()[1:]]
    return written_lines(folder, "goose.jsonl", [*lines, {"type": "complete", "total_tokens": 360}])


def write_goose_database(folder: Path) -> Path:
    rows = [(n, "s1", m["role"], json.dumps(m["content"]), n) for n, m in enumerate(goose_messages())]
    session = ("s1", "A run", FOLDER, "2026-01-01 00:00:00", "2026-01-01 00:00:09", 360, '{"model_name": "model"}')
    columns = "id, name, working_dir, created_at, updated_at, total_tokens, model_config_json"
    return database(
        folder,
        "sessions.db",
        {"sessions": (columns, [session]), "messages": ("id, session_id, role, content_json, created_timestamp", rows)},
    )


def write_crush(folder: Path) -> Path:
    call = {"id": "c1", "name": "bash", "input": '{"command": "python train.py"}', "finished": True}
    came = {"tool_call_id": "c1", "name": "bash", "content": OUTPUT, "is_error": False}
    written = [
        ("user", [{"type": "text", "data": {"text": PROMPT}}]),
        ("assistant", [{"type": "text", "data": {"text": "I run it."}}, {"type": "tool_call", "data": call}]),
        ("tool", [{"type": "tool_result", "data": came}]),
        ("assistant", [{"type": "reasoning", "data": {"thinking": "Hm."}}, {"type": "text", "data": {"text": CLAIM}}]),
        ("assistant", [{"type": "text", "data": {"text": LIE}}, {"type": "finish", "data": {"reason": "end_turn"}}]),
    ]
    rows = [(f"m{n}", "s1", role, json.dumps(parts), "model", n) for n, (role, parts) in enumerate(written)]
    session = ("s1", "A run", 300, 60, 0.25, 1_767_225_600, 1_767_225_609)
    columns = "id, title, prompt_tokens, completion_tokens, cost, created_at, updated_at"
    return database(
        folder / "cifar10" / ".crush",
        "crush.db",
        {"sessions": (columns, [session]), "messages": ("id, session_id, role, parts, model, created_at", rows)},
    )
