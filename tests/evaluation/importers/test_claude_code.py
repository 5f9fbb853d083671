"""Sessions of Claude Code: steps, background commands, subagents, documents, edits."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from environment.records import Outcome
from evaluation.claims.audit import audit
from evaluation.claims.claim import Verdict
from evaluation.importers.detect import Asked, read_logs
from evaluation.record.kinds import EventKind
from evaluation.record.run import RunModel
from tests.evaluation.importers.logs import OUTPUT
from tests.evaluation.importers.reading import read_one
from tests.evaluation.importers.writing.claude import call_block, claude_lines, result_block, said, text_block
from tests.evaluation.importers.writing.lines import TIMES, write_lines


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


@pytest.mark.parametrize("file", ["/tmp/claude-0/-w/s/tasks/b1.output", "C:\\Temp\\claude\\tasks\\b1.output"])
def test_the_file_that_a_background_command_prints_to_is_its_output(file: str, tmp_path: Path) -> None:
    path = session(
        tmp_path,
        said("m1", call_block("t1", "Bash", command="python train.py", run_in_background=True)),
        came_back(result_block("t1", "Command running in background with ID: b1."), backgroundTaskId="b1"),
        said("m2", call_block("t2", "Read", file_path=file)),
        came_back(result_block("t2", "     1\tTest accuracy: 0.59")),
    )
    _, later = RunModel.of(read_one(path)).events
    assert (later.kind, later.files) == (EventKind.RUN, ("train.py",))


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


def test_what_an_agent_reports_whose_work_no_log_holds_is_neither_evidence_nor_refuted(tmp_path: Path) -> None:
    launched = {"isAsync": True, "status": "async_launched", "agentId": "a1"}
    path = session(
        tmp_path,
        said("m1", call_block("t1", "Bash", command="python train.py"), call_block("t2", "Agent", prompt="Tune it.")),
        came_back(result_block("t1", OUTPUT)),
        came_back(result_block("t2", "Async agent launched successfully."), **launched),
    )
    told = "<summary>Agent completed</summary>\n<result>Tuned, the test accuracy is 0.6421.</result>"
    notice = {"role": "user", "content": f"<task-notification>\n<task-id>a1</task-id>\n{told}\n</task-notification>"}
    words = text_block("The agent reached a test accuracy of 64.21 %. I reached a test accuracy of 64.77 %.")
    with path.open("a") as file:
        file.write(json.dumps({"type": "user", "message": notice}) + "\n")
        file.write(json.dumps({"type": "assistant", "message": said("m2", words)}) + "\n")
    log = read_one(path)
    assert log.steps[-2].exchanges[-1].observation == "Tuned, the test accuracy is 0.6421."
    assert [claim.verdict for claim in audit(log)] == [Verdict.UNCHECKABLE, Verdict.CONTRADICTED]


@pytest.mark.parametrize("layout", ["beside", "inside", "old", "workflow"])
def test_what_a_subagent_did_follows_its_call_and_its_answer_is_no_evidence(layout: str, tmp_path: Path) -> None:
    started = {"agentId": "a1"}
    path = session(
        tmp_path,
        said("m1", call_block("t1", "Agent", prompt="Train it.")),
        came_back(
            result_block("t1", "wf_1-b: the test accuracy is 77.7%."), **({} if layout == "workflow" else started)
        ),
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
        beside = tmp_path / "s1" / "subagents"
        folder = {"beside": beside, "workflow": beside / "workflows" / "wf_1-b"}.get(layout, tmp_path)
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
        "...14115 bytes truncated...",
        "<bash_metadata>\nbash tool truncated output as it exceeded 30000 char limit\n</bash_metadata>",
        "The output of your call to bash was too long to be displayed.",
        "..._This content has been truncated to stay below 20000 characters_...",
        "<output too long - dropped 120 lines from the middle>",
        "[... output limited to 10000 bytes; 12345 interior bytes omitted ...]",
        "[Showing lines 100-200 of 900. Full output: /tmp/x.log]",
        "[..Truncated..]",
        "[Old tool result content cleared]",
        "... (123 more characters)",
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


def test_a_session_that_another_resumed_is_read_once(tmp_path: Path) -> None:
    lines = claude_lines()
    write_lines(tmp_path / "p" / "s1.jsonl", lines[:4])
    write_lines(tmp_path / "p" / "s2.jsonl", [{**line, "sessionId": "s2"} for line in lines])
    notes: list[str] = []
    (log,) = read_logs(tmp_path / "p", asked=Asked(on_note=notes.append))
    assert log.source == "p/s2.jsonl"
    assert "s2.jsonl resumed it" in notes[0]


def test_what_a_session_says_that_it_cost_is_its_cost(tmp_path: Path) -> None:
    used = {"model": {"inputTokens": 500, "outputTokens": 50}, "small": {"inputTokens": 5, "outputTokens": 5}}
    state = {"type": "cost-state", "sessionId": "s1", "totalCostUSD": 0.25, "modelUsage": used}
    notes: list[str] = []
    earlier = {**state, "totalCostUSD": 0.1}
    path = write_lines(tmp_path / "s1.jsonl", [*claude_lines(), earlier, state, {"type": "worktree-state"}])
    log = read_one(path, notes)
    assert (log.cost, log.tokens, notes) == (0.25, 560, [])
    write_lines(path, [*claude_lines(), {**state, "hasUnknownModelCost": True}])
    assert read_one(path).cost is None
