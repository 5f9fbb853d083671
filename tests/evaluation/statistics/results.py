"""Results made to order."""

from __future__ import annotations

from environment.records import EndedBy, RunConfig, RunResult, RunStatus
from evaluation.statistics.entries import Entry
from tasks_catalog.library.spec import Direction, Variant


def result(
    improvement: float | None,
    *,
    task: str = "one",
    seed: int = 0,
    agent: str = "a",
    variant: Variant = Variant.MINI,
    status: RunStatus = RunStatus.COMPLETED,
    cost: float | None = 1.0,
    graded: bool = True,
) -> RunResult:
    """A run of a task whose baseline is 1 and whose reference is 2, higher is better."""
    return RunResult(
        run_id=f"{agent}-{task}-{seed}",
        task=task,
        variant=variant,
        agent=agent,
        model=None,
        seed=seed,
        status=status,
        ended_by=EndedBy.FINAL_ANSWER,
        steps=10,
        training_runs=3,
        score=None if improvement is None else 1 + improvement,
        metric="accuracy",
        direction=Direction.MAXIMIZE,
        baseline=1.0,
        reference=2.0,
        improvement=improvement,
        normalised=improvement,
        success=improvement is not None and improvement > 0.1,
        tokens=1_000,
        cost=cost,
        seconds=60.0,
        sandbox="none",
        invalid_submission="no submission" if graded and improvement is None else None,
    )


def entry(contestant: str, one: RunResult, config: RunConfig | None = None) -> Entry:
    """The result under a contestant's name."""
    return Entry(contestant=contestant, result=one, config=config)
