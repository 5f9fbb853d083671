"""The claims of many runs read anew, as one Prefect flow on all cores that it may use.

Every batch of runs is a task run, which is tried again where its machine is lost. The tables that it writes are those
that a report reads, so that the report of ten thousand runs only has to put them together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from prefect import flow, task, unmapped
from prefect.cache_policies import NO_CACHE
from prefect.runtime import flow_run
from prefect.task_runners import ProcessPoolTaskRunner, TaskRunner

from environment.errors import StoreError
from environment.store import Store
from evaluation.report.kept import rebuild_tables
from foundation.processes import usable_cores
from foundation.records import Record

BATCH = 50
"""Runs of a task run: enough that Prefect's own share of it is small."""


class Reaudit(Record):
    """What became of the runs.

    Attributes:
        claims: How many, by verdict.
        runs: Whose claims were read.
        failed: What was wrong with the others, by their ids.
    """

    claims: dict[str, int]
    runs: int
    failed: dict[str, str]


Watched = Callable[[Iterable[Reaudit], int], Iterable[Reaudit]]


def reaudit(store_url: str, run_ids: Sequence[str], watched: Watched = lambda parts, _: parts) -> Reaudit:
    """Read the claims of runs anew and keep them with the runs.

    Args:
        store_url: The store.
        run_ids: The runs.
        watched: Passes on what becomes of each part of them, of so many, and may show it meanwhile.
    """
    if not run_ids:
        return Reaudit(claims={}, runs=0, failed={})
    cores: TaskRunner[Any] = ProcessPoolTaskRunner(max_workers=usable_cores())

    @flow(name="reaudit-runs", flow_run_name=_name_of_reaudit, persist_result=False, task_runner=cores)
    def reaudit_runs(store_url: str, batches: list[list[str]]) -> list[Reaudit]:
        futures = reaudit_batch.map(unmapped(store_url), batches)
        return list(watched((future.result() for future in futures), len(batches)))

    done = reaudit_runs(store_url, list(_batches(run_ids)))
    claims: Counter[str] = Counter()
    for one in done:
        claims.update(one.claims)
    failed = {run_id: why for one in done for run_id, why in one.failed.items()}
    return Reaudit(claims=dict(claims), runs=sum(one.runs for one in done), failed=failed)


def _name_of_reaudit() -> str:
    return f"reaudit of {sum(map(len, flow_run.parameters['batches']))} runs"


@task(name="reaudit_batch", task_run_name="{run_ids[0]} and on", retries=2, cache_policy=NO_CACHE, persist_result=False)
def reaudit_batch(store_url: str, run_ids: list[str]) -> Reaudit:
    """The claims of some runs; one that is damaged is told and ends nothing."""
    store, claims, failed = Store(store_url), Counter[str](), dict[str, str]()
    for run_id in run_ids:
        try:
            claims.update(claim.verdict.value for claim in rebuild_tables(store, run_id))
        except StoreError as error:
            failed[run_id] = error.message
    return Reaudit(claims=dict(claims), runs=len(run_ids) - len(failed), failed=failed)


def _batches(run_ids: Sequence[str]) -> Iterator[list[str]]:
    """The runs in parts; of few of them each core has one."""
    size = max(1, min(BATCH, -(-len(run_ids) // usable_cores())))
    for first in range(0, len(run_ids), size):
        yield list(run_ids[first : first + size])
