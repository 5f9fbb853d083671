"""What conversations of OpenHands tell beside its own agent's calls: other agents' calls, limits and interruptions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from environment.records import EndedBy, Outcome, RunStatus
from evaluation.claims.claim import Verdict
from tests.evaluation.importers.logs import CLAIM, LIE, OUTPUT
from tests.evaluation.importers.reading import read_one, verdicts
from tests.evaluation.importers.writing.openhands import write_openhands_output


def _conversation(folder: Path, *events: dict[str, Any]) -> Path:
    for number, event in enumerate(events):
        path = folder / "cifar10" / "events" / f"event-{number:05d}-ab.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"source": "agent", "timestamp": f"2026-01-01T00:00:{number:02}", **event}))
    return folder / "cifar10"


def _said(words: str) -> dict[str, Any]:
    return {"kind": "MessageEvent", "llm_message": {"role": "assistant", "content": [{"type": "text", "text": words}]}}


def test_calls_of_an_agent_that_works_for_openhands_are_read(tmp_path: Path) -> None:
    def call(number: int, status: str, **about: Any) -> dict[str, Any]:
        known = {"tool_call_id": f"c{number}", "title": "train", "tool_kind": "execute", "status": status}
        return {"kind": "ACPToolCallEvent", **known, **about}

    run = {"raw_input": {"command": ["bash", "-lc", "python train.py"]}}
    diff = {"type": "diff", "path": "train.py", "old_text": "lr = 1", "new_text": "lr = 2"}
    path = _conversation(
        tmp_path,
        call(1, "in_progress", **run),
        call(1, "completed", **run, raw_output={"stdout": OUTPUT, "stderr": "", "exit_code": 0}),
        call(2, "completed", tool_kind="edit", content=[diff]),
        call(3, "completed", **run, raw_output={"stdout": "KeyError: 'x'", "exit_code": 1}),
        _said(f"{CLAIM}\n\n{LIE}"),
    )
    notes: list[str] = []
    log = read_one(path, notes)
    made = [exchange for step in log.steps for exchange in step.exchanges]
    assert [(each.action.name, each.outcome) for each in made] == [
        ("bash", Outcome.OK),
        ("edit", Outcome.OK),
        ("bash", Outcome.FAILED),
    ]
    assert made[0].action.args == {"command": "python train.py"}
    assert not notes
    found = verdicts(log)
    assert found[CLAIM] is Verdict.SUPPORTED
    assert found[LIE].is_problem


@pytest.mark.parametrize(
    "event",
    [
        {"kind": "ConversationIterationLimitEvent", "iteration": 9, "max_iterations": 9, "detail": "limit"},
        {"kind": "ConversationErrorEvent", "code": "MaxIterationsReached", "detail": "limit (9)"},
    ],
)
def test_a_limit_on_steps_is_no_fault_of_the_harness(event: dict[str, Any], tmp_path: Path) -> None:
    log = read_one(_conversation(tmp_path, _said("I go on."), {**event, "source": "environment"}))
    assert (log.status, log.ended_by, log.error) == (RunStatus.COMPLETED, EndedBy.STEPS, None)


def test_a_conversation_that_somebody_stopped_is_interrupted(tmp_path: Path) -> None:
    notes: list[str] = []
    log = read_one(_conversation(tmp_path, _said("I go on."), {"kind": "InterruptEvent", "source": "user"}), notes)
    assert (log.status, notes) == (RunStatus.INTERRUPTED, [])


def test_a_benchmark_s_model_and_task_are_told_once(tmp_path: Path) -> None:
    path = write_openhands_output(tmp_path)
    line = json.loads(path.read_text())
    path.write_text(json.dumps({**line, "metadata": {"llm": {"model": "m-2"}}}) + "\n")
    log = read_one(path)
    assert (log.model, log.task_text) == ("m-2", line["instruction"])
