"""Runs out of the store, one at a time."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context

from pydantic import ValidationError

from environment.errors import CorruptObjectError, NotInStoreError, RunNotFoundError, StoreError
from environment.journal.entries import Journal
from environment.journal.runs import list_runs
from environment.journal.tables import read_grades, read_table
from environment.records import EvidenceRow, Step, Usage
from environment.store import Store
from evaluation.claims.claim import Claim, rested_on
from evaluation.process.failures import failure_modes
from evaluation.process.judge import read_judgement
from evaluation.report.changes import FileChange, changes_between, changes_to_starter
from evaluation.report.kept import Kept, claims_of, read_kept, record_of
from evaluation.report.model import ReportRun
from evaluation.search import read_search
from evaluation.statistics.entries import is_finished
from foundation.processes import usable_cores
from tasks_catalog.library.spec import Task

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
    run = read_kept(store, journal)
    config, result, steps, task = run
    if result.usage is None and steps and not result.is_imported:
        result = result.model_copy(update={"usage": Usage.of(steps)})
    claims = claims_of(store, run)
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
        evidence=tuple(_evidence(store, run, claims)),
    )


def _evidence(store: Store, run: Kept, claims: Sequence[Claim]) -> Iterator[EvidenceRow]:
    """The rows that claims rest on, as they are kept with the run, else as they are read now."""
    wanted = rested_on(claims)
    if not wanted:
        return
    try:
        kept = [row for row in read_table(store, run.result.run_id, "evidence") if row["id"] in wanted]
        yield from [EvidenceRow.model_validate({name: row[name] for name in EvidenceRow.model_fields}) for row in kept]
    except (NotInStoreError, CorruptObjectError, ValidationError, KeyError):
        yield from (row for row in record_of(run.log(), wanted) if row.id in wanted)


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
