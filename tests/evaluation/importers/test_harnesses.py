"""What the logs of benchmarks and research systems say of their runs: task, metric, direction, status and error."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from environment.records import EndedBy, RunStatus
from environment.store import Store
from evaluation.claims.audit import audit
from evaluation.claims.claim import Verdict
from evaluation.importers.detect import Asked, read_logs
from evaluation.importers.records import import_log
from evaluation.record.kinds import EventKind
from evaluation.record.log import RunLog
from evaluation.record.run import RunModel
from tasks_catalog.library.spec import Direction
from tests.evaluation.importers.logs import write_mlgym, write_neutral, write_swe_agent
from tests.evaluation.importers.reading import read_one, verdicts
from tests.evaluation.importers.research_logs import (
    ai_scientist_v2_node,
    write_ai_scientist,
    write_ai_scientist_v2,
    write_autoresearch,
)


def test_the_task_of_swe_agent_is_what_stands_before_the_first_answer(tmp_path: Path) -> None:
    path = write_swe_agent(tmp_path / "run")
    data = json.loads(path.read_text())
    shown = {"role": "user", "content": "A demonstration.", "is_demo": True, "message_type": "demonstration"}
    answer = {"role": "assistant", "content": "I run it.", "message_type": "action"}
    seen = {"role": "user", "content": "OBSERVATION: done", "message_type": "observation"}
    system, asked = data["history"]
    path.write_text(json.dumps({**data, "history": [system, shown, asked, answer, seen]}))
    assert read_one(path).task_text == "Improve train.py."


def test_the_grade_and_the_error_of_a_harbor_trial(tmp_path: Path) -> None:
    trial = tmp_path / "cifar10__abc1234"
    (trial / "agent").mkdir(parents=True)
    agent = {"name": "terminus-2", "model_name": "model"}
    steps = [{"step_id": 1, "source": "agent", "message": "Done."}]
    (trial / "agent" / "trajectory.json").write_text(
        json.dumps({"schema_version": "ATIF-v1.6", "agent": agent, "steps": steps})
    )
    assert read_one(trial / "agent").task == "cifar10"
    told = {"trial_name": trial.name, "task_name": "vision", "verifier_result": {"rewards": {"reward": 0.5}}}
    (trial / "result.json").write_text(json.dumps(told))
    log = read_one(tmp_path)
    assert (log.task, log.metric, log.score, log.status) == ("vision", "reward", 0.5, RunStatus.COMPLETED)
    error = {"exception_type": "AgentTimeoutError", "exception_message": "after 900 s"}
    (trial / "result.json").write_text(json.dumps({**told, "exception_info": error}))
    assert (read_one(tmp_path).status, read_one(tmp_path).error) == (
        RunStatus.FAILED,
        "AgentTimeoutError: after 900 s",
    )


@pytest.mark.parametrize(
    ("folder", "file", "environment", "task"),
    [
        ("model__regression__default", "regression.traj", "mlgym_main", "regression"),
        ("0", "regression.traj", "mlgym_main", "regression"),
        ("0", "run.traj", "regression", "regression"),
    ],
)
def test_mlgym_s_task_is_not_the_harness(folder: str, file: str, environment: str, task: str, tmp_path: Path) -> None:
    path = write_mlgym(tmp_path / folder).rename(tmp_path / folder / file)
    path.write_text(path.read_text().replace('"imageClassificationCifar10"', json.dumps(environment)))
    assert read_one(path).task == task


def test_time_is_better_when_it_is_shorter_and_an_unknown_metric_is_not_ranked(tmp_path: Path) -> None:
    def imported(metric: str) -> Any:
        log = RunLog(source=metric, steps=(), task="t", metric=metric, score=12.7, baseline=30.5)
        return import_log(Store(str(tmp_path / "store")), log)

    assert imported("Time").improvement == pytest.approx(1 - 12.7 / 30.5)
    unknown = imported("frobnication")
    assert (unknown.direction, unknown.improvement, unknown.success) == (None, None, False)


@pytest.mark.parametrize(
    ("ended", "status", "ended_by"),
    [
        ("submitted", RunStatus.COMPLETED, EndedBy.FINAL_ANSWER),
        ("submitted (exit_cost)", RunStatus.COMPLETED, EndedBy.MONEY),
        ("exit_context", RunStatus.COMPLETED, EndedBy.TOKENS),
        ("max_steps", RunStatus.COMPLETED, EndedBy.STEPS),
        ("exit_format", RunStatus.FAILED, EndedBy.ERROR),
        ("exit_environment_error", RunStatus.INFRASTRUCTURE, EndedBy.ERROR),
    ],
)
def test_the_exit_status_of_swe_agent_is_the_run_s(
    ended: str, status: RunStatus, ended_by: EndedBy, tmp_path: Path
) -> None:
    path = write_swe_agent(tmp_path / "x")
    path.write_text(path.read_text().replace('"exit_status": "submitted"', f'"exit_status": "{ended}"'))
    log = read_one(path)
    assert (log.agent, log.task, log.status, log.ended_by) == ("swe-agent", "cifar10", status, ended_by)


def journal(tmp_path: Path, *values: tuple[float | None, bool | None]) -> RunLog:
    nodes = [
        {"step": n, "code": "train()", "plan": f"Try {n}.", "_term_out": [f"Validation Gini Spread: {value}\n"],
         "analysis": "", "metric": {"value": value, "maximize": maximize}, "is_buggy": value is None}
        for n, (value, maximize) in enumerate(values)
    ]  # fmt: skip
    path = tmp_path / "run" / "journal.json"
    path.parent.mkdir()
    path.write_text(json.dumps({"nodes": nodes}))
    return read_one(path)


def test_most_nodes_of_a_journal_say_what_is_better(tmp_path: Path) -> None:
    log = journal(tmp_path, (0.152, True), (0.141, False), (0.163, False), (None, False), (0.128, False))
    assert (log.direction, log.score, log.self_measured, log.task) == (Direction.MINIMIZE, 0.128, True, "run")


def test_a_journal_that_is_at_odds_with_itself_says_nothing(tmp_path: Path) -> None:
    log = journal(tmp_path, (0.152, True), (0.141, False))
    assert (log.direction, log.score) == (None, None)


def test_ai_scientist_v2_measures_apart_and_what_models_say_of_plots_is_prose(tmp_path: Path) -> None:
    log = read_one(write_ai_scientist_v2(tmp_path))
    assert (log.agent, log.task, log.metric, log.score) == (
        "ai-scientist-v2", "2026-01-01_idea", "validation accuracy", 0.8312
    )  # fmt: skip
    found = {claim.quote: (claim.field, claim.verdict) for claim in audit(log)}
    assert found["The accuracy rises to 0.95 on the test set."] == ("vlm_feedback_summary", Verdict.UNSUPPORTED)
    assert found["Validation accuracy reaches 0.99."][0] == "plot_analyses"
    assert found["Validation accuracy reaches 0.99."][1].is_problem
    assert found["The first try reached a validation accuracy of 0.83."] == ("plan", Verdict.SUPPORTED)


def named(name: str, value: float, *, lower: bool) -> dict[str, Any]:
    return {"metric_name": name, "lower_is_better": lower, "data": [{"dataset_name": "d", "final_value": value}]}


def test_a_node_of_several_metrics_is_measured_by_one_of_held_out_data(tmp_path: Path) -> None:
    rows = [
        [named("training F1", 0.99, lower=False), named("val_f1", 0.79, lower=False), named("loss", 0.5, lower=True)],
        [named("training F1", 0.98, lower=False), named("Validation F1 Score", 0.81, lower=False)],
        [named("train loss", 0.2, lower=True), named("val loss", 0.4, lower=True), named("ECE", 0.1, lower=True)],
    ]
    nodes = [ai_scientist_v2_node(n, 0.0, metric={"value": {"metric_names": of}}) for n, of in enumerate(rows)]
    (tmp_path / "journal.json").write_text(json.dumps({"nodes": nodes}))
    log = read_one(tmp_path / "journal.json")
    assert (log.metric, log.direction, log.score) == ("val_f1", Direction.MAXIMIZE, 0.81)


def test_a_journal_s_metric_is_called_as_its_nodes_call_it(tmp_path: Path) -> None:
    metric = {"value": 0.4, "maximize": False, "name": "Shape-weighted error"}
    (tmp_path / "journal.json").write_text(json.dumps({"nodes": [ai_scientist_v2_node(0, 0.4, metric=metric)]}))
    log = read_one(tmp_path / "journal.json")
    assert (log.metric, log.direction, log.score) == ("Shape-weighted error", Direction.MINIMIZE, 0.4)


@pytest.mark.parametrize("chat", [True, False])
def test_ai_scientist_v1_keeps_results_notes_and_what_its_coder_said(chat: bool, tmp_path: Path) -> None:
    log = read_one(write_ai_scientist(tmp_path, chat=chat))
    assert (log.agent, log.task, log.baseline, log.score, log.self_measured) == (
        "ai-scientist", "cifar10", 0.5903, 0.6125, True
    )  # fmt: skip
    kinds = [event.kind for event in RunModel.of(log).events]
    assert kinds == [EventKind.RUN, EventKind.EDIT, *([EventKind.RUN] if chat else []), EventKind.RUN]
    found = verdicts(log)
    assert found["The test accuracy is 0.6125 in the end."] is Verdict.SUPPORTED
    assert found["The best test accuracy is 0.75."].is_problem
    if chat:
        assert log.model == "provider/model"
        assert found["The test accuracy is now 0.6125."] is Verdict.SUPPORTED


def test_autoresearch_s_table_and_history_are_a_run(tmp_path: Path) -> None:
    folder = write_autoresearch(tmp_path)
    log = read_one(folder)
    assert (log.task, log.metric, log.direction, log.baseline, log.score) == (
        "autoresearch", "val_bpb", Direction.MINIMIZE, 0.9979, 0.9912
    )  # fmt: skip
    events = RunModel.of(log).events
    assert [event.kind for event in events] == [EventKind.EDIT, EventKind.RUN] * 3
    assert (events[2].added, events[2].removed) == ("lr = 0.02", "lr = 0.04")
    assert [event.succeeded for event in events if event.kind is EventKind.RUN] == [True, True, False]
    result = import_log(Store(str(tmp_path / "store")), log)
    assert result.improvement == pytest.approx(1 - 0.9912 / 0.9979)
    assert (result.self_measured, result.training_runs) == (True, 3)


def test_the_repository_of_a_log_runs_nothing(tmp_path: Path) -> None:
    folder = write_autoresearch(tmp_path)
    planted = tmp_path / "planted"
    planted.write_text(f"#!/bin/sh\ntouch {tmp_path / 'ran'}\ncat\n")
    planted.chmod(0o755)
    (folder / ".gitattributes").write_text("* diff=planted\n")
    with (folder / ".git" / "config").open("a") as config:
        config.write(f'[diff]\nexternal = {planted}\n[diff "planted"]\ntextconv = {planted}\n[core]\n')
        config.write(f"pager = {planted}\nfsmonitor = {planted}\n[log]\nshowSignature = true\n[gpg]\n")
        config.write(f"program = {planted}\n")
    assert read_one(folder).steps
    assert not (tmp_path / "ran").exists()


def test_the_neutral_log_pairs_what_came_later(tmp_path: Path) -> None:
    path = write_neutral(tmp_path / "x")
    lines = [
        {"log": 1, "task": "t", "metric": "loss", "direction": "minimize"},
        {"do": {"tool": "Write", "args": {"file_path": "a.md", "content": "The loss is 0.1."}}, "id": "a"},
        {"do": "python train.py", "id": "b"},
        {"saw": "loss: 0.4", "id": "b", "exit": 1},
        {"saw": "written", "id": "a"},
        {"end": "failed", "error": "no power"},
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    log = read_one(path)
    (step,) = log.steps
    assert [(e.observation, e.outcome and e.outcome.value) for e in step.exchanges] == [
        ("written", None), ("loss: 0.4", "failed")
    ]  # fmt: skip
    assert step.prose == {"report: a.md": "The loss is 0.1."}
    assert (log.direction, log.status, log.error) == (Direction.MINIMIZE, RunStatus.FAILED, "no power")


def test_values_of_the_neutral_log_that_cannot_be_used_are_told(tmp_path: Path) -> None:
    path = write_neutral(tmp_path / "x")
    lines = [
        {"log": 1, "task": "t", "metric": None, "direction": "up", "baseline": 0.5},
        {"do": "python train.py", "saw": "loss: 0.4", "exit": "zero"},
        {"end": "completed", "score": "abc", "scroe": 1},
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    notes: list[str] = []
    (log,) = read_logs(path, asked=Asked(on_note=notes.append))
    assert (log.score, log.baseline, log.direction) == (None, 0.5, None)
    told = "direction up (1), exit zero (1), score abc (1), scroe 1 (1)"
    assert notes == [f"{path}: values that cannot be used are left out: {told}"]


def test_a_neutral_log_of_a_run_that_took_no_step_tells_how_it_ended(tmp_path: Path) -> None:
    path = write_neutral(tmp_path / "x")
    path.write_text('{"log": 1}\n{"end": "infrastructure", "error": "no power"}\n')
    assert (read_one(path).steps, read_one(path).status) == ((), RunStatus.INFRASTRUCTURE)
    path.write_text('{"log": 1}\n{"end": "somehow"}\n')
    assert read_one(path).status is RunStatus.INTERRUPTED


def test_a_neutral_log_takes_no_nonsense_without_a_word(tmp_path: Path) -> None:
    path = write_neutral(tmp_path / "x")
    lines = [
        {"log": 2, "task": 5, "metric": 7, "agent": {"a": 1}},
        {"say": {"a": 1}},
        {"say": [{"type": "text", "text": "I run it."}]},
        {"end": "failed", "tokens": -3, "cost": -0.1, "seconds": -1, "error": False},
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    notes: list[str] = []
    (log,) = read_logs(path, asked=Asked(on_note=notes.append))
    assert (log.task, log.metric, log.agent, log.error) == (path.stem, None, None, None)
    assert (log.tokens, log.cost, log.seconds) == (None, None, None)
    assert [step.prose for step in log.steps] == [{"response": "I run it."}]
    (note,) = notes
    for told in ("log 2", "task 5", "metric 7", "agent {", "say {", "tokens -3", "cost -0.1", "seconds -1", "error F"):
        assert told in note


def test_a_folder_of_ai_scientist_whose_results_are_torn_still_has_its_chat(tmp_path: Path) -> None:
    folder = write_ai_scientist(tmp_path / "x")
    for file in folder.glob("run_*/final_info.json"):
        file.write_text("{")
    log = read_one(folder)
    assert (log.metric, log.score) == (None, None)
    assert log.steps


@pytest.mark.parametrize("named", ["file", "folder"])
def test_a_chat_of_ai_scientist_alone_tells_what_its_runs_measured(named: str, tmp_path: Path) -> None:
    file = next(write_ai_scientist(tmp_path / "x").glob("*_aider.txt")).rename(tmp_path / "smaller_steps_aider.txt")
    if named == "folder":
        file = file.rename(tmp_path / "x" / file.name)
        shutil.rmtree(tmp_path / "x" / "cifar10")
    log = read_one(file if named == "file" else file.parent)
    assert log.agent == "ai-scientist"
    assert verdicts(log)["The test accuracy is now 0.6125."] is Verdict.SUPPORTED
