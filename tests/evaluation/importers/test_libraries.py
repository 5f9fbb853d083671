"""What runs of smolagents and Pydantic AI tell beside messages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from environment.records import EndedBy, Outcome, RunStatus
from evaluation.claims.audit import audit
from tests.evaluation.importers.logs import LIE
from tests.evaluation.importers.reading import read_one
from tests.evaluation.importers.writing.libraries import smolagents_steps, write_pydantic_ai


def test_smolagents_runs_what_it_wrote_and_says_what_it_thought(tmp_path: Path) -> None:
    steps = smolagents_steps()
    steps[1]["error"] = {"type": "AgentExecutionError", "message": "Code execution failed"}
    path = tmp_path / "memory.json"
    path.write_text(json.dumps(steps))
    log = read_one(path)
    assert log.steps[0].prose == {"response": "I run it."}
    assert log.steps[0].exchanges[0].outcome is Outcome.FAILED
    assert log.tokens == 240


@pytest.mark.parametrize(
    ("kind", "status", "by"),
    [
        ("AgentMaxStepsError", RunStatus.COMPLETED, EndedBy.STEPS),
        ("AgentGenerationError", RunStatus.INFRASTRUCTURE, EndedBy.ERROR),
    ],
)
def test_what_ended_a_run_of_smolagents(kind: str, status: RunStatus, by: EndedBy, tmp_path: Path) -> None:
    steps = smolagents_steps()[:2]
    steps[-1]["error"] = {"type": kind, "message": "no answer"}
    path = tmp_path / "memory.json"
    path.write_text(json.dumps(steps))
    log = read_one(path)
    assert (log.status, log.ended_by) == (status, by)


@pytest.mark.parametrize("called", ["python_interpreter", "final_answer"])
def test_the_answer_of_smolagents_is_no_evidence_of_itself(called: str, tmp_path: Path) -> None:
    steps = smolagents_steps()
    steps[-1]["observations"] = f"Execution logs:\nLast output from code snippet:\n{LIE}"
    if called == "final_answer":
        steps[-1].update(code_action=None, observations=LIE)
        steps[-1]["tool_calls"][0]["function"] = {"name": called, "arguments": {"answer": LIE}}
    path = tmp_path / "memory.json"
    path.write_text(json.dumps(steps))
    assert {claim.verdict.is_problem for claim in audit(read_one(path)) if claim.quote == LIE} == {True}


def test_what_smolagents_answers_at_its_last_step_is_its_answer(tmp_path: Path) -> None:
    steps = smolagents_steps()[:2]
    steps.append({"step_number": 2, "model_output": None, "tool_calls": None, "observations": None,
                  "error": {"type": "AgentMaxStepsError", "message": "Reached max steps."},
                  "action_output": "The test accuracy is 59.03%.", "is_final_answer": False})  # fmt: skip
    path = tmp_path / "memory.json"
    path.write_text(json.dumps(steps))
    assert read_one(path).steps[-1].prose == {"final_answer": "The test accuracy is 59.03%."}


@pytest.mark.parametrize(
    ("change", "outcome"),
    [
        ({}, None),
        ({"outcome": "retried"}, Outcome.FAILED),
        ({"part_kind": "retry-prompt"}, Outcome.FAILED),
    ],
)
def test_a_tool_of_pydantic_ai_failed_where_its_part_says_so(
    change: dict[str, str], outcome: Outcome | None, tmp_path: Path
) -> None:
    path = write_pydantic_ai(tmp_path)
    messages = json.loads(path.read_text())
    messages[2]["parts"][0].update(change)
    path.write_text(json.dumps(messages))
    assert read_one(path).steps[0].exchanges[0].outcome is outcome
