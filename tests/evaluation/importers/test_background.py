"""Commands that go on in the background: what is read of them later is their output."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from environment.records import Outcome
from tests.evaluation.importers.reading import read_one
from tests.evaluation.importers.writing.lines import write_lines

RUN = "python train.py"
EPOCHS = "epoch 1 loss: 0.7\ntest accuracy: 0.8123"


def test_what_gemini_reads_of_a_process_is_its_command_s_output(tmp_path: Path) -> None:
    def call(number: int, name: str, given: dict[str, Any], seen: str) -> dict[str, Any]:
        came = {"functionResponse": {"id": f"g{number}", "name": name, "response": {"output": seen}}}
        made = {"id": f"g{number}", "name": name, "args": given, "status": "success", "result": [came]}
        return {"id": f"m{number}", "type": "gemini", "model": "model", "content": "", "toolCalls": [made]}

    path = write_lines(
        tmp_path / "cifar10" / "chats" / "session-s1.jsonl",
        [
            {"sessionId": "s1", "projectHash": "ab"},
            call(1, "run_shell_command", {"command": RUN, "is_background": True},
                 "Command moved to background (PID: 77). Output hidden. Press Ctrl+B to view."),
            call(2, "read_background_output", {"pid": 77}, f"Full Log Output:\n{EPOCHS}"),
            call(3, "read_background_output", {"pid": 78}, "Access denied."),
        ],
    )  # fmt: skip
    begun, read, other = (exchange for step in read_one(path).steps for exchange in step.exchanges)
    assert (begun.unfinished, read.unfinished, read.action.args["command"]) == (True, False, RUN)
    assert "command" not in other.action.args


def test_a_background_shell_of_qwen_code(tmp_path: Path) -> None:
    def line(number: int, kind: str, part: dict[str, Any], **more: Any) -> dict[str, Any]:
        role = "model" if kind == "assistant" else "user"
        own = {"uuid": f"u{number}", "sessionId": "s1", "cwd": "/work/cifar10", "type": kind}
        return {**own, "message": {"role": role, "parts": [part]}, **more}

    def call(number: int, name: str, **given: Any) -> dict[str, Any]:
        return line(number, "assistant", {"functionCall": {"id": f"c{number}", "name": name, "args": given}})

    def came(number: int, seen: str) -> dict[str, Any]:
        part = {"functionResponse": {"id": f"c{number}", "name": "tool", "response": {"output": seen}}}
        return line(number, "tool_result", part, toolCallResult={"callId": f"c{number}", "status": "success"})

    notice = {"text": "<task-notification>\n<task-id>bg_1</task-id>\n</task-notification>"}
    path = write_lines(
        tmp_path / "s1.jsonl",
        [
            line(0, "user", {"text": "Train it."}, provenance="real_user"),
            call(1, "run_shell_command", command=RUN, is_background=True),
            came(1, "Background shell started.\nid: bg_1\noutput file: /tmp/bg_1.output"),
            line(2, "user", notice, subtype="notification", provenance="system"),
            call(3, "read_file", file_path="/tmp/bg_1.output"),
            came(3, EPOCHS),
            call(4, "read_file", file_path="/work/train.py"),
            came(4, "lr = 1"),
        ],
    )
    log = read_one(path)
    begun, read, other = (exchange for step in log.steps for exchange in step.exchanges)
    assert (begun.unfinished, read.unfinished, read.outcome) == (True, False, Outcome.OK)
    assert read.action.args == {"command": RUN}
    assert other.action.name == "read_file"
    assert log.task_text == "Train it."
