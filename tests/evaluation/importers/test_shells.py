"""How commands ended, where only what came back tells it, and which go on in the background."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from environment.records import Outcome
from evaluation.importers.agents.copilot import COPILOT
from evaluation.importers.importer import Found
from evaluation.record.kinds import EventKind
from evaluation.record.log import Exchange
from evaluation.record.run import RunModel
from tests.evaluation.importers.reading import read_one
from tests.evaluation.importers.writing.lines import write_lines

TRAIN = {"command": "python train.py"}


def copilot(folder: Path, *events: tuple[str, dict[str, Any]]) -> list[Exchange]:
    begun = ("session.start", {"sessionId": "s1"}), ("user.message", {"content": "Train it."})
    lines = [{"type": kind, "data": data} for kind, data in (*begun, *events)]
    return exchanges(write_lines(folder / "events.jsonl", lines))


def exchanges(path: Path) -> list[Exchange]:
    return [exchange for step in read_one(path).steps for exchange in step.exchanges]


def called(call_id: str, name: str, **arguments: object) -> tuple[str, dict[str, Any]]:
    return "assistant.message", {"toolRequests": [{"toolCallId": call_id, "name": name, "arguments": arguments}]}


def gave(call_id: str, content: str) -> tuple[str, dict[str, Any]]:
    return "tool.execution_complete", {"toolCallId": call_id, "success": True, "result": {"content": content}}


@pytest.mark.parametrize(
    ("seen", "outcome"),
    [
        ("acc: 0.8\n<exited with exit code 0>", Outcome.OK),
        ("loss: 0.9\nno memory left\n<exited with exit code 137>", Outcome.FAILED),
        ("acc: 0.8", None),
        ("<exited with exit code 1>\nis what a file holds", None),
    ],
)
def test_a_command_of_copilot_ended_as_its_output_says(seen: str, outcome: Outcome | None, tmp_path: Path) -> None:
    (run,) = copilot(tmp_path, called("a", "bash", **TRAIN), gave("a", seen))
    assert run.outcome is outcome


@pytest.mark.parametrize(
    ("going_on", "asked"),
    [
        ("<command started in background with shellId: tr>", {"shellId": "tr"}),
        ("<command started in detached background with sessionId: 5>", {"sessionId": "5"}),
        ("loss: 0.9\n<command with shellId: 0 is still running after 180 seconds.>", {"shellId": "0"}),
    ],
)
def test_a_shell_of_copilot_that_is_looked_at_again_is_its_command(
    going_on: str, asked: dict[str, Any], tmp_path: Path
) -> None:
    later = "acc: 0.8\n<shellId: tr completed with exit code 0>"
    copilot(
        tmp_path, called("a", "bash", **TRAIN), gave("a", going_on), called("b", "read_bash", **asked), gave("b", later)
    )
    begun, ended = RunModel.of(read_one(tmp_path / "events.jsonl")).events
    assert (begun.unfinished, ended.unfinished, ended.files) == (True, False, ("train.py",))
    assert exchanges(tmp_path / "events.jsonl")[1].outcome is Outcome.OK


@pytest.mark.parametrize(("code", "outcome"), [(0, Outcome.OK), (1, Outcome.FAILED)])
def test_copilot_is_told_that_a_shell_has_ended(code: int, outcome: Outcome, tmp_path: Path) -> None:
    ended = {"content": "It has ended.", "kind": {"type": "shell_completed", "shellId": "0", "exitCode": code}}
    started = gave("a", "<command started in background with shellId: 0>")
    _, notice = copilot(tmp_path, called("a", "bash", **TRAIN), started, ("system.notification", ended))
    assert (notice.action.args, notice.observation, notice.outcome) == (TRAIN, "It has ended.", outcome)


@pytest.mark.parametrize(
    ("seen", "observation", "outcome"),
    [
        ({"output": "loss: 0.9\nstopped", "exit_code": 137}, "loss: 0.9\nstopped", Outcome.FAILED),
        ({"stdout": "acc: 0.8", "stderr": "a warning", "returncode": 0}, "acc: 0.8\na warning", Outcome.OK),
        ({"output": "acc: 0.8"}, '{"output": "acc: 0.8"}', None),
        ({"exit_code": 0}, '{"exit_code": 0}', None),
    ],
)
def test_an_object_of_output_and_exit_code_is_taken_apart(
    seen: dict[str, Any], observation: str, outcome: Outcome | None, tmp_path: Path
) -> None:
    function = {"name": "bash", "arguments": json.dumps(TRAIN)}
    openai = [
        {"role": "user", "content": "Train it."},
        {"role": "assistant", "content": "", "tool_calls": [{"id": "c", "type": "function", "function": function}]},
        {"role": "tool", "tool_call_id": "c", "content": json.dumps(seen)},
    ]
    google = [
        {"role": "user", "parts": [{"text": "Train it."}]},
        {"role": "model", "parts": [{"functionCall": {"id": "c", "name": "bash", "args": TRAIN}}]},
        {"role": "user", "parts": [{"functionResponse": {"id": "c", "name": "bash", "response": seen}}]},
    ]
    (tmp_path / "openai.json").write_text(json.dumps(openai))
    (run,) = exchanges(tmp_path / "openai.json")
    assert (run.observation, run.outcome) == (observation, outcome)
    (tmp_path / "google.json").write_text(json.dumps(google))
    assert exchanges(tmp_path / "google.json")[0].outcome is outcome


def test_shells_and_patches_of_openai_are_commands_and_edits(tmp_path: Path) -> None:
    def printed(stdout: str, outcome: dict[str, Any]) -> dict[str, Any]:
        return {"stdout": stdout, "stderr": "", "outcome": outcome}

    patch = {"type": "update_file", "path": "train.py", "diff": "@@\n-lr = 0.1\n+lr = 0.01"}
    ran = [printed("", {"type": "exit", "exit_code": 0}), printed("acc: 0.8", {"type": "timeout"})]
    items = [
        {"role": "user", "content": "Train it."},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "I lower it."}]},
        {"type": "apply_patch_call", "call_id": "a", "operation": patch},
        {"type": "apply_patch_call_output", "call_id": "a", "status": "completed"},
        {"type": "shell_call", "call_id": "b", "action": {"commands": ["cd /w", "python train.py"]}},
        {"type": "shell_call_output", "call_id": "b", "output": ran},
        {"type": "local_shell_call", "call_id": "c", "action": {"type": "exec", "command": ["python", "test.py"]}},
        {"type": "local_shell_call_output", "call_id": "c", "output": json.dumps({"output": "no", "exit_code": 1})},
    ]
    (tmp_path / "items.json").write_text(json.dumps(items))
    edit, run, test = RunModel.of(read_one(tmp_path / "items.json")).events
    assert (edit.kind, edit.files, edit.changed) == (EventKind.EDIT, ("train.py",), True)
    assert (run.kind, run.files, run.observation, run.outcome) == (
        EventKind.RUN, ("train.py",), "acc: 0.8", Outcome.KILLED
    )  # fmt: skip
    assert (test.files, test.observation, test.outcome) == (("test.py",), "no", Outcome.FAILED)


def test_calls_that_openai_makes_itself_hold_what_came_back(tmp_path: Path) -> None:
    items = [
        {"type": "mcp_list_tools", "server_label": "lab", "tools": []},
        {"type": "code_interpreter_call", "code": "print(0.8)", "outputs": [{"type": "logs", "logs": "acc: 0.8"}]},
        {"type": "image_generation_call", "id": "g", "status": "completed"},
        {"type": "mcp_call", "id": "m", "name": "train", "arguments": "{}", "output": None, "error": "no memory"},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "It is 0.8."}]},
    ]
    (tmp_path / "items.json").write_text(json.dumps(items))
    code, train = exchanges(tmp_path / "items.json")
    assert (code.action.args, code.observation.strip(), code.unfinished) == ({"code": "print(0.8)"}, "acc: 0.8", False)
    assert (train.action.name, train.observation.strip(), train.outcome) == ("train", "no memory", Outcome.FAILED)


def test_a_session_of_copilot_has_its_own_model_and_all_tokens(tmp_path: Path) -> None:
    usage = {"inputTokens": 300, "outputTokens": 20}
    other = {"type": "subagent.started", "agentId": "k", "data": {"toolCallId": "k", "model": "small"}}
    events = [
        {"type": "session.start", "data": {"selectedModel": "large"}},
        {"type": "user.message", "data": {"content": "Train it."}},
        other,
        {"type": "session.shutdown", "data": {"modelMetrics": {"large": {"usage": usage}, "small": {"usage": usage}}}},
    ]
    found = Found(write_lines(tmp_path / "events.jsonl", events), "events")
    (log,) = COPILOT.read(found)
    assert (log.model, log.tokens, found.notes) == ("large", 640, [])


def test_a_command_that_anthropic_ran_has_its_output_and_its_end(tmp_path: Path) -> None:
    gave = {"type": "bash_code_execution_result", "stdout": "acc: 0.8", "stderr": "", "return_code": 2, "content": []}
    said = [
        {"type": "server_tool_use", "id": "c", "name": "bash_code_execution", "input": TRAIN},
        {"type": "bash_code_execution_tool_result", "tool_use_id": "c", "content": gave},
    ]
    messages = [{"role": "user", "content": "Train it."}, {"role": "assistant", "content": said}]
    (tmp_path / "messages.json").write_text(json.dumps(messages))
    (run,) = exchanges(tmp_path / "messages.json")
    assert (run.action.args, run.observation, run.outcome) == (TRAIN, "acc: 0.8", Outcome.FAILED)


def test_objects_of_no_known_kind_are_kept_as_they_are(tmp_path: Path) -> None:
    made = {"id": "c", "type": "function", "function": {"name": "bash", "arguments": json.dumps(TRAIN)}}
    came = {"role": "tool", "tool_call_id": "c", "content": [{"name": "test accuracy", "value": 0.8123}]}
    path = tmp_path / "messages.json"
    path.write_text(json.dumps([{"role": "assistant", "content": "", "tool_calls": [made]}, came]))
    (run,) = exchanges(path)
    assert json.loads(run.observation) == came["content"][0]
