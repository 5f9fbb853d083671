"""What sessions of coding agents hold beyond messages: subagents, background commands, reports, torn lines."""

from __future__ import annotations

import json
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
from evaluation.record.kinds import EventKind
from evaluation.record.log import RunLog
from evaluation.record.run import RunModel
from tests.evaluation.importers.agent_logs import (
    TIMES,
    call_block,
    claude_lines,
    codex_lines,
    gemini_lines,
    openhands_events,
    result_block,
    said,
    text_block,
    write_claude_code,
    write_claude_sdk,
    write_codex,
    write_gemini,
    write_lines,
    write_mini_swe_agent,
    write_openhands_output,
    write_openhands_sdk,
)
from tests.evaluation.importers.logs import LIE, OUTPUT


def session(folder: Path, *messages: dict[str, Any]) -> Path:
    """A session of Claude Code: messages of the model as they are, results of tools as ``(block, about)``."""
    lines = []
    for number, message in enumerate(messages):
        about = message.pop("about", None)
        kind = "assistant" if message["role"] == "assistant" else "user"
        line = {"type": kind, "message": message, "sessionId": "s1", "uuid": f"u{number}", "cwd": "/work/cifar10",
                "timestamp": TIMES.format(number)}  # fmt: skip
        lines.append(line | ({"toolUseResult": about} if about is not None else {}))
    return write_lines(folder / "s1.jsonl", lines)


def came_back(*blocks: dict[str, Any], **about: Any) -> dict[str, Any]:
    return {"role": "user", "content": list(blocks), "about": about}


def read_one(path: Path, notes: list[str] | None = None) -> RunLog:
    (log,) = read_logs(path, asked=Asked(on_note=None if notes is None else notes.append))
    return log


def test_pieces_of_one_message_are_one_step_and_parallel_calls_too(tmp_path: Path) -> None:
    path = session(
        tmp_path,
        said("m1", text_block("I run both.")),
        said("m1", call_block("t1", "Bash", command="python a.py")),
        came_back(result_block("t1", "accuracy: 0.5")),
        said("m1", call_block("t2", "Bash", command="python b.py")),
        came_back(result_block("t2", "Exit code 1\nValueError: no", is_error=True)),
    )
    (step,) = read_one(path).steps
    assert [(e.observation[:13], e.outcome) for e in step.exchanges] == [
        ("accuracy: 0.5", Outcome.OK),
        ("Exit code 1\nV", Outcome.FAILED),
    ]


def test_a_background_command_is_unfinished_until_somebody_looks(tmp_path: Path) -> None:
    started = "Command running in background with ID: b1. Output is being written to: /tmp/tasks/b1.output."
    seen = f"<status>completed</status>\n<exit_code>0</exit_code>\n<output>\n{OUTPUT}</output>"
    path = session(
        tmp_path,
        said("m1", call_block("t1", "Bash", command="python train.py", run_in_background=True)),
        came_back(result_block("t1", started), backgroundTaskId="b1"),
        said("m2", text_block("It goes on."), call_block("t2", "TaskOutput", task_id="b1")),
        came_back(result_block("t2", seen)),
        said("m3", text_block("The test accuracy is 59.03%.")),
    )
    log = read_one(path)
    first, later = RunModel.of(log).events
    assert (first.kind, first.unfinished, first.succeeded) == (EventKind.RUN, True, False)
    assert (later.kind, later.unfinished, later.files) == (EventKind.RUN, False, ("train.py",))
    assert [claim.verdict for claim in audit(log) if claim.step == 2] == [Verdict.SUPPORTED]


def test_a_notice_that_a_background_command_failed_is_an_event(tmp_path: Path) -> None:
    path = session(
        tmp_path,
        said("m1", call_block("t1", "Bash", command="python train.py", run_in_background=True)),
        came_back(result_block("t1", "Command running in background with ID: b1."), backgroundTaskId="b1"),
    )
    summary = '<summary>Background command "Train" failed with exit code 1</summary>'
    notice = f"<task-notification>\n<task-id>b1</task-id>\n<status>failed</status>\n{summary}\n</task-notification>"
    with path.open("a") as file:
        for kind in ("enqueue", "remove"):
            file.write(json.dumps({"type": "queue-operation", "operation": kind, "content": notice}) + "\n")
    events = RunModel.of(read_one(path)).events
    assert [(event.kind, event.outcome) for event in events] == [
        (EventKind.RUN, Outcome.OK),
        (EventKind.RUN, Outcome.FAILED),
    ]


@pytest.mark.parametrize("layout", ["beside", "inside", "old"])
def test_what_a_subagent_did_follows_its_call_and_its_answer_is_no_evidence(layout: str, tmp_path: Path) -> None:
    path = session(
        tmp_path,
        said("m1", call_block("t1", "Agent", prompt="Train it.")),
        came_back(result_block("t1", "The test accuracy is 77.7%."), agentId="a1"),
        said("m2", text_block("The test accuracy is 59.03%. Its precision is 77.7%.")),
    )
    inner = [
        {"type": "user", "message": {"role": "user", "content": "Train it."}},
        {"type": "assistant", "message": said("n1", call_block("x1", "Bash", command="python train.py"))},
        {"type": "user", "message": {"role": "user", "content": [result_block("x1", OUTPUT)]}},
    ]
    own = {"isSidechain": True, "agentId": "a1", "sessionId": "s1"}
    if layout == "inside":
        lines = [*path.read_text().splitlines(), *(json.dumps({**line, **own}) for line in inner)]
        path.write_text("\n".join(lines) + "\n")
    else:
        folder = tmp_path / "s1" / "subagents" if layout == "beside" else tmp_path
        write_lines(folder / "agent-a1.jsonl", ({**line, **own} for line in inner))
    if layout == "beside":
        (folder / "agent-a1.meta.json").write_text(json.dumps({"toolUseId": "t1"}))
    log = read_one(tmp_path)
    assert [exchange.action.name for step in log.steps for exchange in step.exchanges] == ["Agent", "Bash"]
    verdicts = {claim.quote: claim.verdict for claim in audit(log)}
    assert verdicts["The test accuracy is 59.03%."] is Verdict.SUPPORTED
    assert log.steps[0].exchanges[0].authored


def test_documents_that_the_agent_writes_are_prose(tmp_path: Path) -> None:
    written = "# Results\n\nThe test accuracy is 93.1%.\n"
    here = f"cat > README.md <<'EOF'\n{written}EOF"
    patch = "*** Begin Patch\n*** Add File: paper.tex\n+The test accuracy is 93.1\\%.\n*** End Patch"
    path = session(
        tmp_path,
        said("m1", call_block("t1", "Bash", command="python train.py")),
        came_back(result_block("t1", OUTPUT)),
        said("m2", call_block("t2", "Write", file_path="/w/results.md", content=written)),
        came_back(result_block("t2", "File created")),
        said("m3", call_block("t3", "Bash", command=here)),
        came_back(result_block("t3", "")),
        said("m4", call_block("t4", "apply_patch", input=patch)),
        came_back(result_block("t4", "Done")),
        said("m5", call_block("t5", "Write", file_path="/w/train.py", content="accuracy = 0.99")),
        came_back(result_block("t5", "File created")),
    )
    log = read_one(path)
    assert [list(step.prose) for step in log.steps] == [
        [], ["report: results.md"], ["report: README.md"], ["report: paper.tex"], []
    ]  # fmt: skip
    told = [(claim.field, claim.quote) for claim in audit(log) if claim.verdict.is_problem]
    assert ("report: results.md", "The test accuracy is 93.1%.") in told
    assert ("report: README.md", "The test accuracy is 93.1%.") in told


def test_a_log_that_a_tool_reads_is_evidence_without_its_line_numbers(tmp_path: Path) -> None:
    path = session(
        tmp_path,
        said("m1", call_block("t1", "Read", file_path="/w/train.log")),
        came_back(result_block("t1", "     1\tepoch 1 loss: 0.7\n     2\ttest accuracy: 0.5903\n")),
    )
    values = [value for trial in RunModel.of(read_one(path)).measured_runs for value in trial.values]
    assert ("accuracy", "test", 0.5903) in [(value.metric, value.split, value.value) for value in values]


def test_an_edit_says_what_it_replaced(tmp_path: Path) -> None:
    edits = [{"old_string": "a = 1", "new_string": "a = 2"}, {"old_string": "b = 1", "new_string": "b = 2"}]
    patch = "*** Begin Patch\n*** Update File: train.py\n@@\n-lr = 0.1\n+lr = 0.01\n*** End Patch"
    path = session(
        tmp_path,
        said("m1", call_block("t1", "MultiEdit", file_path="train.py", edits=edits)),
        came_back(result_block("t1", "ok")),
        said("m2", call_block("t2", "apply_patch", input=patch)),
        came_back(result_block("t2", "ok")),
        said("m3", call_block("t3", "str_replace_editor", command="create", path="new.py", file_text="c = 3")),
        came_back(result_block("t3", "ok")),
    )
    found = [(event.files, event.added, event.removed) for event in RunModel.of(read_one(path)).events]
    assert found == [
        (("train.py",), "a = 2\nb = 2", "a = 1\nb = 1"),
        (("train.py",), "lr = 0.01", "lr = 0.1"),
        (("new.py",), "c = 3", ""),
    ]


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
    with pytest.raises(LogError, match="no log of that time"):
        list(read_logs(path, asked=Asked(since=datetime(2026, 1, 2, tzinfo=UTC))))


@pytest.mark.parametrize(
    "cut",
    [
        "... [1234 lines truncated] ...",
        "<persisted-output>\nOutput too large (78.1KB). Full output saved to: /tmp/x.txt\n</persisted-output>",
        "…1234 tokens truncated…",
        "[... omitted 12 of 300 lines ...]",
        "... [CONTENT TRUNCATED] ...",
        "[... Observation truncated due to length ...]",
        "<response clipped><NOTE>Due to the max output limit, only part of the full response has been shown.</NOTE>",
        "<elided_chars>\n1234 characters elided\n</elided_chars>",
        " ... [1234 characters truncated] ... ",
    ],
)
def test_what_a_harness_cut_out_may_have_shown_anything(cut: str, tmp_path: Path) -> None:
    path = session(
        tmp_path,
        said("m1", call_block("t1", "Bash", command="python train.py")),
        came_back(result_block("t1", f"epoch 1 loss: 0.7\n{cut}\ndone")),
        said("m2", text_block("The test accuracy is 0.8123.")),
    )
    (claim,) = audit(read_one(path))
    assert claim.verdict is Verdict.UNCHECKABLE


def test_lines_and_files_that_are_too_large_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = claude_lines()
    path = write_lines(tmp_path / "s1.jsonl", [*lines[:3], {**lines[3], "filler": "x" * 9_000}, *lines[3:]])
    monkeypatch.setattr("evaluation.importers.parsing.LONGEST", 5_000)
    notes: list[str] = []
    assert len(read_one(path, notes).steps) == 3
    assert notes == [f"{path}: 1 of its lines are no JSON object and left out: 4"]
    monkeypatch.setattr("evaluation.importers.parsing.LARGEST", 100)
    with pytest.raises(LogError, match="too large to read whole"):
        read_one(write_claude_sdk(tmp_path / "x"))


def test_a_session_that_another_resumed_is_read_once(tmp_path: Path) -> None:
    lines = claude_lines()
    write_lines(tmp_path / "p" / "s1.jsonl", lines[:4])
    write_lines(tmp_path / "p" / "s2.jsonl", [{**line, "sessionId": "s2"} for line in lines])
    notes: list[str] = []
    (log,) = read_logs(tmp_path / "p", asked=Asked(on_note=notes.append))
    assert log.source == "p/s2.jsonl"
    assert "s2.jsonl resumed it" in notes[0]


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
    (conversation / "base_state.json").write_text(json.dumps({"workspace": {"working_dir": "/work/mnist"}}))
    (observed,) = (path for path in conversation.glob("events/*.json") if "ObservationEvent" in path.read_text())
    event = json.loads(observed.read_text())
    event["observation"]["content"] = []
    event["observation"]["metadata"]["prefix"] = "[Previous command outputs are truncated.]"
    observed.write_text(json.dumps(event))
    log = read_one(conversation)
    assert log.task == "mnist"
    assert "exit code 0" in log.steps[0].exchanges[0].observation
    assert {claim.verdict for claim in audit(log)} == {Verdict.UNCHECKABLE}


def test_answers_of_one_name_are_several_steps(tmp_path: Path) -> None:
    conversation = write_openhands_sdk(tmp_path)
    for path in conversation.glob("events/*.json"):
        path.write_text(path.read_text().replace('"r2"', '"r1"').replace('"thought": []', '"thought": "Done."'))
    assert len(read_one(conversation).steps) == 3
