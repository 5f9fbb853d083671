"""One short run in the exact format of each evolutionary search, and of the coding agents that came with it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.evaluation.importers.files import written, written_lines
from tests.evaluation.importers.logs import CLAIM, LIE, OUTPUT

_CODE = "print('test accuracy: 0.5903')\n"
_SAID = f"{CLAIM}\n\n{LIE}"
_METRICS = {"combined_score": 0.5903, "test_accuracy": 0.5903}


def openevolve_program(number: int, *, answer: str = "", **changed: Any) -> dict[str, Any]:
    prompts = {"diff_user": {"system": "Improve train.py.", "user": "…", "responses": [answer]}} if answer else None
    return {
        "id": f"p{number}", "code": _CODE, "changes_description": "", "language": "python",
        "parent_id": f"p{number - 1}" if number else None, "generation": number, "timestamp": 1_790_000_000.0 + number,
        "iteration_found": number, "metrics": _METRICS, "complexity": 31.0, "diversity": 0.0,
        "metadata": {"island": 0}, "prompts": prompts, "artifacts_json": json.dumps({"stdout": OUTPUT}),
        "artifact_dir": None, "embedding": None, **changed,
    }  # fmt: skip


def write_openevolve(folder: Path) -> Path:
    output = folder / "cifar10" / "openevolve_output"
    answer = f"{_SAID}\n\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n"
    programs = {
        "checkpoint_1": [openevolve_program(0)],
        "checkpoint_2": [openevolve_program(0), openevolve_program(1, answer=answer)],
    }
    for checkpoint, kept in programs.items():
        place = output / "checkpoints" / checkpoint
        written(place, "metadata.json", {"islands": [["p0"]], "best_program_id": "p0", "last_iteration": 1})
        written(place, "best_program_info.json", {"id": "p0", "generation": 0, "metrics": _METRICS})
        for program in kept:
            written(place / "programs", f"{program['id']}.json", program)
    return output


def write_shinka(folder: Path) -> Path:
    path = folder / "cifar10" / "evolution_db.sqlite"
    path.parent.mkdir(parents=True)
    columns = (
        "id TEXT, code TEXT, language TEXT, parent_id TEXT, generation INTEGER, timestamp REAL, code_diff TEXT,"
        " combined_score REAL, public_metrics TEXT, private_metrics TEXT, text_feedback TEXT, correct BOOLEAN,"
        " metadata TEXT, island_idx INTEGER"
    )
    public, about = json.dumps({"test_accuracy": 0.5903}), {"patch_name": "wider", "patch_type": "diff"}
    rows = [
        ("a", _CODE, "python", None, 0, 1.0, None, 0.5903, public, "{}", OUTPUT, 1, "{}", 0),
        ("b", _CODE, "python", "a", 1, 2.0, "", 0.5903, public, "{}", "", 1,
         json.dumps({**about, "patch_description": _SAID, "stdout_log": OUTPUT}), 0),
        ("c", "x =", "python", "a", 2, 3.0, "", 0.99, "{}", "{}", "SyntaxError", 0, "{}", 0),
    ]  # fmt: skip
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(f"CREATE TABLE programs ({columns})")
        database.executemany(f"INSERT INTO programs VALUES ({', '.join('?' * 14)})", rows)
    return path


def dojo_nodes() -> list[dict[str, Any]]:
    node = {"code": _CODE, "metric": 0.5903, "metric_info": {}, "metric_maximize": True, "is_buggy": False,
            "operators_used": ["draft"], "operators_metrics": [], "children": [], "parents": [], "exec_time": 3.0,
            "exit_code": 0, "term_out": OUTPUT, "_term_out": [OUTPUT]}  # fmt: skip
    failed = {"code": "x =", "metric": None, "is_buggy": True, "exit_code": 1, "_term_out": ["SyntaxError: invalid"]}
    return [
        {"step": 0, "id": "a", "plan": "Run the starter.", "analysis": _SAID, **node},
        {"step": 1, "id": "b", "plan": "Widen it.", "analysis": "It did not run.", **node, **failed},
    ]


def write_dojo(folder: Path) -> Path:
    run = folder / "run_1"
    written(run, "dojo_config.json", {"task": {"name": "cifar10"}, "solver": {"step_limit": 2}})
    written_lines(run, "checkpoint/journal.jsonl", dojo_nodes())
    return run


def write_dojo_export(folder: Path) -> Path:
    data = {"nodes": dojo_nodes(), "config": {"step_limit": 2}, "tree_path": None, "solution": _CODE}
    return written(folder / "cifar10", "greedy_search_data.json", data)


def kiro_history() -> list[dict[str, Any]]:
    state = {"operating_system": "linux", "current_working_directory": "/work/cifar10", "environment_variables": []}
    result = {"exit_status": "0", "stdout": OUTPUT, "stderr": ""}
    came_back = {"tool_use_id": "t1", "content": [{"Json": result}], "status": "Success"}
    call = {"id": "t1", "name": "execute_bash", "args": {"command": "python train.py"}}

    def turn(content: dict[str, Any], assistant: dict[str, Any]) -> dict[str, Any]:
        user = {"env_context": {"env_state": state}, "content": content, "timestamp": "2026-11-01T10:00:00Z"}
        return {
            "user": user,
            "assistant": assistant,
            "request_metadata": {"stream_end_timestamp_ms": 1_793_527_300_000},
        }

    return [
        turn(
            {"Prompt": {"prompt": "Improve train.py."}},
            {"ToolUse": {"message_id": "m1", "content": "I run it.", "tool_uses": [call]}},
        ),
        turn(
            {"ToolUseResults": {"tool_use_results": [came_back]}},
            {"Response": {"message_id": "m2", "content": _SAID}},
        ),
    ]


def _kiro_conversation() -> dict[str, Any]:
    return {"conversation_id": "c1", "history": kiro_history(), "valid_history_range": [0, 2], "transcript": [],
            "model_info": {"model_id": "some-model"}}  # fmt: skip


def write_kiro(folder: Path) -> Path:
    return written(folder, "saved.json", _kiro_conversation())


def write_kiro_database(folder: Path) -> Path:
    folder.mkdir(parents=True)
    path = folder / "data.sqlite3"
    columns = "key TEXT, conversation_id TEXT, value TEXT, created_at INTEGER, updated_at INTEGER"
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(f"CREATE TABLE conversations_v2 ({columns})")
        row = ("/work/cifar10", "c1", json.dumps(_kiro_conversation()), 1, 2)
        database.execute("INSERT INTO conversations_v2 VALUES (?, ?, ?, ?, ?)", row)
    return path


def write_amazon_q(folder: Path) -> Path:
    folder.mkdir(parents=True)
    path = folder / "data.sqlite3"
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("CREATE TABLE conversations (key TEXT PRIMARY KEY, value TEXT)")
        rows = [("/work/empty", '{"history": []}'), ("/work/cifar10", json.dumps(_kiro_conversation()))]
        database.executemany("INSERT INTO conversations VALUES (?, ?)", rows)
    return path


def write_kiro_messages(folder: Path) -> Path:
    call = {"toolUseId": "t1", "name": "shell", "input": {"command": "python train.py"}}
    came_back = {"toolUseId": "t1", "content": [{"kind": "text", "data": OUTPUT}], "status": "success"}

    def line(kind: str, *content: dict[str, Any]) -> dict[str, Any]:
        return {"version": "v1", "kind": kind, "data": {"message_id": kind, "content": list(content)}}

    state = {"rts_model_state": {"model_info": {"model_id": "some-model"}}}
    written(folder, "c1.json", {"session_id": "c1", "cwd": "/work/cifar10", "session_state": state})
    return written_lines(folder, "c1.jsonl", [
        line("Prompt", {"kind": "text", "data": "Improve train.py."}),
        line("AssistantMessage", {"kind": "text", "data": "I run it."}, {"kind": "toolUse", "data": call}),
        line("ToolResults", {"kind": "toolResult", "data": came_back}),
        line("AssistantMessage", {"kind": "text", "data": _SAID}),
    ])  # fmt: skip


def write_kiro_events(folder: Path) -> Path:
    def line(**payload: Any) -> dict[str, Any]:
        return {"timestamp": "2026-11-01T10:00:00Z", "payload": payload}

    return written_lines(folder / "cifar10", "messages.jsonl", [
        line(type="user", content="Improve train.py."),
        line(type="assistant", operationType="Say", content="I run it."),
        line(type="tool_call", toolCallId="t1", toolName="shell", args={"command": "python train.py"}),
        line(type="tool_result", toolCallId="t1", content=OUTPUT, success=True),
        line(type="assistant", operationType="Say", content=_SAID),
    ])  # fmt: skip


def vscode_request(*parts: dict[str, Any], **metadata: Any) -> dict[str, Any]:
    words = {"text": "Improve train.py.", "parts": []}
    return {"requestId": "r1", "message": words, "variableData": {"variables": []}, "response": list(parts),
            "result": {"timings": {}, "metadata": metadata}, "isCanceled": False, "timestamp": 1_793_527_200_000,
            "modelId": "copilot/some-model"}  # fmt: skip


def vscode_chat(*requests: dict[str, Any]) -> dict[str, Any]:
    return {"responderUsername": "GitHub Copilot", "initialLocation": "panel", "requests": list(requests)}


VSCODE_CALLED = {
    "kind": "toolInvocationSerialized", "toolCallId": "t1__vscode-3", "toolId": "run_in_terminal", "isComplete": True,
    "invocationMessage": {"value": "Running"}, "pastTenseMessage": {"value": "Ran it"},
    "toolSpecificData": {"kind": "terminal", "commandLine": {"original": "python train.py"},
                         "terminalCommandOutput": {"text": OUTPUT}},
}  # fmt: skip


def write_vscode(folder: Path) -> Path:
    call = {"id": "t1__vscode-3", "name": "run_in_terminal", "arguments": json.dumps({"command": "python train.py"})}
    lines = [{"text": line, "lineBreakBefore": n > 0} for n, line in enumerate(OUTPUT.splitlines())]
    tree = {"$mid": 20, "content": [{"$mid": 23, "value": {"node": {"type": 1, "children": lines}}}]}
    request = vscode_request(
        {"value": "I run it."}, VSCODE_CALLED, {"value": _SAID},
        toolCallRounds=[{"response": "I run it.", "toolCalls": [call]}, {"response": _SAID, "toolCalls": []}],
        toolCallResults={"t1__vscode-3": tree},
    )  # fmt: skip
    return written(folder / "cifar10", "chat.json", vscode_chat(request))


def write_vscode_parts(folder: Path) -> Path:
    request = vscode_request({"value": "I run it."}, VSCODE_CALLED, {"value": _SAID})
    return written(folder / "cifar10", "chat.json", vscode_chat(request))


def write_vscode_kept(folder: Path) -> Path:
    """The chat of ``write_vscode_parts`` as its changes; a first answer was thrown away."""
    request = vscode_request({"value": "I run it."}, VSCODE_CALLED, {"value": _SAID})
    changes = [
        {"kind": 0, "v": {**vscode_chat(), "version": 3, "sessionId": "s1"}},
        {"kind": 1, "k": ["customTitle"], "v": "cifar10"},
        {"kind": 2, "k": ["requests"], "v": [{**request, "response": [{"value": "I guess."}], "result": None}]},
        {"kind": 2, "k": ["requests"], "v": [{**request, "response": [], "result": None}], "i": 0},
        {"kind": 2, "k": ["requests", 0, "response"], "v": [{"value": "I run"}]},
        {"kind": 2, "k": ["requests", 0, "response"], "v": request["response"][:2], "i": 0},
        {"kind": 2, "k": ["requests", 0, "response"], "v": request["response"][2:]},
        {"kind": 1, "k": ["requests", 0, "result"], "v": request["result"]},
        {"kind": 1, "k": ["requests", 0, "vote"], "v": 1},
        {"kind": 3, "k": ["requests", 0, "vote"]},
        {"kind": 1, "k": ["inputState", "text", "deep"], "v": "of a newer version"},
    ]  # fmt: skip
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "chat.jsonl").write_text("".join(json.dumps(change) + "\n" for change in changes))
    return folder / "chat.jsonl"


def rd_agent_messages() -> list[dict[str, Any]]:
    def message(tag: str, content: object) -> dict[str, Any]:
        return {"tag": tag, "timestamp": "2026-11-01T10:00:00+00:00", "loop_id": "0", "content": content}

    return [
        message("research.hypothesis", {"hypothesis": "A wider net helps.", "reason": "It is small."}),
        message("evolving.codes", [{"target_task_name": "model", "codes": {"main.py": _CODE}}]),
        message("feedback.metric", {"result": json.dumps({"test accuracy": {"ensemble": 0.5903}})}),
        message("feedback.hypothesis_feedback", {"observations": _SAID, "decision": True, "reason": "It is better."}),
        message("END", {}),
    ]


def write_rd_agent(folder: Path) -> Path:
    return written(folder, "cifar10.json", rd_agent_messages())


SEARCH_WRITERS: dict[str, Callable[[Path], Path]] = {
    "openevolve": write_openevolve,
    "shinkaevolve": write_shinka,
    "aira-dojo": write_dojo,
    "aira-dojo, exported": write_dojo_export,
    "kiro": write_kiro,
    "kiro, database": write_kiro_database,
    "amazon q, database": write_amazon_q,
    "kiro, messages": write_kiro_messages,
    "kiro, events": write_kiro_events,
    "vscode chat": write_vscode,
    "vscode chat, parts": write_vscode_parts,
    "vscode chat, kept": write_vscode_kept,
}
