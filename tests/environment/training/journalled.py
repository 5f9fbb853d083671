"""A run as it lies in the store: journal, training runs, claims and result."""

from __future__ import annotations

import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pydantic import JsonValue

from environment.journal.entries import Journal
from environment.journal.tables import write_tables
from environment.metrics.outputs import parse_metrics
from environment.mlflow.mirror import MlflowMirror
from environment.records import (
    Action,
    Checkpoint,
    Decided,
    Decision,
    Effect,
    EndedBy,
    Executed,
    KilledBy,
    ModelCall,
    Observation,
    RunConfig,
    RunLock,
    RunResult,
    RunStatus,
    Spent,
    TrainingRun,
)
from environment.store import Store
from evaluation.claims.claim import Claim, Kind, Verdict
from tasks_catalog.library.spec import Direction, Variant

START = datetime(2026, 1, 1, tzinfo=UTC)


def training_run(store: Store, run_id: str, n: int) -> TrainingRun:
    """Step 0 fails, step 1 is stopped, the others succeed; each prints two epochs and a held-out error."""
    output = f"Epoch 1 loss: 0.5\nEpoch 2 loss: {0.4 / (n + 1):.3f}\nval_mae: {10 - n}\n"
    return TrainingRun(
        id=f"{run_id}.{n}",
        step=n,
        script="train.py",
        script_sha256=f"{n}" * 64,
        exit_code={0: 1, 1: None}.get(n, 0),
        killed_by=KilledBy.TIMEOUT if n == 1 else None,
        started=START + timedelta(minutes=n),
        seconds=2.5,
        output=store.put_object(output.encode()),
        diff="-LR = 0.1\n+LR = 0.2",
        metrics=tuple(parse_metrics(output)),
        params={"LR": "0.2"},
        artifacts={"plots/loss.txt": store.put_object(b"a plot")},
    )


def write_run(store: Store, run_id: str, steps: int) -> Journal:
    """A journal with a training run in each step."""
    journal = Journal(store, run_id)
    journal.write_config(RunConfig(task="house-price", agent="tuner", run_id=run_id))
    journal.write_lock(
        RunLock(task_digest="a" * 64, data_digest="b" * 64, code_version="1", python="3.11", sandbox="none")
    )
    state = store.put_object(b"{}")
    for n in range(steps):
        decision = Decision(
            prose={"thought": f"The error is {n}.0 now."},
            action=Action(name="Execute Script", args={"script_name": "train.py"}),
            calls=(ModelCall(model="fake", prompt_tokens=7, completion_tokens=3, seconds=0.5),),
        )
        call = decision.calls[0]
        said: dict[str, JsonValue] = {"prompt": [f"prompt {n}"], "message": {"content": f"answer {n}"}}
        journal.recorder().save(f"{n:05d}-000-abc", {**said, "call": call.model_dump(mode="json")}, call)
        journal.record_decided(n, Decided(decision=decision, agent_state=state, started=START + timedelta(minutes=n)))
        effect = Effect(observation=Observation(text="ran"), training_run=training_run(store, run_id, n), seconds=2.5)
        journal.record_executed(n, Executed(effect=effect, workspace=state, environment_state=state))
        checkpoint = Checkpoint(
            step=n,
            workspace=state,
            agent_state=state,
            environment_state=state,
            spent=Spent(steps=n + 1),
            committed=START + timedelta(minutes=n, seconds=5),
        )
        journal.commit(n, checkpoint)
    return journal


def finish_run(store: Store, journal: Journal) -> None:
    """The result, and the tables with one claim that nothing supports."""
    steps = journal.steps()
    claim = Claim(
        source=journal.run_id,
        step=1,
        field="thought",
        quote="The error is 1.0 now.",
        kind=Kind.RESULT,
        verdict=Verdict.UNSUPPORTED,
        note="nothing shows it",
    )
    write_tables(store, journal.run_id, steps, [claim])
    journal.write_result(
        RunResult(
            run_id=journal.run_id,
            task="house-price",
            variant=Variant.MINI,
            agent="tuner",
            model=None,
            seed=0,
            status=RunStatus.COMPLETED,
            ended_by=EndedBy.FINAL_ANSWER,
            steps=len(steps),
            training_runs=len(steps),
            score=8.0,
            metric="mae",
            direction=Direction.MINIMIZE,
            baseline=10.0,
            reference=7.0,
            improvement=0.2,
            normalised=0.67,
            success=True,
            claims={"unsupported": 1, "supported": 3},
            tokens=10 * len(steps),
            cost=None,
            seconds=9.0,
            sandbox="none",
        )
    )


def main(folder: str, run_id: str) -> int:
    """One process of several: make a run and show it, as fast as it goes."""
    root = Path(folder)
    store = Store(str(root / "store"))
    mirror = MlflowMirror(f"sqlite:///{root}/mlflow/mlflow.db", root / "artifacts", store, run_id, patience=600)
    journal = write_run(store, run_id, 3)
    for step in journal.steps():
        if step.effect.training_run is not None:
            mirror.record(step.effect.training_run)
    finish_run(store, journal)
    return 0 if mirror.close() else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
