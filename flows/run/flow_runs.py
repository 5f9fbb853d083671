"""What Prefect's records say of a run beside its states: tags, and processes that died."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID

from prefect.client.orchestration import SyncPrefectClient, get_client
from prefect.client.schemas.filters import (
    FlowFilter,
    FlowFilterName,
    FlowRunFilter,
    FlowRunFilterParentFlowRunId,
    FlowRunFilterState,
    FlowRunFilterStateType,
    FlowRunFilterTags,
)
from prefect.client.schemas.objects import StateType
from prefect.runtime import flow_run
from prefect.states import Crashed

from environment.journal.runs import run_folders
from environment.store import Store
from flows.names import RUN_FLOW
from foundation import processes

_RUNNING = FlowRunFilterState(type=FlowRunFilterStateType(any_=[StateType.RUNNING]))
_SIGNED = "mlab.process"
"""The label that says which process works a flow run."""


class _Worker(processes.Identity):
    """The process that works a flow run.

    Attributes:
        signed: When it took the flow run up.
    """

    signed: datetime


def tag_flow_run(*tags: str) -> None:
    """Tag the current flow run, beside the tags a deployment gave it.

    Tags are not set through Prefect's context: tasks would inherit them, and every tagged task asks the
    server for a concurrency slot.
    """
    with get_client(sync_client=True) as client:
        client.update_flow_run(flow_run.id, tags={*flow_run.tags, *tags})


def crash_abandoned(tag: str) -> None:
    """Mark flow runs with ``tag`` as crashed that Prefect still holds for running.

    A process killed on a machine without a worker leaves them so for ever. Whoever calls this holds the
    run's lease, so nobody else works it.
    """
    running = FlowRunFilter(tags=FlowRunFilterTags(all_=[tag]), state=_RUNNING)
    with get_client(sync_client=True) as client:
        for abandoned in client.read_flow_runs(flow_run_filter=running):
            if str(abandoned.id) != flow_run.id:
                _crash(client, abandoned.id)


def sign_flow_run() -> None:
    """Note with the current flow run which process works it.

    Killed before it has opened its run, it leaves nothing else to be known by.
    """
    worker = _Worker(**processes.own().model_dump(), signed=datetime.now(UTC))
    with get_client(sync_client=True) as client:
        client.update_flow_run_labels(flow_run.id, {_SIGNED: worker.model_dump_json()})


def crash_dead(store: Store) -> None:
    """Mark the flow runs of benchmark runs as crashed whose process died on this machine.

    One that Prefect has begun again since, and that its new process has not signed yet, is alive.
    """
    if not run_folders(store):
        return  # a new home, whose first run is not to wait for this
    named = FlowFilter(name=FlowFilterName(any_=[RUN_FLOW]))
    with get_client(sync_client=True) as client:
        for running in client.read_flow_runs(flow_filter=named, flow_run_filter=FlowRunFilter(state=_RUNNING)):
            signed = running.labels.get(_SIGNED)
            worker = _Worker.model_validate_json(signed) if isinstance(signed, str) else None
            if worker and worker.lives() is False and running.state and running.state.timestamp < worker.signed:
                _crash(client, running.id)


def _crash(client: SyncPrefectClient, flow_run_id: UUID) -> None:
    below = FlowRunFilter(parent_flow_run_id=FlowRunFilterParentFlowRunId(any_=[flow_run_id]), state=_RUNNING)
    for dead in (*(step.id for step in client.read_flow_runs(flow_run_filter=below)), flow_run_id):
        client.set_flow_run_state(dead, Crashed(message="Its process is gone."), force=True)
