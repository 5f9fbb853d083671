from __future__ import annotations

from pathlib import Path
from uuid import uuid4

import pytest

from environment.errors import RunNotFoundError
from environment.journal.entries import Journal
from environment.journal.lease import RunLease
from environment.journal.runs import list_runs, summaries, summary
from environment.records import RunConfig, RunResult, RunStatus
from environment.store import RunKeys, Store
from tasks_catalog.library.spec import Direction, Variant


def result(run_id: str, status: RunStatus) -> RunResult:
    return RunResult(
        run_id=run_id,
        task="t",
        variant=Variant.MINI,
        agent="nop",
        model=None,
        seed=0,
        status=status,
        ended_by=None,
        steps=0,
        training_runs=0,
        score=None,
        metric="m",
        direction=Direction.MAXIMIZE,
        baseline=None,
        reference=None,
        improvement=None,
        normalised=None,
        success=False,
        tokens=0,
        cost=None,
        seconds=0,
        sandbox="none",
    )


def test_runs_are_listed_as_they_stand() -> None:
    store = Store(f"memory://{uuid4().hex}")
    assert list_runs(store) == []
    for name in ("done", "failed", "stopped", "working", "torn", "given-up"):
        Journal(store, name).write_config(RunConfig(task=name))
    Journal(store, "done").write_result(result("done", RunStatus.COMPLETED))
    Journal(store, "failed").write_result(result("failed", RunStatus.FAILED))
    store.put("runs/torn/config.json", b"{")
    store.put(RunKeys(run_id="given-up").failure, b"{}")
    store.put("runs/unborn/steps/00000/decided.json", b"{}")
    with RunLease(store, "never begun"):
        pass
    with RunLease(store, "working"):
        found = {each.run_id: each.status.value for each in summaries(store)}
    assert found == {
        "done": "completed",
        "failed": "failed",
        "given-up": "failed",
        "stopped": "interrupted",
        "torn": "interrupted",
        "working": "running",
    }
    assert summary(store, "torn").config is None
    for n in range(3):
        store.put(RunKeys(run_id="stopped").decided(n), b"{}")
        if n < 2:
            store.put(RunKeys(run_id="stopped").committed(n), b"{}")
    assert summary(store, "stopped").steps == 2
    assert list_runs(store) == sorted([*found, "unborn"])
    with pytest.raises(RunNotFoundError):
        summary(store, "never")


def test_a_torn_result_is_told_with_what_makes_it_again(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    journal = Journal(Store(str(tmp_path)), "done")
    journal.write_result(result("done", RunStatus.COMPLETED))
    file = tmp_path / "runs" / "done" / "result.json"
    file.write_bytes(file.read_bytes()[:200])
    assert (journal.result(), journal.result()) == (None, None)
    (told,) = caplog.messages
    assert "result.json is torn" in told
    assert "mlab resume done" in told
