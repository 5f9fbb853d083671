"""Short trajectories, written as one word a step."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from environment.records import (
    Action,
    Checkpoint,
    Decision,
    Effect,
    EndedBy,
    MetricPoint,
    ModelCall,
    Observation,
    Outcome,
    RunResult,
    RunStatus,
    Spent,
    Step,
    TrainingRun,
)
from tasks_catalog.library.spec import Direction, Variant

START = datetime(2026, 1, 1, tzinfo=UTC)
NAMES = {
    "read": "Inspect Script Lines",
    "edit": "Edit Script (AI)",
    "run": "Execute Script",
    "fail": "Execute Script",
    "submit": "Final Answer",
}


def trajectory(*words: str, plans: dict[int, str] | None = None) -> list[Step]:
    """Steps from words: ``read``, ``edit``, ``run`` or ``run:0.8`` (its accuracy), ``fail``, ``submit``.

    A word repeated with ``=`` after it ("read=") is the same action with the same answer as any other such.
    """
    return [_step(n, word, (plans or {}).get(n, "")) for n, word in enumerate(words)]


def result(steps: Sequence[Step], **changed: object) -> RunResult:
    """A result that failed to improve, unless changed."""
    values: dict[str, object] = {
        "run_id": "run-1",
        "task": "cifar10",
        "variant": Variant.MINI,
        "agent": "a",
        "model": None,
        "seed": 0,
        "status": RunStatus.COMPLETED,
        "ended_by": EndedBy.FINAL_ANSWER,
        "steps": len(steps),
        "training_runs": 0,
        "score": 0.5,
        "metric": "accuracy",
        "direction": Direction.MAXIMIZE,
        "baseline": 0.4,
        "reference": 0.9,
        "improvement": 0.25,
        "normalised": 0.2,
        "success": True,
        "tokens": 0,
        "cost": 0.0,
        "seconds": 1.0,
        "sandbox": "none",
    }
    return RunResult.model_validate(values | changed)


def _step(n: int, word: str, plan: str) -> Step:
    same = word.endswith("=")
    kind, _, value = word.rstrip("=").partition(":")
    failed = kind == "fail"
    run = _training_run(n, failed, float(value) if value else None) if kind in ("run", "fail") else None
    observation = Observation(text="again" if same else f"answer {n}", outcome=Outcome.FAILED if failed else Outcome.OK)
    return Step(
        n=n,
        decision=Decision(
            prose={"research_plan_and_status": plan} if plan else {},
            action=Action(name=NAMES[kind], args={} if same else {"n": n}),
            calls=(ModelCall(model="m", prompt_tokens=10, completion_tokens=1, seconds=2),),
        ),
        effect=Effect(observation=observation, training_run=run, final=kind == "submit", seconds=3),
        checkpoint=Checkpoint(
            step=n,
            workspace=f"workspace {n}",
            agent_state="",
            environment_state="",
            spent=Spent(),
            committed=START + timedelta(minutes=n),
        ),
        started=START + timedelta(minutes=n),
    )


def _training_run(n: int, failed: bool, accuracy: float | None) -> TrainingRun:
    points = [] if accuracy is None else [MetricPoint(name="accuracy", value=accuracy, split="validation")]
    return TrainingRun(
        id=f"run-1.{n}",
        step=n,
        script="train.py",
        script_sha256="",
        exit_code=1 if failed else 0,
        started=START,
        seconds=1,
        output="",
        metrics=tuple(points),
    )
