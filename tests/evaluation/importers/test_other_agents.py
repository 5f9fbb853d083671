"""What sessions of opencode, goose, Crush and smolagents tell beside messages: failures, endings, cost."""

from __future__ import annotations

import gzip
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import zstandard

from environment.records import EndedBy, Outcome, RunStatus
from evaluation.importers.detect import Asked, read_logs
from evaluation.importers.errors import LogError
from evaluation.importers.packing import ANY_LOG
from evaluation.record.log import RunLog
from tests.evaluation.importers.logs import LIE, OUTPUT
from tests.evaluation.importers.reading import read_one
from tests.evaluation.importers.writing.editors import cline_messages, write_copilot, write_cursor
from tests.evaluation.importers.writing.goose import goose_messages, write_crush, write_goose_database
from tests.evaluation.importers.writing.opencode import opencode_session, write_opencode, write_opencode_database
from tests.evaluation.importers.writing.terminals import write_pi, write_pi_printed, write_qwen, write_qwen_printed


def opencode(folder: Path, *, ended: dict[str, Any] | None = None, **state: Any) -> RunLog:
    """The session with another state of its one call, or with an error that ended it."""
    session = opencode_session()
    session["messages"][1]["parts"][2]["state"].update(state)
    if ended:
        session["messages"][-1]["info"]["error"] = ended
    path = folder / "session.json"
    path.write_text(json.dumps(session))
    return read_one(path)


@pytest.mark.parametrize(
    ("state", "outcome"),
    [
        ({}, Outcome.OK),
        ({"metadata": {"exit": 1}}, Outcome.FAILED),
        ({"status": "error", "error": "The user rejected permission to use this tool call."}, Outcome.REFUSED),
        ({"output": "epoch 1\n<bash_metadata>\nbash tool terminated command after exceeding timeout 120000 ms\n"},
         Outcome.KILLED),
    ],
)  # fmt: skip
def test_a_command_of_opencode_ended_as_its_state_says(state: dict[str, Any], outcome: Outcome, tmp_path: Path) -> None:
    if "error" in state:
        state = {**state, "output": ""}
    assert opencode(tmp_path, **state).steps[0].exchanges[0].outcome is outcome


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (None, RunStatus.COMPLETED),
        ({"name": "MessageAbortedError", "data": {"message": "aborted"}}, RunStatus.INTERRUPTED),
        ({"name": "APIError", "data": {"message": "overloaded"}}, RunStatus.INFRASTRUCTURE),
    ],
)
def test_what_ended_a_session_of_opencode(error: dict[str, Any] | None, status: RunStatus, tmp_path: Path) -> None:
    assert opencode(tmp_path, ended=error).status is status


def test_all_forms_of_a_session_of_opencode_are_the_same_run(tmp_path: Path) -> None:
    exported, kept = read_one(write_opencode(tmp_path / "a")), read_one(write_opencode_database(tmp_path / "b"))
    assert (exported.tokens, exported.task, exported.model, exported.agent) == (360, "cifar10", "model", "opencode")
    assert exported.cost == pytest.approx(0.3)
    assert exported.task_text == "Improve train.py."
    assert exported.model_dump(exclude={"source"}) == kept.model_dump(exclude={"source"})


def test_messages_that_pi_prints_in_parts_are_read_once(tmp_path: Path) -> None:
    assert read_one(write_pi_printed(tmp_path / "a")).steps == read_one(write_pi(tmp_path / "b")).steps


@pytest.mark.parametrize(
    ("status", "code", "outcome"),
    [
        ("success", 0, Outcome.OK),
        ("success", 3, Outcome.FAILED),
        ("error", 0, Outcome.FAILED),
        ("cancelled", 0, Outcome.REFUSED),
    ],
)
def test_a_command_of_qwen_code_ended_as_its_exit_code_says(
    status: str, code: int, outcome: Outcome, tmp_path: Path
) -> None:
    path = write_qwen(tmp_path)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    result = next(line for line in lines if line["type"] == "tool_result")
    result["toolCallResult"]["status"] = status
    shown = {"output": f"Output: done\nError: (none)\nExit Code: {code}\nSignal: 0"}
    result["message"]["parts"][0]["functionResponse"]["response"] = shown
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    log = read_one(path)
    assert log.steps[0].exchanges[0].outcome is outcome
    assert (log.agent, log.model) == ("qwen-code", "model")


@pytest.mark.parametrize(
    ("shown", "outcome"),
    [
        ("Command executed in terminal. Exit code: 1\nOutput:\nno file", Outcome.FAILED),
        ("Command executed in terminal. Exit code: 0\nOutput:\ndone", None),
        ("The user denied this operation.", Outcome.REFUSED),
    ],
)
def test_results_of_cline_stand_behind_their_headings(shown: str, outcome: Outcome | None, tmp_path: Path) -> None:
    messages = cline_messages()
    messages[2]["content"][1]["text"] = shown
    path = tmp_path / "conversation.json"
    path.write_text(json.dumps(messages))
    log = read_one(path)
    assert [step.prose for step in log.steps[::2]] == [{"response": "I run it."}, {"final_answer": LIE}]
    assert [(e.action.name, e.observation) for step in log.steps for e in step.exchanges] == [
        ("execute_command", shown),
        ("read_file", "x = 1"),
    ]
    assert log.steps[0].exchanges[0].outcome is outcome
    assert (log.task_text, log.ended_by) == ("Improve train.py.", EndedBy.FINAL_ANSWER)


def test_what_qwen_code_prints_is_its_own(tmp_path: Path) -> None:
    path = write_qwen_printed(tmp_path)
    assert (read_one(path).agent, read_one(path).tokens) == ("qwen-code", 360)
    path.write_text(path.read_text().replace(json.dumps(OUTPUT), '"Command exited with code: 3"'))
    failed = [exchange.outcome for step in read_one(path).steps for exchange in step.exchanges]
    assert failed == [Outcome.FAILED]


def test_databases_tell_tokens_money_and_time(tmp_path: Path) -> None:
    goose, crush = read_one(write_goose_database(tmp_path / "a")), read_one(write_crush(tmp_path / "b"))
    assert (goose.task, goose.model, goose.tokens, goose.seconds, goose.agent) == ("cifar10", "model", 360, 9, "goose")
    assert (crush.task, crush.model, crush.tokens, crush.cost, crush.agent) == ("cifar10", "model", 360, 0.25, "crush")


def test_other_databases_are_none_and_nothing_is_written_beside_one(tmp_path: Path) -> None:
    path = write_goose_database(tmp_path)
    read_one(path)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    path.with_name("sessions.db-wal").touch()
    with closing(sqlite3.connect(tmp_path / "study.db")) as database, database:
        database.execute("CREATE TABLE trials (number, state)")
    (tmp_path / "broken.db").write_bytes(path.read_bytes()[:150] + b"x" * 200)
    notes: list[str] = []
    assert len(list(read_logs(tmp_path, asked=Asked(on_note=notes.append)))) == 1
    assert "broken.db" in notes[0]
    assert "study.db" in notes[0]
    assert "wal" not in notes[0]
    with pytest.raises(LogError, match="neutral log"):
        list(read_logs(tmp_path / "study.db"))
    with pytest.raises(LogError, match="cannot be read"):
        list(read_logs(tmp_path / "broken.db"))


@pytest.mark.parametrize("name", ["run.log.gz", "run.gz", "run.db.gz", "run.jsonl.zst"])
def test_a_damaged_pack_is_named_as_one_whatever_it_holds(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    pack = zstandard.compress if path.suffix == ".zst" else gzip.compress
    path.write_bytes(pack(b"epoch 1 loss 0.5\n" * 100)[:25])
    with pytest.raises(LogError, match="breaks off"):
        list(read_logs(path))
    path.write_bytes(b"epoch 1 loss 0.5\n")
    with pytest.raises(LogError, match="damaged, or not packed by"):
        list(read_logs(path))


@pytest.mark.parametrize("name", ["run.jsonl.gz", "run.jsonl.zst"])
def test_a_small_pack_that_holds_more_than_any_log_is_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    pack = zstandard.compress if path.suffix == ".zst" else gzip.compress
    path.write_bytes(pack(bytes(ANY_LOG + 10_000_000)))
    with pytest.raises(LogError, match=r"and 1\d\d,\d{3},\d{3} or more come out(.|\n)*unpack it"):
        list(read_logs(path))


def changed_call(written: Path, **change: Any) -> RunLog:
    """A printed session of Cursor or a session of Copilot, with another end of its first call."""
    lines = [json.loads(line) for line in written.read_text().splitlines()]
    for line in lines:
        if line.get("subtype") == "completed" and line.get("call_id") == "c1":
            line["tool_call"]["shellToolCall"].update(change)
        if line["type"] == "tool.execution_complete":
            line["data"].update(change)
    written.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return read_one(written)


@pytest.mark.parametrize(
    ("result", "outcome", "seen"),
    [
        ({"failure": {"exitCode": 2, "stdout": "epoch 1", "stderr": "no file"}}, Outcome.FAILED, "epoch 1\nno file"),
        ({"rejected": {"error": "denied"}}, Outcome.REFUSED, "denied"),
        ({"error": {"message": "exit status 2"}}, Outcome.FAILED, "exit status 2"),
    ],
)
def test_a_command_of_cursor_ended_as_its_result_says(
    result: dict[str, Any], outcome: Outcome, seen: str, tmp_path: Path
) -> None:
    exchange = changed_call(write_cursor(tmp_path), result=result).steps[0].exchanges[0]
    assert (exchange.action.args["command"], exchange.outcome, exchange.observation) == (
        "python train.py",
        outcome,
        seen,
    )


@pytest.mark.parametrize(
    ("change", "outcome"),
    [
        ({"success": False, "result": {"content": "exit 1"}}, Outcome.FAILED),
        ({"success": False, "result": None, "error": {"message": "no", "code": "denied"}}, Outcome.REFUSED),
    ],
)
def test_a_command_of_copilot_ended_as_its_event_says(change: dict[str, Any], outcome: Outcome, tmp_path: Path) -> None:
    assert changed_call(write_copilot(tmp_path), **change).steps[0].exchanges[0].outcome is outcome


@pytest.mark.parametrize("write", [write_cursor, write_copilot, write_pi, write_qwen])
def test_tasks_are_those_of_the_folder_that_was_worked_in(write: Callable[[Path], Path], tmp_path: Path) -> None:
    assert read_one(write(tmp_path)).task == "cifar10"


def test_a_session_that_goose_exports_tells_of_itself(tmp_path: Path) -> None:
    about = {
        "id": "20261120_1", "working_dir": "/home/user/cifar10", "name": "A run", "created_at": "2026-11-20T10:00:00Z",
        "updated_at": "2026-11-20T10:05:00Z", "total_tokens": 90, "accumulated_total_tokens": 360,
        "provider_name": "provider", "model_config": {"model_name": "model", "context_limit": None},
    }  # fmt: skip
    path = tmp_path / "session.json"
    path.write_text(json.dumps({**about, "conversation": goose_messages()}))
    log = read_one(path)
    assert (log.task, log.model, log.tokens, log.seconds) == ("cifar10", "model", 360, 300.0)
