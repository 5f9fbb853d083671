"""A run as the store keeps it: what was asked, what came out, its steps and its claims."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple

from environment.errors import CorruptObjectError, NotInStoreError, StoreError
from environment.journal.entries import Journal
from environment.journal.runs import summary
from environment.journal.tables import write_tables
from environment.records import EndedBy, EvidenceRow, RunConfig, RunResult, RunStatus, Step
from environment.store import Store
from evaluation.claims.claim import Claim, rested_on
from evaluation.claims.table import read_claims
from evaluation.record.log import RunLog, from_steps
from tasks_catalog.catalog import find_task
from tasks_catalog.library.spec import Direction, Task

_LOG = logging.getLogger(__name__)


class Kept(NamedTuple):
    """One run.

    Attributes:
        config: What was asked; ``None`` where that is torn.
        result: What came out, or what is known of a run that goes on.
        steps: Its trajectory.
        task: Its task, where this machine has it.
    """

    config: RunConfig | None
    result: RunResult
    steps: Sequence[Step]
    task: Task | None

    def log(self) -> RunLog:
        """The run as it is audited."""
        result, task = self.result, self.task
        return from_steps(
            self.steps,
            source=result.run_id,
            task_text=task.instruction if task else "",
            metric=result.metric,
            direction=result.direction,
            score=result.score,
            figures=task.spec.variants.get(result.variant) if task else None,
        )


def read_kept(store: Store, journal: Journal) -> Kept:
    """One run; with a result, it can do without its config.

    Raises:
        RunNotFoundError: No such run.
        StoreError: Its config cannot be read, and it has no result.
    """
    steps, result = journal.steps(), journal.result()
    try:
        config = journal.config()
    except CorruptObjectError as error:
        if result is None:
            raise
        _LOG.warning("of run %s, the report lacks what was asked: %s", journal.run_id, error.sentence)
        return Kept(None, result, steps, _task(result.task))
    task = _task(config.task)
    return Kept(config, result or _unfinished(store, journal, config, steps, task), steps, task)


def read_log(store: Store, run_id: str) -> RunLog:
    """One run as it is audited; raises as ``read_kept`` does."""
    return read_kept(store, Journal(store, run_id)).log()


def claims_of(store: Store, run: Kept) -> Sequence[Claim]:
    """The claims kept with a run; audited now where it has none yet, or where they are torn."""
    run_id = run.result.run_id
    try:
        return read_claims(store, run_id)
    except NotInStoreError:
        pass
    except CorruptObjectError as error:  # its hint is left out: it is mended right here
        _LOG.warning("the claims of run %s are read anew from its journal: %s", run_id, error.message)
        with suppress(StoreError):
            return rebuild_tables(store, run_id)
    return _audited(run.log())


def rebuild_tables(store: Store, run_id: str) -> Sequence[Claim]:
    """Make the tables of a run anew from its journal; the claims in them.

    Raises:
        StoreError: The journal has lost steps, or the store cannot be written.
    """
    journal = Journal(store, run_id)
    run = read_kept(store, journal)
    log = run.log()
    claims = _audited(log)
    journal.check_whole()
    write_tables(store, run_id, run.steps, claims, list(record_of(log, rested_on(claims))))
    return claims


def record_of(log: RunLog, rests_on: Collection[str]) -> Iterator[EvidenceRow]:
    """The rows of a run's record, read now."""
    # As below: it is mostly kept with the run.
    from evaluation.record.table import record_rows

    return record_rows(log, rests_on)


def _audited(log: RunLog) -> Sequence[Claim]:
    # Its rules take longer to load than most commands do, and a run is mostly kept with its claims.
    from evaluation.claims.audit import audit

    return audit(log)


_task = lru_cache(find_task)
"""A task, where this machine has it: a report on foreign runs can do without."""


def _unfinished(
    store: Store, journal: Journal, config: RunConfig, steps: Sequence[Step], task: Task | None
) -> RunResult:
    """What is known of a run that has no result yet."""
    spent = steps[-1].checkpoint.spent if steps else None
    status = summary(store, journal.run_id, journal=journal).status  # what is torn is told once
    return RunResult(
        run_id=journal.run_id,
        task=task.name if task else config.task,
        variant=config.variant,
        agent=config.agent,
        model=config.model,
        seed=config.seed,
        status=status,
        ended_by=EndedBy.ERROR if status is RunStatus.FAILED else None,
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
        error=_raised(store, journal),
        seconds=spent.wall_seconds if spent else 0.0,
        sandbox=config.sandbox,
    )


def _raised(store: Store, journal: Journal) -> str | None:
    """The last exception in the agent's own code, in a line."""
    try:
        lines = store.get(journal.keys.agent_error).decode("utf-8", "replace").split("\n")
    except StoreError:
        return None
    last = next((line for line in reversed(lines) if line.strip()), None)
    return f"The agent's own code raised {last}" if last else None
