"""Runs out of the store, one at a time."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from environment.errors import NotInStoreError, RunNotFoundError, StoreError
from environment.journal import Journal
from environment.records import RunConfig, RunResult, Step
from environment.runs import list_runs, summary
from environment.store import Store
from environment.tables import read_table
from evaluation.claims.audit import audit_steps
from evaluation.claims.claim import Claim
from evaluation.process.failures import failure_modes
from evaluation.report.changes import FileChange, changes_between, changes_to_starter
from evaluation.report.model import ReportRun
from evaluation.statistics.entries import is_finished
from tasks_catalog.catalog import load_task
from tasks_catalog.errors import TaskError
from tasks_catalog.spec import Direction, Task

_LOG = logging.getLogger(__name__)


def stream_runs(store: Store, run_ids: Iterable[str] | None = None) -> Iterator[ReportRun]:
    """All runs of the store, or those named, read one after the other.

    A run that was deleted meanwhile, or whose config is torn, is left out with a warning, unless it was
    asked for by name.

    Raises:
        StoreError: A run that was named cannot be read.
    """
    named = run_ids is not None
    for run_id in list_runs(store) if run_ids is None else run_ids:
        try:
            yield read_run(store, run_id)
        except (RunNotFoundError, StoreError) as error:
            if named:
                raise
            _LOG.warning("left out of the report: %s", error.message)


def read_run(store: Store, run_id: str, *, journal: Journal | None = None) -> ReportRun:
    """One run with its steps, claims and changes.

    Raises:
        RunNotFoundError: No such run.
        StoreError: Its config cannot be read.
    """
    journal = journal or Journal(store, run_id)
    config, steps = journal.config(), journal.steps()
    task = _task(config.task)
    result = journal.result() or _unfinished(store, journal, config, steps, task)
    claims = _claims(store, journal, result, steps, task)
    return ReportRun(
        result=result,
        config=config,
        steps=tuple(steps),
        claims=tuple(claims),
        failures=failure_modes(steps, claims, result) if is_finished(result) else (),
        changes=dict(_changes(store, steps, task)),
    )


@lru_cache
def _task(name: str) -> Task | None:
    """A task, where this machine has it: a report on foreign runs can do without."""
    try:
        return load_task(name)
    except TaskError:
        return None


def _claims(
    store: Store, journal: Journal, result: RunResult, steps: Sequence[Step], task: Task | None
) -> Sequence[Claim]:
    """The claims kept with the run; audited now where it has none yet."""
    try:
        return [Claim.model_validate(row) for row in read_table(store, journal.run_id, "claims")]
    except NotInStoreError:
        return audit_steps(
            steps,
            source=result.run_id,
            task_text=task.instruction if task else "",
            metric=result.metric,
            direction=result.direction,
            score=result.score,
        )


def _changes(store: Store, steps: Sequence[Step], task: Task | None) -> Iterator[tuple[int, tuple[FileChange, ...]]]:
    for n, step in enumerate(steps):
        after = step.checkpoint.workspace
        try:
            if n:
                changes = changes_between(store, steps[n - 1].checkpoint.workspace, after)
            else:
                changes = changes_to_starter(store, task.starter, after) if task else ()
        except StoreError as error:
            _LOG.warning("step %d has no diff: %s", n, error.message)
            continue
        if changes:
            yield n, changes


def _unfinished(
    store: Store, journal: Journal, config: RunConfig, steps: Sequence[Step], task: Task | None
) -> RunResult:
    """What is known of a run that has no result yet."""
    spent = steps[-1].checkpoint.spent if steps else None
    return RunResult(
        run_id=journal.run_id,
        task=task.name if task else config.task,
        variant=config.variant,
        agent=config.agent,
        model=config.model,
        seed=config.seed,
        status=summary(store, journal.run_id).status,
        ended_by=None,
        steps=len(steps),
        training_runs=spent.training_runs if spent else 0,
        score=None,
        metric=task.spec.metric.name if task else "score",
        direction=task.spec.metric.direction if task else Direction.MAXIMIZE,
        baseline=None,
        reference=None,
        improvement=None,
        normalised=None,
        success=False,
        tokens=spent.tokens if spent else 0,
        cost=spent.cost if spent and not spent.unknown_cost else None,
        seconds=spent.wall_seconds if spent else 0.0,
        sandbox=config.sandbox,
    )
