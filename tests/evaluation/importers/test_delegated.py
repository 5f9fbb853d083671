"""What another agent did for the one whose log it is, and what it reports."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evaluation.claims.audit import audit
from evaluation.claims.claim import Verdict
from evaluation.importers.detect import read_logs


@pytest.mark.parametrize(("is_kept", "verdict"), [(True, Verdict.CONTRADICTED), (False, Verdict.UNCHECKABLE)])
def test_a_report_counts_only_where_the_work_behind_it_is_not_kept(
    is_kept: bool, verdict: Verdict, tmp_path: Path
) -> None:
    def step(number: int, said: str, command: str, printed: str, **about: Any) -> dict[str, Any]:
        call = {"tool_call_id": "a", "function_name": command.split()[0], "arguments": {"command": command}}
        result = {"source_call_id": "a", "content": printed, **about}
        return {"step_id": number, "source": "agent", "message": said, "tool_calls": [call],
                "observation": {"results": [result]}}  # fmt: skip

    head = {"schema_version": "ATIF-v1.7", "session_id": "s", "agent": {"name": "a", "version": "1"}}
    steps = [
        step(1, "", "python train.py", "test accuracy: 0.8123"),
        step(2, "", "Task", "0.9012", subagent_trajectory_ref=[{"trajectory_path": "sub.json"}]),
        {"step_id": 3, "source": "agent", "message": "The test accuracy is 0.9012."},
    ]
    (tmp_path / "trajectory.json").write_text(json.dumps({**head, "steps": steps}))
    if is_kept:
        inner = [step(1, "", "python train.py", "test accuracy: 0.7001")]
        (tmp_path / "sub.json").write_text(json.dumps({**head, "steps": inner}))
    (log,) = read_logs(tmp_path)
    assert [claim.verdict for claim in audit(log)] == [verdict]
