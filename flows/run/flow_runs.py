"""What Prefect's records say of a run beside its states: tags, and processes that died."""

from __future__ import annotations

from prefect.client.orchestration import get_client
from prefect.client.schemas.filters import FlowRunFilter, FlowRunFilterState, FlowRunFilterStateType, FlowRunFilterTags
from prefect.client.schemas.objects import StateType
from prefect.runtime import flow_run
from prefect.states import Crashed


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
    running = FlowRunFilter(
        tags=FlowRunFilterTags(all_=[tag]),
        state=FlowRunFilterState(type=FlowRunFilterStateType(any_=[StateType.RUNNING])),
    )
    with get_client(sync_client=True) as client:
        for abandoned in client.read_flow_runs(flow_run_filter=running):
            if str(abandoned.id) != flow_run.id:
                client.set_flow_run_state(abandoned.id, Crashed(message="Its process is gone."), force=True)
