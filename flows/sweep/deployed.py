"""Runs cells through a Prefect deployment, on whatever workers serve it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count
from uuid import UUID

import httpx
from prefect.client.orchestration import SyncPrefectClient, get_client
from prefect.client.schemas.filters import FlowRunFilter, FlowRunFilterDeploymentId, FlowRunFilterTags
from prefect.client.schemas.objects import FlowRun, State
from prefect.client.schemas.sorting import FlowRunSort
from prefect.exceptions import ObjectNotFound

from environment.records import RunConfig
from environment.store import RunKeys, Store
from flows.consoles import tell
from flows.errors import UsageError
from flows.names import run_tag
from flows.services.worker import POOL
from flows.sweep.failures import Failure, FailureKind, failure_of, failure_of_state
from foundation.paths import expanded
from tasks_catalog.catalog import load_task

POLL_SECONDS = 2.0
PATIENCE_SECONDS = 10.0
"""Between two looks for a worker, while a run waits for one."""
HEARTBEAT_SECONDS = 30.0
"""Between a worker's signs of life, where it does not say how often it gives them."""
LATE = 1.5
"""A worker's sign of life is due by so many times as long; Prefect itself misses it only after three."""
_UNDER_WAY = Failure(kind=FailureKind.INFRASTRUCTURE, message="its flow run is still under way")


class DeployedRunner:
    """Has each cell run by a deployment of ``benchmark-run``.

    A flow run carries the cell's id and the number of the attempt as its idempotency key: a sweep that is
    started again finds the flow runs of the one before and waits for those under way. What an agent failed at
    while no sweep looked is its failure as well, and not paid for again.

    Args:
        deployment: ``flow/deployment``, or the name of a deployment of ``benchmark-run``.
        store: Where the runs are.
        retry_failed: Also run again what an agent failed at.
        notice: Is told, once, that no worker is there to begin the runs; by default standard error is.

    Attributes:
        waiting: Whether the run that was looked at last waits for a worker to begin it.
        flow_run: The flow run that was looked at last.

    Raises:
        UsageError: The server has no such deployment.
    """

    def __init__(
        self,
        deployment: str,
        store: Store,
        *,
        retry_failed: bool = False,
        notice: Callable[[str], None] | None = None,
    ) -> None:
        self.waiting = False
        self.flow_run: UUID | None = None
        self._store = store
        self._retry_failed = retry_failed
        self._notice = notice or tell
        self._noticed = False
        self._stopped = threading.Event()
        deployment = deployment if "/" in deployment else f"benchmark-run/{deployment}"
        with get_client(sync_client=True) as client:
            try:
                self._deployment_id = client.read_deployment_by_name(deployment).id
            except ObjectNotFound as error:
                raise UsageError(
                    f"The Prefect server has no deployment {deployment!r}.",
                    hint="`mlab ui` registers those of the pool mlab; a worker those of its own pool, when it starts.",
                ) from error

    def run(self, config: RunConfig) -> Failure | None:
        """Have a cell run, or wait for the flow run that does; ``None`` where it came to its end."""
        try:
            with get_client(sync_client=True) as client:
                flow_run = self._known(client, config) or self._submit(client, config)
                self.flow_run, self.waiting = flow_run.id, _is_scheduled(flow_run)
                look = time.monotonic() + PATIENCE_SECONDS
                while (state := _final(flow_run)) is None:
                    if self._stopped.wait(POLL_SECONDS):
                        return _UNDER_WAY
                    flow_run = client.read_flow_run(flow_run.id)
                    self.waiting = _is_scheduled(flow_run)
                    if self.waiting and time.monotonic() >= look:
                        self._look_for_worker(client, flow_run.work_pool_name)
                        look = time.monotonic() + PATIENCE_SECONDS
        except httpx.HTTPError as error:
            return failure_of(error)
        return None if state.is_completed() else _failure(state)

    def stop(self) -> None:
        """Wait no longer; flow runs under way go on, and the next sweep finds them."""
        self._stopped.set()

    def _look_for_worker(self, client: SyncPrefectClient, pool: str | None) -> None:
        if pool is not None and not self._noticed and not _is_polled(client, pool):
            self._noticed = True
            self._notice(no_worker(pool))

    def _known(self, client: SyncPrefectClient, config: RunConfig) -> FlowRun | None:
        """The last attempt, where it is under way or tells how the run has ended."""
        run_id = config.run_id or ""
        attempts = FlowRunFilter(
            deployment_id=FlowRunFilterDeploymentId(any_=[self._deployment_id]),
            tags=FlowRunFilterTags(all_=[run_tag(run_id)]),
        )
        for last in client.read_flow_runs(flow_run_filter=attempts, sort=FlowRunSort.EXPECTED_START_TIME_DESC, limit=1):
            if _final(last) is None or self._is_given_up(last, run_id):
                return last
        return None

    def _is_given_up(self, ended: FlowRun, run_id: str) -> bool:
        state = _final(ended)
        failed = None if state is None or state.is_completed() else _failure(state)
        # A run that was removed from the store begins anew.
        is_kept = self._store.exists(RunKeys(run_id=run_id).config)
        return is_kept and not self._retry_failed and failed is not None and failed.kind is FailureKind.AGENT

    def _submit(self, client: SyncPrefectClient, config: RunConfig) -> FlowRun:
        """The first attempt that has not ended yet, made where there is none."""
        config = config.model_copy(update={"task": _by_whole_path(config.task)})
        for attempt in count():
            flow_run = client.create_flow_run_from_deployment(
                self._deployment_id,
                parameters={"config": config.model_dump(mode="json")},
                idempotency_key=f"{config.run_id}/{attempt}",
                tags=[*config.tags, run_tag(config.run_id or "")],
            )
            if _final(flow_run) is None:
                break
        return flow_run


def no_worker(pool: str) -> str:
    """What to do where nobody begins the runs of a pool."""
    command = "mlab ui" if pool == POOL else f"mlab worker --pool {pool}"
    return f"No worker polls the pool {pool}; start one with: {command}"


def _is_polled(client: SyncPrefectClient, pool: str) -> bool:
    now = datetime.now(UTC)
    for worker in client.read_workers_for_work_pool(pool):
        due = timedelta(seconds=LATE * (worker.heartbeat_interval_seconds or HEARTBEAT_SECONDS))
        if worker.last_heartbeat_time is not None and now - worker.last_heartbeat_time < due:
            return True
    return False


def _by_whole_path(task: str) -> str:
    """A task's name, or the whole path of its folder: a worker stands in another one."""
    folder = expanded(task).resolve()
    return str(folder) if folder.is_dir() and load_task(task).root == folder else task


def _final(flow_run: FlowRun) -> State | None:
    return flow_run.state if flow_run.state is not None and flow_run.state.is_final() else None


def _failure(state: State) -> Failure:
    return failure_of_state(state.name or "", state.message or "")


def _is_scheduled(flow_run: FlowRun) -> bool:
    return flow_run.state is not None and flow_run.state.is_scheduled()
