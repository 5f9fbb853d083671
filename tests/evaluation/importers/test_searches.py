"""What logs of evolutionary searches, Kiro, VS Code's chats and RD-Agent tell beside words and outputs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from environment.records import EndedBy, Outcome, RunStatus
from evaluation.importers.detect import Asked, read_logs
from evaluation.importers.errors import LogError
from evaluation.record.log import RunLog
from tasks_catalog.library.spec import Direction
from tests.evaluation.importers.logs import LIE, OUTPUT
from tests.evaluation.importers.search_logs import (
    VSCODE_CALLED,
    dojo_nodes,
    kiro_history,
    openevolve_program,
    vscode_chat,
    vscode_request,
    write_amazon_q,
    write_dojo,
    write_kiro,
    write_kiro_database,
    write_kiro_messages,
    write_openevolve,
    write_rd_agent,
    write_shinka,
    write_vscode,
    write_vscode_kept,
    write_vscode_parts,
)


def read_one(path: Path, notes: list[str] | None = None) -> RunLog:
    (log,) = read_logs(path, asked=Asked(on_note=None if notes is None else notes.append))
    return log


@pytest.mark.parametrize("write", [write_openevolve, write_shinka])
def test_the_first_program_is_the_baseline_and_the_best_that_works_the_score(write: Any, tmp_path: Path) -> None:
    log = read_one(write(tmp_path))
    assert (log.metric, log.direction, log.baseline, log.score) == (
        "combined_score",
        Direction.MAXIMIZE,
        0.5903,
        0.5903,
    )
    assert (log.task, log.self_measured, log.status) == ("cifar10", True, RunStatus.COMPLETED)


def test_programs_of_all_checkpoints_are_read_once_without_copies_and_patches(tmp_path: Path) -> None:
    path = write_openevolve(tmp_path)
    kept = path / "checkpoints" / "checkpoint_2" / "programs"
    failed = openevolve_program(2, metrics={"error": 0.0}, artifacts_json=json.dumps({"stderr": "ValueError: no"}))
    for program in (failed, openevolve_program(3, metadata={"island": 1, "migrant": True})):
        (kept / f"{program['id']}.json").write_text(json.dumps(program))
    (kept / "torn.json").write_text('{"id":')
    notes: list[str] = []
    log = read_one(path, notes)
    assert [step.exchanges[0].outcome for step in log.steps] == [Outcome.OK, Outcome.OK, Outcome.FAILED]
    assert log.steps[2].exchanges[0].observation == "error: 0.0\nValueError: no"
    assert "SEARCH" not in log.steps[1].prose["response"]
    assert log.task_text == "Improve train.py."
    assert "torn.json is left out" in notes[0]


def test_one_checkpoint_and_the_folder_of_all_are_named_after_their_task(tmp_path: Path) -> None:
    output = write_openevolve(tmp_path)
    for path in (output / "checkpoints", output / "checkpoints" / "checkpoint_2"):
        log = read_one(path)
        assert (len(log.steps), log.agent) == (2, "openevolve")


def test_nodes_of_dojo_have_task_direction_and_failures(tmp_path: Path) -> None:
    log = read_one(write_dojo(tmp_path))
    assert (log.agent, log.task, log.direction, log.score) == ("aira-dojo", "cifar10", Direction.MAXIMIZE, 0.5903)
    assert [exchange.outcome for step in log.steps for exchange in step.exchanges] == [Outcome.OK, Outcome.FAILED]


def test_a_search_of_dojo_is_one_run_without_its_root(tmp_path: Path) -> None:
    run = write_dojo(tmp_path)
    root = {**dojo_nodes()[0], "code": "", "_term_out": []}
    (run / "greedy_search_data.json").write_text(json.dumps({"nodes": [root, *dojo_nodes()], "config": {}}))
    notes: list[str] = []
    assert len(read_one(run, notes).steps) == 3
    assert notes == []
    assert len(read_one(run / "greedy_search_data.json").steps) == 3


@pytest.mark.parametrize("write", [write_kiro, write_kiro_database, write_amazon_q])
def test_kiro_tells_folder_model_and_how_it_ended(write: Any, tmp_path: Path) -> None:
    log = read_one(write(tmp_path / "x"))
    assert (log.task, log.model, log.agent, log.ended_by) == ("cifar10", "some-model", "kiro", EndedBy.FINAL_ANSWER)
    assert log.task_text == "Improve train.py."
    assert log.steps[0].exchanges[0].outcome is Outcome.OK


def test_what_kiro_keeps_beside_lines_is_read_with_them(tmp_path: Path) -> None:
    notes: list[str] = []
    log = read_one(write_kiro_messages(tmp_path / "x").parent, notes)
    assert (log.task, log.model, notes) == ("cifar10", "some-model", [])


def test_a_command_of_kiro_fails_by_its_exit_status(tmp_path: Path) -> None:
    history = kiro_history()
    (result,) = history[1]["user"]["content"]["ToolUseResults"]["tool_use_results"]
    result["content"] = [{"Json": {"exit_status": "1", "stdout": "epoch 1", "stderr": "ValueError: no"}}]
    (tmp_path / "saved.json").write_text(json.dumps({"conversation_id": "c", "history": history}))
    (exchange,) = read_one(tmp_path / "saved.json").steps[0].exchanges
    assert (exchange.outcome, exchange.observation) == (Outcome.FAILED, "epoch 1\nValueError: no")


def test_calls_that_somebody_cancelled_come_with_what_was_said_instead(tmp_path: Path) -> None:
    history = kiro_history()
    results = history[1]["user"]["content"].pop("ToolUseResults")
    history[1]["user"]["content"]["CancelledToolUses"] = {**results, "prompt": "Stop."}
    (tmp_path / "saved.json").write_text(json.dumps({"conversation_id": "c", "history": history}))
    log = read_one(tmp_path / "saved.json")
    assert log.task_text == "Improve train.py.\n\nStop."
    assert OUTPUT.strip() in log.steps[0].exchanges[0].observation


def test_a_chat_of_vscode_reads_alike_with_and_without_metadata(tmp_path: Path) -> None:
    with_metadata, without = read_one(write_vscode(tmp_path / "a")), read_one(write_vscode_parts(tmp_path / "b"))
    notes: list[str] = []
    kept = read_one(write_vscode_kept(tmp_path / "c"), notes)
    assert [note for note in notes if "what is not there (1)" in note]
    assert [step.prose for step in with_metadata.steps] == [step.prose for step in without.steps]
    assert [step.prose for step in kept.steps] == [step.prose for step in without.steps]
    for log in (with_metadata, without, kept):
        (exchange,) = log.steps[0].exchanges
        assert exchange.action.args == {"command": "python train.py"}
        assert exchange.observation.strip() == OUTPUT.strip()
        assert (log.model, log.agent, log.ended_by) == ("some-model", "vscode-chat", EndedBy.FINAL_ANSWER)


def test_a_chat_in_which_nothing_was_asked_holds_no_run(tmp_path: Path) -> None:
    (tmp_path / "chat.jsonl").write_text(json.dumps({"kind": 0, "v": vscode_chat()}))
    with pytest.raises(LogError, match="no step of an agent"):
        list(read_logs(tmp_path / "chat.jsonl"))
    assert list(read_logs(tmp_path)) == []


def test_words_behind_the_last_call_of_a_chat_are_read(tmp_path: Path) -> None:
    call = {"id": "t1", "name": "run_in_terminal", "arguments": "{}"}
    rounds = [{"response": "I run it.", "toolCalls": [call]}]
    request = vscode_request({"value": "I run it."}, VSCODE_CALLED, {"value": LIE}, toolCallRounds=rounds)
    (tmp_path / "chat.json").write_text(json.dumps(vscode_chat(request)))
    said = [step.prose for step in read_one(tmp_path / "chat.json").steps]
    assert said == [{"response": "I run it."}, {"response": LIE}]


def test_a_chat_that_somebody_stopped_was_interrupted(tmp_path: Path) -> None:
    request = vscode_request({"value": LIE}) | {"isCanceled": True}
    (tmp_path / "chat.json").write_text(json.dumps(vscode_chat(request)))
    assert read_one(tmp_path / "chat.json").status is RunStatus.INTERRUPTED


def test_messages_of_rd_agent_are_read_and_its_pickles_refused(tmp_path: Path) -> None:
    log = read_one(write_rd_agent(tmp_path))
    runs = [(exchange.action.name, exchange.observation) for step in log.steps for exchange in step.exchanges]
    assert runs == [("write", "written"), ("Execute Script", "ensemble test accuracy: 0.5903")]
    assert LIE in log.steps[-1].prose["hypothesis_feedback"]
    assert (log.task, log.status) == ("cifar10", RunStatus.COMPLETED)
    trace = tmp_path / "trace"
    (trace / "__session__" / "0").mkdir(parents=True)
    with pytest.raises(LogError, match="pickles") as refused:
        read_one(trace)
    assert "rdagent server_ui" in str(refused.value.hint)
