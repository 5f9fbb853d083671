"""Runs cells through a Prefect deployment, on whatever workers serve it."""

from __future__ import annotations

import threading
from itertools import count
from pathlib import Path

import httpx
from prefect.client.orchestration import SyncPrefectClient, get_client
from prefect.client.schemas.objects import FlowRun, State
from prefect.exceptions import ObjectNotFound

from environment.config import RunConfig
from flows.errors import UsageError
from flows.names import run_tag
from flows.sweep.failures import Failure, FailureKind, failure_of, failure_of_state
from tasks_catalog.catalog import load_task

POLL_SECONDS = 2.0
_UNDER_WAY = Failure(kind=FailureKind.INFRASTRUCTURE, message="its flow run is still under way")


class DeployedRunner:
    """Has each cell run by a deployment of ``benchmark-run``.

    A flow run carries the cell's id and the number of the attempt as its idempotency key: a sweep that is
    started again finds the flow runs of the one before and waits for those under way.

    Args:
        deployment: ``flow/deployment``, or the name of a deployment of ``benchmark-run``.

    Raises:
        UsageError: The server has no such deployment.
    """

    def __init__(self, deployment: str) -> None:
        self._stopped = threading.Event()
        deployment = deployment if "/" in deployment else f"benchmark-run/{deployment}"
        with get_client(sync_client=True) as client:
            try:
                self._deployment_id = client.read_deployment_by_name(deployment).id
            except ObjectNotFound as error:
                raise UsageError(
                    f"The Prefect server has no deployment {deployment!r}.", hint="`mlab ui` registers them."
                ) from error

    def run(self, config: RunConfig) -> Failure | None:
        """Have a cell run, or wait for the flow run that does; ``None`` where it came to its end."""
        try:
            with get_client(sync_client=True) as client:
                flow_run = self._submit(client, config)
                while (state := _final(flow_run)) is None:
                    if self._stopped.wait(POLL_SECONDS):
                        return _UNDER_WAY
                    flow_run = client.read_flow_run(flow_run.id)
        except httpx.HTTPError as error:
            return failure_of(error)
        return None if state.is_completed() else failure_of_state(state.name or "", state.message or "")

    def stop(self) -> None:
        """Wait no longer; flow runs under way go on, and the next sweep finds them."""
        self._stopped.set()

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


def _by_whole_path(task: str) -> str:
    """A task's name, or the whole path of its folder: a worker stands in another one."""
    folder = Path(task).expanduser().resolve()
    return str(folder) if folder.is_dir() and load_task(task).root == folder else task


def _final(flow_run: FlowRun) -> State | None:
    return flow_run.state if flow_run.state is not None and flow_run.state.is_final() else None
