"""The runs of a store, as they stand."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from environment.errors import CorruptObjectError, NotInStoreError
from environment.journal.entries import Journal
from environment.journal.lease import holder
from environment.records import RunConfig, RunResult, RunStatus
from environment.store import RUNS, RunKeys, Store
from foundation.records import Record

_READERS = 16


class RunSummary(Record):
    """One run of a list. ``config`` is ``None`` where it is torn; ``damage`` names what is; ``steps`` are committed."""

    run_id: str
    status: RunStatus
    config: RunConfig | None
    result: RunResult | None
    steps: int
    damage: tuple[str, ...] = ()


def run_folders(store: Store) -> list[str]:
    """Names of all folders of runs, sorted: one listing. Of a run that never began, one may hold a mere lease."""
    return store.children(RUNS)


def list_runs(store: Store) -> list[str]:
    """Ids of all runs in the store, sorted; a folder that holds nothing but a lease is none."""

    def begun(run_id: str) -> bool:
        keys = RunKeys(run_id=run_id)
        if store.exists(keys.config):
            return True
        return [f"{keys.prefix}{name}/" for name in store.children(keys.prefix)] != [keys.leases]

    folders = run_folders(store)
    with ThreadPoolExecutor(_READERS) as pool:
        return [run_id for run_id, is_run in zip(folders, pool.map(begun, folders), strict=True) if is_run]


def summary(store: Store, run_id: str, *, journal: Journal | None = None) -> RunSummary:
    """How one run stands: what its result says, else running while somebody holds it, else interrupted.

    One of a sweep that never will have a result, since its agent failed, has failed.

    Raises:
        RunNotFoundError: No such run, or the folder is a copy of another's.
    """
    journal, config = journal or Journal(store, run_id), None
    with suppress(CorruptObjectError):
        config = journal.config()
    result = journal.result()
    status = _status_without_result(store, journal) if result is None else result.status
    return RunSummary(
        run_id=run_id,
        status=status,
        config=config,
        result=result,
        steps=journal.step_count() if result is None else result.steps,
        damage=tuple(sorted(journal.torn & {journal.keys.config, journal.keys.result})),
    )


def _status_without_result(store: Store, journal: Journal) -> RunStatus:
    if holder(store, journal.run_id):
        return RunStatus.RUNNING
    return RunStatus.FAILED if store.exists(journal.keys.failure) else RunStatus.INTERRUPTED


def is_under_way(store: Store, run_id: str) -> bool:
    """Whether somebody works a run right now, or is about to begin it."""
    return Journal(store, run_id).result() is None and holder(store, run_id) is not None


def summaries(store: Store) -> list[RunSummary]:
    """All runs as they stand; copies, and what has begun to be deleted or has no config yet, are left out."""

    def known(run_id: str) -> RunSummary | None:
        try:
            return summary(store, run_id)
        except NotInStoreError:
            return None

    with ThreadPoolExecutor(_READERS) as pool:
        return [found for found in pool.map(known, run_folders(store)) if found is not None]
