"""The short run of ``logs``, as agents in editors keep it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.evaluation.importers.files import written, written_lines
from tests.evaluation.importers.logs import CLAIM, LIE, OUTPUT
from tests.evaluation.importers.writing.folder import BEGUN, FOLDER
from tests.evaluation.importers.writing.lines import PROMPT


def write_amp(folder: Path) -> Path:
    """A thread of Amp."""
    run = {"status": "done", "result": {"output": OUTPUT, "exitCode": 0}}
    messages = [
        {"role": "user", "content": [{"type": "text", "text": PROMPT}]},
        {
            "role": "assistant",
            "content": [
                {"type": "text", "text": "I run it."},
                {"type": "tool_use", "id": "c1", "name": "Bash", "input": {"cmd": "python train.py"}},
            ],
        },
        {"role": "user", "content": [{"type": "tool_result", "toolUseID": "c1", "run": run}]},
        {"role": "assistant", "content": [{"type": "thinking", "thinking": CLAIM}, {"type": "text", "text": LIE}]},
    ]
    return written(folder, "T-1.json", {"v": 1, "id": "T-1", "created": BEGUN, "messages": messages})


def write_cursor(folder: Path) -> Path:
    shell = {"args": {"command": "python train.py", "workingDirectory": ""}}
    came = {"success": {"command": "python train.py", "exitCode": 0, "stdout": OUTPUT, "stderr": ""}}

    def said(words: str) -> dict[str, Any]:
        return {"type": "assistant", "message": {"role": "assistant", "content": [{"type": "text", "text": words}]}}

    return written_lines(
        folder,
        "cursor.jsonl",
        [
            {"type": "system", "subtype": "init", "session_id": "s1", "cwd": FOLDER, "model": "model"},
            {"type": "user", "message": {"role": "user", "content": [{"type": "text", "text": PROMPT}]}},
            said("I run it."),
            {"type": "tool_call", "subtype": "started", "call_id": "c1", "tool_call": {"shellToolCall": shell}},
            {"type": "tool_call", "subtype": "completed", "call_id": "c1",
             "tool_call": {"shellToolCall": {**shell, "result": came}}},
            said(CLAIM),
            {"type": "tool_call", "subtype": "started", "call_id": "c2",
             "tool_call": {"readToolCall": {"args": {"path": "a.py"}}}},
            {"type": "tool_call", "subtype": "completed", "call_id": "c2",
             "tool_call": {"readToolCall": {"args": {"path": "a.py"}, "result": {"success": {"content": "x = 1"}}}}},
            said(LIE),
            {"type": "result", "subtype": "success", "is_error": False, "duration_ms": 9000, "result": LIE},
        ],
    )  # fmt: skip


def write_copilot(folder: Path) -> Path:
    request = {"toolCallId": "c1", "name": "bash", "arguments": {"command": "python train.py"}}
    events = [
        ("session.start", {"sessionId": "s1", "context": {"cwd": FOLDER}}),
        ("user.message", {"content": PROMPT}),
        ("assistant.message", {"messageId": "m1", "content": "I run it.", "toolRequests": [request]}),
        ("tool.execution_start", {"toolCallId": "c1", "toolName": "bash", "arguments": request["arguments"]}),
        ("tool.execution_complete",
         {"toolCallId": "c1", "success": True, "model": "model", "result": {"content": OUTPUT}}),
        ("assistant.message", {"messageId": "m2", "content": CLAIM, "toolRequests": []}),
        ("assistant.message", {"messageId": "m3", "content": LIE, "toolRequests": []}),
        ("assistant.turn_end", {"turnId": "0"}),
    ]  # fmt: skip
    lines = [
        {"type": kind, "data": data, "timestamp": f"2026-01-01T00:00:{n:02}.000Z"}
        for n, (kind, data) in enumerate(events)
    ]
    return written_lines(folder / "s1", "events.jsonl", lines)


def cline_messages() -> list[dict[str, Any]]:
    call = "<execute_command>\n<command>python train.py</command>\n<requires_approval>false</requires_approval>\n"

    def user(*words: str) -> dict[str, Any]:
        texts = [*words, "<environment_details>\n# Time\n</environment_details>"]
        return {"role": "user", "content": [{"type": "text", "text": each} for each in texts]}

    def said(words: str) -> dict[str, Any]:
        return {"role": "assistant", "content": [{"type": "text", "text": words}]}

    return [
        user(f"<task>\n{PROMPT}\n</task>"),
        said(f"<thinking>\nI run it.\n</thinking>\n\n{call}</execute_command>"),
        user("[execute_command for 'python train.py'] Result:", f"Command executed.\nOutput:\n{OUTPUT}"),
        said(f"{CLAIM}\n\n<read_file>\n<path>train.py</path>\n</read_file>"),
        user("[read_file for 'train.py'] Result:\nx = 1"),
        said(f"<attempt_completion>\n<result>\n{LIE}\n</result>\n</attempt_completion>"),
    ]


def write_cline(folder: Path) -> Path:
    return written(folder / "cifar10", "api_conversation_history.json", cline_messages())
