"""What another agent did for the one whose log it is, and what it reports."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evaluation.claims.audit import audit
from evaluation.claims.claim import Verdict
from evaluation.importers.agents.codex import CODEX
from evaluation.importers.detect import read_logs
from evaluation.importers.importer import Found
from tests.evaluation.importers.writing.lines import write_lines


@pytest.mark.parametrize(
    ("kept", "verdict"),
    [("beside", Verdict.CONTRADICTED), ("within", Verdict.CONTRADICTED), ("nowhere", Verdict.UNCHECKABLE)],
)
def test_a_report_counts_only_where_the_work_behind_it_is_not_kept(kept: str, verdict: Verdict, tmp_path: Path) -> None:
    def step(number: int, said: str, command: str, printed: str, **about: Any) -> dict[str, Any]:
        call = {"tool_call_id": "a", "function_name": command.split()[0], "arguments": {"command": command}}
        result = {"source_call_id": "a", "content": printed, **about}
        return {"step_id": number, "source": "agent", "message": said, "tool_calls": [call],
                "observation": {"results": [result]}}  # fmt: skip

    head = {"schema_version": "ATIF-v1.7", "session_id": "s", "agent": {"name": "a", "version": "1"}}
    steps = [
        step(1, "", "python train.py", "test accuracy: 0.8123"),
        step(
            2,
            "",
            "Task",
            "0.9012",
            subagent_trajectory_ref=[{"trajectory_id": "s2"} if kept == "within" else {"trajectory_path": "sub.json"}],
        ),
        {"step_id": 3, "source": "agent", "message": "The test accuracy is 0.9012."},
    ]
    inner = {**head, "trajectory_id": "s2", "steps": [step(1, "", "python train.py", "test accuracy: 0.7001")]}
    within = {"subagent_trajectories": [inner]} if kept == "within" else {}
    (tmp_path / "trajectory.json").write_text(json.dumps({**head, **within, "steps": steps}))
    if kept == "beside":
        (tmp_path / "sub.json").write_text(json.dumps(inner))
    (log,) = read_logs(tmp_path)
    assert len(log.steps) == (3 if kept == "nowhere" else 4)
    assert [claim.verdict for claim in audit(log)] == [verdict]


def test_what_codex_prints_of_other_agents_is_their_report(tmp_path: Path) -> None:
    def item(kind: str, **about: Any) -> dict[str, Any]:
        return {"type": "item.completed", "item": {"type": kind, **about}}

    told = {"t2": {"status": "completed", "message": "lr 3e-4 gives a test accuracy of 0.834"}}
    ran = "test accuracy: 0.813"
    lines = [
        {"type": "thread.started", "thread_id": "t1"},
        item("command_execution", command="python train.py", aggregated_output=ran, exit_code=0),
        item("web_search", query="learning rates"),
        item("collab_tool_call", tool="wait", prompt=None, agents_states=told, status="completed"),
        item("agent_message", text="The other agent got a test accuracy of 0.834. The test accuracy was 0.843 here."),
    ]
    found = Found(write_lines(tmp_path / "out.jsonl", lines), "out")
    (log,) = CODEX.read(found)
    assert not found.notes
    assert [claim.verdict for claim in audit(log)] == [Verdict.UNCHECKABLE, Verdict.CONTRADICTED]


def test_what_subagents_of_gemini_did_follows_the_calls_that_began_them(tmp_path: Path) -> None:
    def answer(number: int, said: str, *calls: tuple[str, dict[str, Any], str]) -> dict[str, Any]:
        made = [
            {"id": f"g{number}", "name": name, "args": given, "status": "success",
             "result": [{"functionResponse": {"id": f"g{number}", "response": {"output": seen}}}]}
            for name, given, seen in calls
        ]  # fmt: skip
        return {"id": f"m{number}", "type": "gemini", "content": said, "toolCalls": made, "tokens": {"total": 100}}

    chats = tmp_path / "cifar10" / "chats"
    head = {"projectHash": "ab", "startTime": "2026-01-01T00:00:00.000Z"}
    ask = ("invoke_agent", {"agent_name": "generalist", "prompt": "Train it."}, "The test accuracy is 0.9012.")
    said = "The test accuracy is 0.7001. The test precision is 0.9012."
    write_lines(
        chats / "session-2026-01-01T00-00-aaaabbbb.jsonl",
        [{**head, "sessionId": "aaaabbbb-1", "kind": "main"}, answer(1, "", ask), answer(2, said)],
    )
    ran = ("run_shell_command", {"command": "python train.py"}, "test accuracy: 0.7001")
    write_lines(
        chats / "aaaabbbb-1" / "sub-1.jsonl", [{**head, "sessionId": "sub-1", "kind": "subagent"}, answer(1, "", ran)]
    )
    (log,) = read_logs(tmp_path)
    assert [each.action.name for step in log.steps for each in step.exchanges] == ["invoke_agent", "run_shell_command"]
    assert (log.task, log.tokens) == ("cifar10", 300)
    found = {claim.quote: claim.verdict for claim in audit(log)}
    assert found["The test accuracy is 0.7001."] is Verdict.SUPPORTED
    assert Verdict.SUPPORTED not in [verdict for quote, verdict in found.items() if "0.9012" in quote]
