"""``mlab answer``."""

from __future__ import annotations

from uuid import UUID

from pydantic import JsonValue

from environment.store import Store
from flows.errors import UsageError
from flows.names import run_tag
from flows.run.finding import find_run
from flows.services.server import connect
from flows.services.variables import configure_process
from flows.settings import Settings


def answer_run(run: str, text: str, *, approved: bool) -> None:
    """Answer the step of ``run`` that waits for a person."""
    settings = Settings()
    configure_process(settings)
    run_id = find_run(Store(settings.store_url), run)
    connect(settings)

    from flows.run.people import answer

    flow_run_id, form = _waiting(run_id)
    answer(flow_run_id, _reply(form, text, approved=approved))


def _waiting(run_id: str) -> tuple[UUID, str]:
    """The paused step of a run, and the key of its form."""
    from prefect.client.orchestration import get_client
    from prefect.client.schemas.filters import (
        FlowRunFilter,
        FlowRunFilterState,
        FlowRunFilterStateType,
        FlowRunFilterTags,
    )
    from prefect.client.schemas.objects import StateType

    paused = FlowRunFilter(
        state=FlowRunFilterState(type=FlowRunFilterStateType(any_=[StateType.PAUSED])),
        tags=FlowRunFilterTags(all_=[run_tag(run_id)]),
    )
    with get_client(sync_client=True) as client:
        waiting = client.read_flow_runs(flow_run_filter=paused)
    for flow_run in waiting:
        if flow_run.state and flow_run.state.state_details.pause_key:
            return flow_run.id, flow_run.state.state_details.pause_key
    raise UsageError(f"Run {run_id} does not wait for anybody.", hint=f"mlab show {run_id} says how it stands.")


def _reply(pause_key: str, text: str, *, approved: bool) -> dict[str, JsonValue]:
    if pause_key.startswith("help"):
        return {"answer": text}
    return {"approved": approved, "comment": text}
