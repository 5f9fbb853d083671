"""The short run of ``logs``, as Claude Code keeps it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.evaluation.importers.logs import CLAIM, LIE, OUTPUT
from tests.evaluation.importers.writing.lines import PROMPT, TIMES, write_lines


def _claude_line(number: int, kind: str, message: dict[str, Any], **more: Any) -> dict[str, Any]:
    own = {"parentUuid": f"u{number - 1}", "uuid": f"u{number}", "isSidechain": False, "sessionId": "s1"}
    return {**own, "cwd": "/work/cifar10", "timestamp": TIMES.format(number), "type": kind, "message": message, **more}


def said(message_id: str, *blocks: dict[str, Any]) -> dict[str, Any]:
    usage = {"input_tokens": 100, "cache_read_input_tokens": 0, "output_tokens": 20, "service_tier": "standard"}
    return {"id": message_id, "role": "assistant", "model": "model", "content": list(blocks), "usage": usage}


def text_block(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def call_block(call_id: str, name: str, **given: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": call_id, "name": name, "input": given}


def result_block(call_id: str, seen: str, **more: Any) -> dict[str, Any]:
    return {"tool_use_id": call_id, "type": "tool_result", "content": seen, **more}


def claude_lines() -> list[dict[str, Any]]:
    run = call_block("t1", "Bash", command="python train.py", description="Run")
    results = {"role": "user", "content": [result_block("t1", OUTPUT)]}
    return [
        {"type": "queue-operation", "operation": "enqueue", "content": PROMPT, "sessionId": "s1"},
        _claude_line(0, "user", {"role": "user", "content": PROMPT}),
        _claude_line(1, "assistant", said("m1", text_block("I run it."))),
        _claude_line(2, "assistant", said("m1", run)),
        _claude_line(3, "user", results, toolUseResult={"stdout": OUTPUT, "stderr": "", "interrupted": False}),
        _claude_line(4, "assistant", said("m2", text_block(CLAIM), call_block("t2", "Bash", command="ls"))),
        _claude_line(5, "user", {"role": "user", "content": [result_block("t2", "train.py")]}),
        _claude_line(6, "assistant", said("m3", text_block(LIE))),
    ]


def write_claude_code(folder: Path) -> Path:
    return write_lines(folder / "s1.jsonl", claude_lines())


def write_claude_sdk(folder: Path) -> Path:
    """The SDK's objects, dumped by their fields."""
    folder.mkdir(parents=True)
    path = folder / "messages.json"
    run = {"id": "t1", "name": "Bash", "input": {"command": "python train.py"}}
    messages = [
        {"subtype": "init", "data": {"session_id": "s1", "cwd": "/work/cifar10", "model": "model"}},
        {"content": [{"text": "I run it."}, run], "model": "model", "parent_tool_use_id": None},
        {"content": [{"tool_use_id": "t1", "content": OUTPUT, "is_error": None}], "parent_tool_use_id": None},
        {"content": [{"thinking": "Good.", "signature": ""}, {"text": CLAIM}], "model": "model",
         "parent_tool_use_id": None},
        {"content": [{"text": LIE}], "model": "model", "parent_tool_use_id": None},
        {"subtype": "success", "duration_ms": 5000, "is_error": False, "num_turns": 3, "total_cost_usd": 0.25,
         "usage": {}, "session_id": "s1"},
    ]  # fmt: skip
    path.write_text(json.dumps(messages))
    return path
