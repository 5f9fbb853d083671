"""What ATIF's trajectories keep in several places."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from environment.records import EndedBy, Outcome
from evaluation.claims.claim import Verdict
from tests.evaluation.importers.logs import CLAIM, LIE, OUTPUT
from tests.evaluation.importers.reading import read_one, verdicts


def test_atif_s_continuation_is_the_same_run(tmp_path: Path) -> None:
    def step(number: int, source: str, message: str, seen: str = "", **fields: Any) -> dict[str, Any]:
        call = {"tool_call_id": f"c{number}", "function_name": "bash", "arguments": {"command": "python train.py"}}
        done = {"tool_calls": [call], "observation": {"results": [{"source_call_id": f"c{number}", "content": seen}]}}
        return {"step_id": number, "source": source, "message": message, **(done if seen else {}), **fields}

    about = {"schema_version": "ATIF-v1.7", "session_id": "s", "agent": {"name": "terminus-2", "model_name": "model"}}
    spent = {"final_metrics": {"total_prompt_tokens": 100, "total_completion_tokens": 10}}
    first = [step(1, "user", "Train."), step(2, "agent", "I run it.", OUTPUT), step(3, "agent", CLAIM)]
    copied = [{**part, "is_copied_context": True} for part in (step(1, "user", "Train."), step(2, "agent", CLAIM))]
    second = [*copied, step(3, "agent", "The test accuracy was 59.03% before."), step(4, "agent", LIE)]
    (tmp_path / "trajectory.json").write_text(
        json.dumps({**about, **spent, "steps": first, "continued_trajectory_ref": "trajectory.cont-1.json"})
    )
    (tmp_path / "trajectory.cont-1.json").write_text(json.dumps({**about, **spent, "steps": second}))
    log = read_one(tmp_path)
    assert (len(log.steps), log.tokens, log.task_text) == (4, 220, "Train.")
    assert log.ended_by is EndedBy.FINAL_ANSWER
    found = verdicts(log)
    assert found["The test accuracy was 59.03% before."] is Verdict.SUPPORTED
    assert found[LIE].is_problem


def test_atif_tells_a_result_as_the_agent_saw_it_and_that_it_failed(tmp_path: Path) -> None:
    def call(number: int) -> dict[str, Any]:
        made = {"tool_call_id": f"c{number}", "function_name": "Bash", "arguments": {"command": "python train.py"}}
        return {"step_id": number, "source": "agent", "message": "", "tool_calls": [made]}

    raw = {"is_error": True, "raw_tool_result": {"content": "Exit code 1\nKeyError"}}
    told = [{"source_call_id": "c1", "content": "Exit code 1\nKeyError\n\n[metadata] {}"}]
    steps = [
        {**call(1), "observation": {"results": told}, "extra": {"tool_result_metadata": raw}},
        call(2),
        {"step_id": 3, "source": "system", "message": "",
         "observation": {"results": [{"source_call_id": "c2", "content": OUTPUT}]}},
    ]  # fmt: skip
    (tmp_path / "trajectory.json").write_text(
        json.dumps({"schema_version": "ATIF-v1.7", "agent": {"name": "claude-code"}, "steps": steps})
    )
    first, second = (step.exchanges[0] for step in read_one(tmp_path).steps)
    assert (first.observation, first.outcome) == ("Exit code 1\nKeyError", Outcome.FAILED)
    assert second.observation == OUTPUT
