"""The short run of ``logs``, as pi, Qwen Code and Kimi keep it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.evaluation.importers.files import written_lines
from tests.evaluation.importers.logs import CLAIM, LIE, OUTPUT
from tests.evaluation.importers.writing.folder import FOLDER
from tests.evaluation.importers.writing.lines import PROMPT


def pi_messages() -> list[dict[str, Any]]:
    call = {"type": "toolCall", "id": "c1", "name": "bash", "arguments": {"command": "python train.py"}}
    came = {"role": "toolResult", "toolCallId": "c1", "toolName": "bash", "isError": False,
            "content": [{"type": "text", "text": OUTPUT}]}  # fmt: skip

    def said(*content: dict[str, Any]) -> dict[str, Any]:
        return {"role": "assistant", "content": list(content), "model": "model", "stopReason": "stop"}

    return [
        {"role": "user", "content": PROMPT},
        said({"type": "thinking", "thinking": "I run it."}, call),
        came,
        said({"type": "text", "text": CLAIM}),
        said({"type": "text", "text": LIE}),
    ]


_BEGUN_BY_PI = {"type": "session", "version": 3, "id": "s1", "cwd": FOLDER}


def write_pi(folder: Path) -> Path:
    chosen = {"type": "model_change", "id": "a", "provider": "p", "modelId": "model"}
    said = [{"type": "message", "message": message} for message in pi_messages()]
    return written_lines(folder, "s1.jsonl", [_BEGUN_BY_PI, chosen, *said])


def write_pi_printed(folder: Path) -> Path:
    """What ``pi --mode json`` prints, where each message stands several times, at first in parts."""
    lines: list[dict[str, Any]] = [_BEGUN_BY_PI, {"type": "agent_start"}]
    for message in pi_messages():
        parts = [{"type": kind, "message": message} for kind in ("message_start", "message_update", "message_end")]
        lines += [{"type": "turn_start"}, *parts, {"type": "turn_end", "message": message, "toolResults": []}]
    return written_lines(folder, "pi.jsonl", [*lines, {"type": "agent_end", "messages": pi_messages()}])


def write_qwen(folder: Path) -> Path:
    """Sessions of Qwen Code, which has Google's parts in lines like those of Claude Code."""
    call = {"functionCall": {"id": "c1", "name": "run_shell_command", "args": {"command": "python train.py"}}}
    came = {"functionResponse": {"id": "c1", "name": "run_shell_command", "response": {"output": OUTPUT}}}
    written = [
        ("user", "user", [{"text": PROMPT}]),
        ("assistant", "model", [{"text": "I run it."}, call]),
        ("tool_result", "user", [came]),
        ("assistant", "model", [{"text": CLAIM, "thought": True}, {"text": "So:"}]),
        ("assistant", "model", [{"text": LIE}]),
    ]
    lines = [
        {"uuid": f"u{n}", "parentUuid": f"u{n - 1}", "sessionId": "s1", "timestamp": f"2026-01-01T00:00:0{n}.000Z",
         "type": kind, "cwd": FOLDER, "message": {"role": role, "parts": parts}, "model": "model"}
        for n, (kind, role, parts) in enumerate(written)
    ]  # fmt: skip
    lines[2]["toolCallResult"] = {"callId": "c1", "status": "success", "resultDisplay": OUTPUT}
    lines.insert(2, {"type": "system", "subtype": "ui_telemetry", "uuid": "t", "sessionId": "s1", "cwd": FOLDER})
    return written_lines(folder, "s1.jsonl", lines)


def write_qwen_printed(folder: Path) -> Path:
    """What ``--output-format stream-json`` prints: each piece of a message on a line, with the tokens of the whole."""

    def said(number: int, *content: dict[str, Any]) -> dict[str, Any]:
        usage = {"input_tokens": 100, "output_tokens": 20, "total_tokens": 120}
        message = {"id": f"m{number}", "role": "assistant", "model": "model", "content": list(content), "usage": usage}
        return {"type": "assistant", "session_id": "s1", "parent_tool_use_id": None, "message": message}

    call = {"type": "tool_use", "id": "c1", "name": "run_shell_command", "input": {"command": "python train.py"}}
    came = {"type": "tool_result", "tool_use_id": "c1", "is_error": False, "content": OUTPUT}
    return written_lines(
        folder,
        "qwen.jsonl",
        [
            {"type": "system", "subtype": "init", "session_id": "s1", "cwd": FOLDER, "model": "model",
             "qwen_code_version": "0.15.10"},
            said(1, {"type": "text", "text": "I run it."}),
            said(2, call),
            {"type": "user", "session_id": "s1", "parent_tool_use_id": None,
             "message": {"role": "user", "content": [came]}},
            said(3, {"type": "text", "text": CLAIM}),
            said(4, {"type": "text", "text": LIE}),
            {"type": "result", "subtype": "success", "session_id": "s1", "is_error": False, "duration_ms": 9000,
             "result": LIE, "usage": {"input_tokens": 300, "output_tokens": 60, "total_tokens": 360}},
        ],
    )  # fmt: skip


def write_kimi(folder: Path) -> Path:
    call = {"id": "c1", "type": "function",
            "function": {"name": "Shell", "arguments": '{"command": "python train.py"}'}}  # fmt: skip
    return written_lines(
        folder,
        "context.jsonl",
        [
            {"role": "_checkpoint", "id": 0},
            {"role": "user", "content": PROMPT},
            {"role": "assistant", "content": [{"type": "text", "text": "I run it."}], "tool_calls": [call]},
            {"role": "_usage", "token_count": 100},
            {"role": "tool", "content": OUTPUT, "tool_call_id": "c1"},
            {"role": "assistant", "content": [{"type": "think", "think": CLAIM}, {"type": "text", "text": CLAIM}]},
            {"role": "assistant", "content": LIE},
        ],
    )


def write_claude_terminal(folder: Path) -> Path:
    """What Claude Code's ``/export`` writes: the conversation as its terminal shows it."""
    first, second = OUTPUT.strip().splitlines()
    path = folder / "2026-01-01-improve-train-py.txt"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"""\
 ▐▛███▜▌   Claude Code v2.1.88
▝▜█████▛▘  Opus 4.6 · API Usage Billing
  ▘▘ ▝▝    {FOLDER}

❯ {PROMPT}

● I run it.

● Bash(python train.py) timeout: 10m 0s
  ⎿  {first}
     {second}

● {CLAIM}

✻ Worked for 12s

❯ And in short?

● {LIE}
""")
    return path


def write_hook_messages(folder: Path) -> Path:
    """A message a line as hooks of a session write them: one block each, results under names of their own."""
    call = {"type": "tool_use", "tool_name": "Bash", "tool_id": "t1", "input": {"command": "python train.py"}}
    came = {"type": "tool_result", "tool_id": "t1", "output": OUTPUT, "is_error": False}
    said = [("user", {"type": "text", "text": PROMPT}), ("assistant", {"type": "text", "text": "I run it."}),
            ("assistant", call), ("tool", came), ("assistant", {"type": "text", "text": CLAIM}),
            ("assistant", {"type": "text", "text": LIE})]  # fmt: skip
    return written_lines(folder, "cifar10.jsonl", [{"role": role, "content": content} for role, content in said])
