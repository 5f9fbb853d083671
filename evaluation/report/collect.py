"""Runs out of the store, one at a time."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import suppress
from functools import lru_cache, partial
from multiprocessing import get_context

from pydantic import ValidationError

from environment.errors import CorruptObjectError, NotInStoreError, RunNotFoundError, StoreError
from environment.journal.entries import Journal
from environment.journal.runs import list_runs, summary
from environment.journal.tables import read_grades, read_table, write_tables
from environment.records import EndedBy, EvidenceRow, RunConfig, RunResult, RunStatus, Step, Usage
from environment.store import Store
from evaluation.claims.claim import Claim, rested_on
from evaluation.claims.table import read_claims
from evaluation.process.failures import failure_modes
from evaluation.process.judge import read_judgement
from evaluation.record.log import RunLog, from_steps
from evaluation.report.changes import FileChange, changes_between, changes_to_starter
from evaluation.report.model import ReportRun
from evaluation.search import read_search
from evaluation.statistics.entries import is_finished
from foundation.processes import usable_cores
from tasks_catalog.catalog import find_task
from tasks_catalog.library.spec import Direction, Task

_LOG = logging.getLogger(__name__)
WORTH_PROCESSES = 64  # runs; fewer are read before another process has started
AHEAD = 4  # runs read ahead by each core: what bounds the memory


def stream_runs(store: Store, run_ids: Iterable[str] | None = None) -> Iterator[ReportRun]:
    """All runs of the store, or those named, in order and one after the other.

    Many runs are read and audited on all cores, a few of them ahead of the one asked for. A run that was
    deleted meanwhile, or is damaged, is left out with a warning.

    Raises:
        RunNotFoundError: A run that was named is not in the store.
        StoreError: The one run that was named cannot be read.
    """
    ids = list_runs(store) if run_ids is None else list(run_ids)
    for read in _readers(store, ids):
        try:
            yield read()
        except StoreError as error:
            if run_ids is not None and (len(ids) == 1 or isinstance(error, RunNotFoundError)):
                raise
            _LOG.warning("left out of the report: %s", error.message)


def _readers(store: Store, run_ids: Sequence[str]) -> Iterator[Callable[[], ReportRun]]:
    """A call for each run that gives it, or raises what went wrong with it."""
    cores = usable_cores()
    if len(run_ids) < WORTH_PROCESSES or cores == 1:
        yield from (partial(read_run, store, run_id) for run_id in run_ids)
        return
    waiting: deque[Future[ReportRun]] = deque()
    with ProcessPoolExecutor(cores, mp_context=get_context("spawn")) as pool:
        for run_id in run_ids:
            waiting.append(pool.submit(read_run, store, run_id))
            if len(waiting) > AHEAD * cores:
                yield waiting.popleft().result
        while waiting:
            yield waiting.popleft().result


def read_run(store: Store, run_id: str, *, journal: Journal | None = None) -> ReportRun:
    """One run with its steps, claims and changes.

    Raises:
        RunNotFoundError: No such run.
        StoreError: Its config cannot be read, and it has no result.
    """
    journal = journal or Journal(store, run_id)
    config, result, steps, task = _parts(store, journal)
    if result.usage is None and steps and not result.is_imported:
        result = result.model_copy(update={"usage": Usage.of(steps)})
    claims = _claims(store, journal, result, steps, task)
    return ReportRun(
        result=result,
        config=config,
        steps=tuple(steps),
        claims=tuple(claims),
        failures=failure_modes(steps, claims, result) if is_finished(result) else (),
        grades=tuple(read_grades(store, run_id)),
        judgement=read_judgement(store, run_id),
        search=read_search(store, steps),
        changes=dict(_changes(store, steps, task)),
        submitted=_submitted(store, steps, task),
        evidence=tuple(_evidence(store, result, steps, task, claims)),
    )


def read_log(store: Store, run_id: str) -> RunLog:
    """One run as it is audited.

    Raises:
        RunNotFoundError: No such run.
        StoreError: Its config cannot be read, and it has no result.
    """
    _, result, steps, task = _parts(store, Journal(store, run_id))
    return _log(result, steps, task)


def rebuild_tables(store: Store, run_id: str) -> Sequence[Claim]:
    """Make the tables of a run anew from its journal; the claims in them.

    Raises:
        StoreError: The journal has lost steps, or the store cannot be written.
    """
    journal = Journal(store, run_id)
    _, result, steps, task = _parts(store, journal)
    log = _log(result, steps, task)
    claims = _audited(log)
    journal.check_whole()
    write_tables(store, run_id, steps, claims, list(_record(log, rested_on(claims))))
    return claims


def _audited(log: RunLog) -> Sequence[Claim]:
    # Its rules take longer to load than most commands do, and a run is mostly kept with its claims.
    from evaluation.claims.audit import audit

    return audit(log)


def _record(log: RunLog, rests_on: Collection[str]) -> Iterator[EvidenceRow]:
    # As above: it is mostly kept with the run.
    from evaluation.record.table import record_rows

    return record_rows(log, rests_on)


def _parts(store: Store, journal: Journal) -> tuple[RunConfig | None, RunResult, list[Step], Task | None]:
    """Config, result, steps and task; a run with a result can do without its config, where that is torn."""
    steps, result = journal.steps(), journal.result()
    try:
        config = journal.config()
    except CorruptObjectError as error:
        if result is None:
            raise
        _LOG.warning("of run %s, the report lacks what was asked: %s", journal.run_id, error.sentence)
        return None, result, steps, _task(result.task)
    task = _task(config.task)
    return config, result or _unfinished(store, journal, config, steps, task), steps, task


_task = lru_cache(find_task)
"""A task, where this machine has it: a report on foreign runs can do without."""


def _claims(
    store: Store, journal: Journal, result: RunResult, steps: Sequence[Step], task: Task | None
) -> Sequence[Claim]:
    """The claims kept with the run; audited now where it has none yet, or where they are torn."""
    try:
        return read_claims(store, journal.run_id)
    except NotInStoreError:
        pass
    except CorruptObjectError as error:  # its hint is left out: it is mended right here
        _LOG.warning("the claims of run %s are read anew from its journal: %s", journal.run_id, error.message)
        with suppress(StoreError):
            return rebuild_tables(store, journal.run_id)
    return _audited(_log(result, steps, task))


def _evidence(
    store: Store, result: RunResult, steps: Sequence[Step], task: Task | None, claims: Sequence[Claim]
) -> Iterator[EvidenceRow]:
    """The rows that claims rest on, as they are kept with the run, else as they are read now."""
    wanted = rested_on(claims)
    if not wanted:
        return
    try:
        kept = [row for row in read_table(store, result.run_id, "evidence") if row["id"] in wanted]
        yield from [EvidenceRow.model_validate({name: row[name] for name in EvidenceRow.model_fields}) for row in kept]
    except (NotInStoreError, CorruptObjectError, ValidationError, KeyError):
        yield from (row for row in _record(_log(result, steps, task), wanted) if row.id in wanted)


def _log(result: RunResult, steps: Sequence[Step], task: Task | None) -> RunLog:
    return from_steps(
        steps,
        source=result.run_id,
        task_text=task.instruction if task else "",
        metric=result.metric,
        direction=result.direction,
        score=result.score,
        figures=task.spec.variants.get(result.variant) if task else None,
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


def _submitted(store: Store, steps: Sequence[Step], task: Task | None) -> tuple[FileChange, ...]:
    if not steps or task is None:
        return ()
    try:
        return changes_to_starter(store, task.starter, steps[-1].checkpoint.workspace)
    except StoreError as error:
        _LOG.warning("what was submitted has no diff: %s", error)
        return ()


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
