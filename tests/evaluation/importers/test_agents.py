"""What sessions of coding agents hold beyond messages: subagents, background commands, reports, torn lines."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from environment.records import EndedBy, Outcome, RunStatus
from environment.store import Store
from evaluation.claims.audit import audit
from evaluation.claims.claim import Verdict
from evaluation.importers.detect import Asked, read_logs
from evaluation.importers.errors import LogError
from evaluation.importers.records import import_log
from tests.evaluation.importers.logs import LIE, OUTPUT
from tests.evaluation.importers.reading import read_one
from tests.evaluation.importers.writing.claude import claude_lines, write_claude_code, write_claude_sdk
from tests.evaluation.importers.writing.codex import codex_lines, write_codex
from tests.evaluation.importers.writing.gemini import gemini_lines, write_gemini
from tests.evaluation.importers.writing.lines import write_lines
from tests.evaluation.importers.writing.openhands import (
    openhands_events,
    write_mini_swe_agent,
    write_openhands_output,
    write_openhands_sdk,
)


@pytest.mark.parametrize(
    ("write", "change", "status", "ended_by", "error"),
    [
        (write_claude_code, lambda lines: lines[:-1], RunStatus.INTERRUPTED, None, None),
        (write_claude_code, lambda lines: [*lines, {"type": "result", "subtype": "error_max_turns", "session_id": "s"}],
         RunStatus.COMPLETED, EndedBy.STEPS, None),
        (write_claude_code, lambda lines: [*lines, {"type": "result", "subtype": "success", "is_error": True,
                                                    "result": "Credit balance is too low"}],
         RunStatus.INFRASTRUCTURE, EndedBy.ERROR, "Credit balance is too low"),
        (write_codex, lambda lines: lines[:-3], RunStatus.INTERRUPTED, None, None),
        (write_codex, lambda lines: [*lines[:-1], {"type": "event_msg", "payload": {"type": "turn_aborted"}}],
         RunStatus.INTERRUPTED, None, None),
        (write_codex, lambda lines: [*lines[:-1], {"type": "event_msg",
                                                   "payload": {"type": "error", "message": "quota exceeded"}}],
         RunStatus.INFRASTRUCTURE, EndedBy.ERROR, "quota exceeded"),
        (write_gemini, lambda lines: [*lines, {"id": "m9", "type": "error", "content": "quota exceeded"}],
         RunStatus.INFRASTRUCTURE, EndedBy.ERROR, "quota exceeded"),
        (write_openhands_output, lambda lines: [{**lines[0], "error": "AgentStuckInLoopError"}],
         RunStatus.FAILED, EndedBy.ERROR, "AgentStuckInLoopError"),
    ],
)  # fmt: skip
def test_status_and_error_are_those_of_the_log(
    write: Callable[[Path], Path],
    change: Callable[[list[dict[str, Any]]], list[dict[str, Any]]],
    status: RunStatus,
    ended_by: EndedBy | None,
    error: str | None,
    tmp_path: Path,
) -> None:
    path = write(tmp_path / "x")
    write_lines(path, change([json.loads(line) for line in path.read_text().splitlines()]))
    log = read_one(path)
    assert (log.status, log.ended_by, log.error) == (status, ended_by, error)


def test_a_limit_of_mini_swe_agent_is_told_apart(tmp_path: Path) -> None:
    path = write_mini_swe_agent(tmp_path / "x")
    data = json.loads(path.read_text())
    data["info"]["exit_status"] = "LimitsExceeded"
    for limit, by in ((2, EndedBy.STEPS), (0, EndedBy.MONEY)):
        data["info"]["config"]["agent"]["step_limit"] = limit
        path.write_text(json.dumps(data))
        assert (read_one(path).status, read_one(path).ended_by) == (RunStatus.COMPLETED, by)


@pytest.mark.parametrize(
    ("shown", "seen"),
    [
        ({"returncode": 0, "output": "a: 1\nb: 2\n"}, "a: 1\nb: 2"),
        ({"returncode": 1, "output": "", "exception_info": "no shell"}, "no shell"),
        (
            {"output_head": "a: 1\n", "output_tail": "b: 2", "elided_chars": 9, "warning": "long"},
            "a: 1\n[9 characters elided]\nb: 2",
        ),
        ({"anything": 1}, '{"anything": 1}'),
    ],
)
def test_what_mini_swe_agent_shows_as_json_is_what_was_printed(
    shown: dict[str, Any], seen: str, tmp_path: Path
) -> None:
    path = write_mini_swe_agent(tmp_path / "x")
    data = json.loads(path.read_text())
    data["messages"][3]["content"] = json.dumps(shown)
    path.write_text(json.dumps(data))
    assert read_one(path).steps[0].exchanges[0].observation.strip() == seen


def test_tasks_are_those_of_the_folder_that_was_worked_in(tmp_path: Path) -> None:
    for write in (write_claude_code, write_claude_sdk, write_codex, write_gemini, write_openhands_output):
        assert read_one(write(tmp_path / write.__name__)).task == "cifar10"


def test_the_grade_of_openhands_is_the_score(tmp_path: Path) -> None:
    assert read_one(write_openhands_output(tmp_path)).score == 0.5903


def test_events_of_openhands_without_ids_are_paired_in_their_order(tmp_path: Path) -> None:
    bare = [{k: v for k, v in event.items() if k not in ("id", "cause")} for event in openhands_events()]
    bare[4]["args"] = {"outputs": {"content": LIE}, "thought": ""}
    steps = read_one(write_lines(tmp_path / "run.jsonl", bare)).steps
    assert steps[0].exchanges[0].observation == OUTPUT
    assert LIE in steps[-1].prose["final_answer"]


def test_torn_lines_and_unknown_kinds_are_named_and_end_nothing(tmp_path: Path) -> None:
    for lines, own in (
        (claude_lines(), {"type": "telepathy", "sessionId": "s1"}),
        (codex_lines(), {"type": "response_item", "payload": {"type": "telepathy"}}),
        (gemini_lines(), {"id": "z", "type": "telepathy"}),
        (openhands_events(), {"kind": "TelepathyEvent", "source": "agent"}),
    ):
        path = write_lines(tmp_path / "run.jsonl", [*lines[:2], own, *lines[2:]])
        with path.open("a") as file:
            file.write('[3]\n{"type": "assis')
        notes: list[str] = []
        assert any(LIE in words for step in read_one(path, notes).steps for words in step.prose.values())
        assert any("2 of its lines are no JSON object and left out" in note for note in notes)
        assert any("elepathy" in note for note in notes)


def test_what_no_reader_takes_is_named_and_a_format_can_be_forced(tmp_path: Path) -> None:
    root = tmp_path / "logs"
    write_claude_code(root)
    (root / "s1" / "tool-results").mkdir(parents=True)
    (root / "s1" / "tool-results" / "b.txt").write_text("belongs to the session")
    (root / "notes.txt").write_text("by hand")
    (root / "other.json").write_text('{"a": 1}')
    notes: list[str] = []
    read_one(root, notes)
    assert notes == [f"No reader takes 2 of the files under {root}:\n  {root / 'notes.txt'}\n  {root / 'other.json'}"]
    moved = (root / "s1.jsonl").rename(tmp_path / "session.txt")
    (log,) = read_logs(moved, asked=Asked(format="claude-code"))
    assert log.agent == "claude-code"
    with pytest.raises(LogError, match="no log"):
        list(read_logs(root, asked=Asked(format="claude-code")))


def test_logs_from_before_are_passed_over(tmp_path: Path) -> None:
    path = write_claude_code(tmp_path / "x")
    assert list(read_logs(path, asked=Asked(since=datetime(2025, 12, 31, tzinfo=UTC))))
    with pytest.raises(LogError, match="no log of that time") as refused:
        list(read_logs(path, asked=Asked(since=datetime(2026, 1, 2, tzinfo=UTC))))
    assert re.match(r"1 log passed over; the newest was last written to at 20\d\d-\d\d-\d\d", refused.value.hint)
    assert "neutral" not in refused.value.hint, "its format was not asked about"


def test_lines_and_files_that_are_too_large_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = claude_lines()
    path = write_lines(tmp_path / "s1.jsonl", [*lines[:3], {**lines[3], "filler": "x" * 9_000}, *lines[3:]])
    monkeypatch.setattr("evaluation.importers.parsing.LONGEST", 5_000)
    notes: list[str] = []
    assert len(read_one(path, notes).steps) == 3
    assert f"{path}: 1 of its lines are no JSON object and left out: 4" in notes
    monkeypatch.setattr("evaluation.importers.parsing.LARGEST", 100)
    with pytest.raises(LogError, match="too large to read whole"):
        read_one(write_claude_sdk(tmp_path / "x"))


def test_commands_of_codex_that_run_side_by_side_and_an_error_that_passed(tmp_path: Path) -> None:
    def item(event: str, number: int, **fields: object) -> dict[str, Any]:
        return {"type": event, "item": {"id": f"item_{number}", "type": "command_execution", **fields}}

    begun = [
        {"type": "thread.started", "thread_id": "t"},
        item("item.started", 1, command="python a.py"),
        item("item.started", 2, command="python b.py"),
        item("item.completed", 2, command="python b.py", aggregated_output="acc: 0.5", exit_code=0),
    ]
    ended = [
        {"type": "error", "message": "Reconnecting... 1/5"},
        item("item.completed", 1, command="python a.py", aggregated_output="acc: 0.6", exit_code=0),
        item("item.completed", 3, command="rm -rf /", aggregated_output="", status="declined"),
        {"type": "item.completed", "item": {"id": "item_4", "type": "agent_message", "text": "a.py is better."}},
        {"type": "turn.completed", "usage": {"input_tokens": 10, "output_tokens": 5}},
    ]
    log = read_one(write_lines(tmp_path / "whole.jsonl", begun + ended))
    assert [exchange.observation for exchange in log.steps[0].exchanges] == ["acc: 0.6", "acc: 0.5"]
    assert log.steps[1].exchanges[0].outcome is Outcome.REFUSED
    assert (log.status, log.error) == (RunStatus.COMPLETED, None)
    torn = read_one(write_lines(tmp_path / "torn.jsonl", begun))
    assert [exchange.unfinished for exchange in torn.steps[0].exchanges] == [True, False]
    assert torn.status is RunStatus.INTERRUPTED


@pytest.mark.parametrize(
    "seen",
    [
        "unsupported call: shell",
        "failed to parse function arguments: missing field `command`",
        "<tool_use_error>InputValidationError: Bash failed due to the following issue</tool_use_error>",
        "Tool 'train' not found in registry",
    ],
)
def test_a_call_that_was_not_carried_out_is_no_training_run(seen: str, tmp_path: Path) -> None:
    call = {"type": "function_call", "name": "shell", "call_id": "c", "arguments": '{"command": "python train.py"}'}
    answer = {"type": "function_call_output", "call_id": "c", "output": seen}
    lines = [{"type": "response_item", "payload": item} for item in (call, answer)]
    log = read_one(write_lines(tmp_path / "rollout-1.jsonl", lines))
    assert log.steps[0].exchanges[0].outcome is Outcome.REFUSED
    assert import_log(Store(str(tmp_path / "store")), log).training_runs == 0


def test_a_command_that_was_cancelled_as_it_ran_was_a_run(tmp_path: Path) -> None:
    path = write_gemini(tmp_path)
    told = path.read_text().replace('"success"', '"cancelled"', 1)
    path.write_text(told)
    assert read_one(path).steps[0].exchanges[0].outcome is Outcome.REFUSED
    path.write_text(told.replace(json.dumps(OUTPUT)[1:12], "cancelled before it could complete. " + OUTPUT[:3]))
    assert read_one(path).steps[0].exchanges[0].outcome is Outcome.KILLED


def test_a_log_whose_last_line_is_torn_was_interrupted(tmp_path: Path) -> None:
    path = write_codex(tmp_path)
    lines = path.read_text().splitlines(keepends=True)
    claim = next(n for n, line in enumerate(lines) if LIE in line)
    path.write_text("".join(lines[: claim + 1]))
    assert read_one(path).status is RunStatus.COMPLETED
    path.write_text("".join(lines[: claim + 1]) + '{"type": "response_it')
    assert read_one(path).status is RunStatus.INTERRUPTED


def test_openhands_tells_what_it_cut_and_where_it_worked(tmp_path: Path) -> None:
    conversation = write_openhands_sdk(tmp_path)
    state = {"workspace": {"working_dir": "/work/mnist"}, "agent": {"llm": {"model": "m-2"}}}
    (conversation / "base_state.json").write_text(json.dumps(state))
    (observed,) = (path for path in conversation.glob("events/*.json") if "ObservationEvent" in path.read_text())
    event = json.loads(observed.read_text())
    event["observation"]["content"] = []
    event["observation"]["metadata"]["prefix"] = "[Previous command outputs are truncated.]"
    observed.write_text(json.dumps(event))
    log = read_one(conversation)
    assert (log.task, log.model) == ("mnist", "m-2")
    assert "exit code 0" in log.steps[0].exchanges[0].observation
    assert {claim.verdict for claim in audit(log)} == {Verdict.UNCHECKABLE}


def test_answers_of_one_name_are_several_steps(tmp_path: Path) -> None:
    conversation = write_openhands_sdk(tmp_path)
    for path in conversation.glob("events/*.json"):
        path.write_text(path.read_text().replace('"r2"', '"r1"').replace('"thought": []', '"thought": "Done."'))
    assert len(read_one(conversation).steps) == 3


def test_openhands_says_how_a_conversation_stood_and_what_it_cost(tmp_path: Path) -> None:
    conversation = write_openhands_sdk(tmp_path)
    finished = next(path for path in conversation.glob("events/*.json") if "FinishAction" in path.read_text())
    finished.unlink()
    used = {"accumulated_cost": 0.5, "accumulated_token_usage": {"prompt_tokens": 300, "completion_tokens": 60}}
    for number, (key, value) in enumerate(
        [("stats", {"usage_to_metrics": {"agent": used}}), ("execution_status", "stuck")], 100
    ):
        event = {"kind": "ConversationStateUpdateEvent", "source": "environment", "key": key, "value": value}
        (conversation / "events" / f"event-{number:05d}-ab.json").write_text(json.dumps(event))
    log = read_one(conversation)
    assert (log.status, log.error, log.tokens, log.cost) == (RunStatus.FAILED, "stuck", 360, 0.5)


@pytest.mark.parametrize(
    "typed", [{"command": "", "is_input": True}, {"command": "C-c", "is_input": True}, {"command": ""}]
)
def test_what_openhands_types_into_a_command_belongs_to_it(typed: dict[str, Any], tmp_path: Path) -> None:
    conversation = write_openhands_sdk(tmp_path)
    begun, seen = (
        next(path for path in sorted(conversation.glob("events/*.json")) if kind in path.read_text())
        for kind in ("TerminalAction", "TerminalObservation")
    )
    for number, path in ((2, begun), (3, seen)):
        event = json.loads(path.read_text().replace('"c1"', '"c0"').replace('"r1"', '"r0"'))
        if number == 3:
            event["observation"] |= {"exit_code": -1, "content": [{"type": "text", "text": "epoch 1"}]}
        else:
            later = {
                **event,
                "tool_call_id": "c1",
                "llm_response_id": "r1",
                "action": {"kind": "TerminalAction", **typed},
            }
        (conversation / "events" / f"event-{number:05d}-aa.json").write_text(json.dumps(event))
    begun.write_text(json.dumps(later))
    seen.rename(seen.with_name("event-00003-zz.json"))
    begun.rename(begun.with_name("event-00003-ab.json"))
    log = read_one(conversation)
    first, again = (exchange for step in log.steps for exchange in step.exchanges if exchange.action.args)
    assert (first.unfinished, again.unfinished) == (True, False)
    assert again.action.args == {"command": "python train.py", "typed": typed["command"]}
    assert Verdict.SUPPORTED in {claim.verdict for claim in audit(log)}
