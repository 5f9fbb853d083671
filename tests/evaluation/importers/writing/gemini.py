"""The short run of ``logs``, as Gemini CLI keeps it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.evaluation.importers.logs import CLAIM, LIE, OUTPUT
from tests.evaluation.importers.writing.lines import PROMPT, TIMES, write_lines


def _gemini_line(number: int, **fields: Any) -> dict[str, Any]:
    tokens = {"input": 100, "output": 20, "cached": 0, "total": 120}
    return {"id": f"m{number}", "timestamp": TIMES.format(number), "type": "gemini", "model": "model",
            "tokens": tokens, **fields}  # fmt: skip


def gemini_lines() -> list[dict[str, Any]]:
    seen = f"<untrusted_context>\nOutput: {OUTPUT}\nProcess Group PGID: 27591\n</untrusted_context>"
    response = {"functionResponse": {"id": "g1", "name": "run_shell_command", "response": {"output": seen}}}
    call = {"id": "g1", "name": "run_shell_command", "args": {"command": "python train.py"}, "result": [response],
            "status": "success"}  # fmt: skip
    about = {"sessionId": "s1", "projectHash": "ab", "startTime": TIMES.format(0), "lastUpdated": TIMES.format(0)}
    return [
        about,
        {"id": "m0", "type": "user", "content": [{"text": PROMPT}]},
        _gemini_line(1, content="I run it."),
        _gemini_line(1, content="I run it.", toolCalls=[call]),
        {"id": "m2", "type": "user", "content": [response]},
        {"$set": {"lastUpdated": TIMES.format(9)}},
        _gemini_line(3, content=CLAIM, thoughts=[{"subject": "Next", "description": "Answer."}]),
        _gemini_line(4, content=LIE),
    ]


def write_gemini(folder: Path) -> Path:
    return write_lines(folder / "cifar10" / "chats" / "session-2026-01-01T00-00-s1.jsonl", gemini_lines())


def write_gemini_json(folder: Path) -> Path:
    """The session as one object, as it was kept before 2026."""
    path = folder / "cifar10" / "chats" / "session-2025-10-01T00-00-s1.json"
    path.parent.mkdir(parents=True)
    about, *lines = gemini_lines()
    latest = {line["id"]: line for line in lines if "id" in line}
    path.write_text(json.dumps({**about, "lastUpdated": TIMES.format(9), "messages": list(latest.values())}))
    return path


def write_gemini_printed(folder: Path) -> Path:
    """What ``--output-format stream-json`` prints."""

    def piece(words: str) -> dict[str, Any]:
        return {"type": "message", "role": "assistant", "content": words, "delta": True}

    call = {"tool_name": "run_shell_command", "tool_id": "g1", "parameters": {"command": "python train.py"}}
    events = [
        {"type": "init", "session_id": "s1", "model": "model"},
        {"type": "message", "role": "user", "content": PROMPT},
        piece("I run"), piece(" it."),
        {"type": "tool_use", **call},
        {"type": "tool_result", "tool_id": "g1", "status": "success", "output": OUTPUT},
        piece(CLAIM), piece(f"\n\n{LIE}"),
        {"type": "result", "status": "success", "stats": {"total_tokens": 360}},
    ]  # fmt: skip
    return write_lines(
        folder / "gemini.jsonl", ({**event, "timestamp": TIMES.format(n)} for n, event in enumerate(events))
    )
