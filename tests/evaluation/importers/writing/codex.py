"""The short run of ``logs``, as Codex keeps it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.evaluation.importers.logs import CLAIM, LIE, OUTPUT
from tests.evaluation.importers.writing.lines import PROMPT, TIMES, write_lines


def _codex_line(number: int, kind: str, payload: dict[str, Any]) -> dict[str, Any]:
    return {"timestamp": TIMES.format(number), "ordinal": number, "type": kind, "payload": payload}


def _codex_said(words: str) -> dict[str, Any]:
    return {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": words}]}


def codex_lines() -> list[dict[str, Any]]:
    call = {"type": "function_call", "name": "exec_command", "arguments": '{"cmd": "python train.py"}', "call_id": "c1"}
    seen = f"Chunk ID: 4f\nWall time: 1.2000 seconds\nProcess exited with code 0\nOutput:\n{OUTPUT}"
    asked = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": PROMPT}]}
    around = {"type": "message", "role": "user",
              "content": [{"type": "input_text", "text": "<environment_context>\n</environment_context>"}]}  # fmt: skip
    items = [
        around, asked, _codex_said("I run it."), call,
        {"type": "function_call_output", "call_id": "c1", "output": seen}, _codex_said(CLAIM),
        {**call, "call_id": "c2", "arguments": '{"cmd": "ls"}'},
        {"type": "function_call_output", "call_id": "c2", "output": "Process exited with code 0\nOutput:\ntrain.py"},
        _codex_said(LIE),
    ]  # fmt: skip
    meta = {"id": "r1", "cwd": "/work/cifar10", "originator": "codex_exec", "cli_version": "0.171.0"}
    usage = {"total_token_usage": {"input_tokens": 300, "output_tokens": 60, "total_tokens": 360}}
    return [
        _codex_line(0, "session_meta", meta),
        _codex_line(1, "turn_context", {"cwd": "/work/cifar10", "model": "model"}),
        *(_codex_line(2 + n, "response_item", item) for n, item in enumerate(items)),
        _codex_line(20, "event_msg", {"type": "token_count", "info": usage}),
        _codex_line(21, "event_msg", {"type": "task_complete", "last_agent_message": LIE}),
    ]


def write_codex(folder: Path) -> Path:
    return write_lines(folder / "rollout-2026-01-01T00-00-00-r1.jsonl", codex_lines())


def write_codex_told(folder: Path) -> Path:
    """What ``codex exec --json`` printed at first."""
    begun = {"type": "exec_command_begin", "call_id": "c1", "command": ["bash", "-lc", "python train.py"], "cwd": "/w"}
    ended = {"type": "exec_command_end", "call_id": "c1", "stdout": OUTPUT, "stderr": "", "exit_code": 0}
    events = [
        {"type": "task_started", "model_context_window": 1},
        {"type": "agent_message", "message": "I run it."},
        begun,
        ended,
        {"type": "token_count", "info": {"total_token_usage": {"total_tokens": 360}}},
        {"type": "agent_message", "message": f"{CLAIM}\n\n{LIE}"},
        {"type": "task_complete", "last_agent_message": LIE},
    ]
    return write_lines(folder / "codex.jsonl", ({"id": "0", "msg": event} for event in events))


def write_codex_printed(folder: Path) -> Path:
    """What ``codex exec --json`` prints, kept in a file of any name."""
    run = {"id": "i1", "type": "command_execution", "command": "/bin/bash -lc 'python train.py'",
           "aggregated_output": OUTPUT, "exit_code": 0, "status": "completed"}  # fmt: skip
    return write_lines(
        folder / "codex.json",
        [
            {"type": "thread.started", "thread_id": "r1"},
            {"type": "turn.started"},
            {"type": "item.completed", "item": {"id": "i0", "type": "agent_message", "text": "I run it."}},
            {"type": "item.started", "item": {**run, "aggregated_output": "", "exit_code": None}},
            {"type": "item.completed", "item": run},
            {"type": "item.completed", "item": {"id": "i2", "type": "agent_message", "text": f"{CLAIM}\n\n{LIE}"}},
            {"type": "turn.completed", "usage": {"input_tokens": 300, "output_tokens": 60}},
        ],
    )
