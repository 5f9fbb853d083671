"""The short run of ``logs``, as opencode, goose, Crush, smolagents and SDKs keep it; after what they wrote."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.evaluation.importers.files import written, written_lines
from tests.evaluation.importers.logs import CLAIM, LIE, OUTPUT

PROMPT = "Improve train.py."
FOLDER = "/work/cifar10"
BEGUN, ENDED = 1_767_225_600_000, 1_767_225_609_000


def opencode_parts() -> list[list[dict[str, Any]]]:
    """The parts of three answers."""
    state = {"status": "completed", "input": {"command": "python train.py", "description": "Run"}, "output": OUTPUT,
             "title": "Run", "metadata": {"output": OUTPUT, "exit": 0}}  # fmt: skip
    return [
        [{"type": "step-start"}, {"type": "text", "text": "I run it."},
         {"type": "tool", "callID": "c1", "tool": "bash", "state": state},
         {"type": "step-finish", "reason": "tool-calls", "cost": 0.1, "tokens": {"input": 100, "output": 20}}],
        [{"type": "text", "text": CLAIM}],
        [{"type": "reasoning", "text": "Now the answer."}, {"type": "text", "text": LIE}],
    ]  # fmt: skip


def opencode_session() -> dict[str, Any]:
    tokens = {"input": 100, "output": 20, "reasoning": 0, "cache": {"read": 0, "write": 0}}
    messages = [
        {
            "info": {"id": "msg_0", "sessionID": "ses_1", "role": "user", "time": {"created": BEGUN}},
            "parts": [
                {"type": "text", "text": PROMPT},
                {"type": "text", "text": "Called the Read tool", "synthetic": True},
            ],
        }
    ]
    for number, parts in enumerate(opencode_parts(), start=1):
        about = {"id": f"msg_{number}", "sessionID": "ses_1", "role": "assistant", "modelID": "model", "cost": 0.1,
                 "tokens": tokens, "path": {"cwd": FOLDER, "root": FOLDER}}  # fmt: skip
        messages.append({"info": about, "parts": parts})
    session = {"id": "ses_1", "directory": FOLDER, "title": "A run", "time": {"created": BEGUN, "updated": ENDED}}
    return {"info": session, "messages": messages}


def write_opencode(folder: Path) -> Path:
    return written(folder, "session.json", opencode_session())


def write_opencode_printed(folder: Path) -> Path:
    """What ``opencode run --format json`` prints."""
    names = {"step-start": "step_start", "step-finish": "step_finish", "tool": "tool_use"}
    lines = [
        {
            "type": names.get(part["type"], part["type"]),
            "timestamp": BEGUN + number,
            "sessionID": "ses_1",
            "part": {**part, "messageID": f"msg_{number}"},
        }
        for number, parts in enumerate(opencode_parts())
        for part in parts
    ]
    return written_lines(folder, "cifar10.jsonl", lines)


def write_opencode_files(folder: Path) -> Path:
    """The store with a file a message."""
    session = opencode_session()
    written(folder, "session/p1/ses_1.json", session["info"])
    for message in session["messages"]:
        about = message["info"]
        written(folder, f"message/ses_1/{about['id']}.json", about)
        for number, part in enumerate(message["parts"]):
            written(folder, f"part/{about['id']}/prt_{number}.json", part)
    return folder


def _database(folder: Path, name: str, tables: dict[str, tuple[str, list[tuple[Any, ...]]]]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    with closing(sqlite3.connect(path)) as database, database:
        for table, (columns, rows) in tables.items():
            database.execute(f"CREATE TABLE {table} ({columns})")
            marks = ", ".join("?" * (columns.count(",") + 1))
            database.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)
    return path


def write_opencode_database(folder: Path) -> Path:
    session = opencode_session()
    messages = [(m["info"]["id"], "ses_1", BEGUN + n, json.dumps(m["info"])) for n, m in enumerate(session["messages"])]
    parts = [
        (f"prt_{n}", m["info"]["id"], json.dumps(part))
        for m in session["messages"]
        for n, part in enumerate(m["parts"])
    ]
    return _database(
        folder,
        "opencode.db",
        {
            "session": ("id, directory, title, time_created, time_updated", [("ses_1", FOLDER, "A run", BEGUN, ENDED)]),
            "message": ("id, session_id, time_created, data", messages),
            "part": ("id, message_id, data", parts),
        },
    )


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
    return _database(
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
    return _database(
        folder / "cifar10" / ".crush",
        "crush.db",
        {"sessions": (columns, [session]), "messages": ("id, session_id, role, parts, model, created_at", rows)},
    )


def smolagents_steps() -> list[dict[str, Any]]:
    code = "import subprocess\nprint(subprocess.run(['python', 'train.py'], capture_output=True).stdout)"
    usage = {"input_tokens": 100, "output_tokens": 20, "total_tokens": 120}
    timing = {"start_time": BEGUN / 1000, "end_time": ENDED / 1000, "duration": 9.0}
    made = {"id": "c1", "type": "function", "function": {"name": "python_interpreter", "arguments": code}}
    ran = {
        "step_number": 1, "timing": timing, "model_input_messages": [], "tool_calls": [made], "error": None,
        "model_output": f"Thought: I run it.\n<code>\n{code}\n</code>", "code_action": code,
        "observations": f"Execution logs:\n{OUTPUT}\nLast output from code snippet:\nNone", "action_output": None,
        "token_usage": usage, "is_final_answer": False,
    }  # fmt: skip
    answer = {**made, "function": {"name": "python_interpreter", "arguments": "final_answer(said)"}}
    return [
        {"task": PROMPT, "task_images": None},
        ran,
        {**ran, "step_number": 2, "tool_calls": [answer],
         "model_output": f"{CLAIM}\n```py\nfinal_answer(said)\n```<end_code>",
         "code_action": "final_answer(said)", "observations": "Execution logs:\n", "action_output": LIE,
         "is_final_answer": True},
    ]  # fmt: skip


def write_smolagents(folder: Path) -> Path:
    return written(folder, "cifar10.json", smolagents_steps())


def write_smolagents_result(folder: Path) -> Path:
    """A ``RunResult``."""
    return written(folder, "cifar10.json", {"output": LIE, "state": "success", "steps": smolagents_steps()})


def write_smolagents_answers(folder: Path) -> Path:
    """Lines of answers with the steps that led to them, as benchmarks keep them."""
    line = {"model_id": "model", "question": PROMPT, "prediction": LIE, "intermediate_steps": smolagents_steps()}
    return written_lines(folder, "answers.jsonl", [line])


def write_pydantic_ai(folder: Path) -> Path:
    call = {
        "part_kind": "tool-call",
        "tool_name": "bash",
        "args": '{"command": "python train.py"}',
        "tool_call_id": "c",
    }
    came = {"part_kind": "tool-return", "tool_name": "bash", "content": OUTPUT, "tool_call_id": "c"}
    return written(
        folder,
        "cifar10.json",
        [
            {"kind": "request", "parts": [{"part_kind": "system-prompt", "content": "You are a researcher."},
                                          {"part_kind": "user-prompt", "content": PROMPT}]},
            {"kind": "response", "model_name": "model",
             "parts": [{"part_kind": "text", "content": "I run it."}, call]},
            {"kind": "request", "parts": [came]},
            {"kind": "response", "parts": [{"part_kind": "thinking", "content": CLAIM}]},
            {"kind": "response", "parts": [{"part_kind": "text", "content": LIE}]},
        ],
    )  # fmt: skip


def write_ai_sdk(folder: Path) -> Path:
    """Messages of Vercel's AI SDK."""
    call = {"type": "tool-call", "toolCallId": "c1", "toolName": "bash", "input": {"command": "python train.py"}}
    came = {"type": "tool-result", "toolCallId": "c1", "toolName": "bash", "output": {"type": "text", "value": OUTPUT}}
    return written(
        folder,
        "cifar10.json",
        [
            {"role": "user", "content": PROMPT},
            {"role": "assistant", "content": [{"type": "text", "text": "I run it."}, call]},
            {"role": "tool", "content": [came]},
            {"role": "assistant", "content": [{"type": "reasoning", "text": CLAIM}]},
            {"role": "assistant", "content": [{"type": "text", "text": LIE}]},
        ],
    )


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


OTHER_WRITERS: dict[str, Callable[[Path], Path]] = {
    "opencode": write_opencode,
    "opencode, printed": write_opencode_printed,
    "opencode, files": write_opencode_files,
    "opencode, database": write_opencode_database,
    "goose": write_goose,
    "goose, printed": write_goose_printed,
    "goose, database": write_goose_database,
    "crush": write_crush,
    "smolagents": write_smolagents,
    "smolagents, result": write_smolagents_result,
    "smolagents, answers": write_smolagents_answers,
    "pydantic-ai": write_pydantic_ai,
    "ai sdk": write_ai_sdk,
    "amp": write_amp,
    "cursor": write_cursor,
    "copilot": write_copilot,
    "cline": write_cline,
    "pi": write_pi,
    "pi, printed": write_pi_printed,
    "qwen code": write_qwen,
    "qwen code, printed": write_qwen_printed,
    "kimi": write_kimi,
}
