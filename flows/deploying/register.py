"""What a Prefect server needs to run benchmarks for people: a pool, limits, deployments with forms, an automation."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from typing import Any
from uuid import UUID

import httpx
from prefect import Flow
from prefect.client.orchestration import get_client
from prefect.client.schemas.actions import WorkPoolCreate, WorkPoolUpdate
from prefect.client.schemas.objects import StateType
from prefect.deployments.runner import RunnerDeployment
from prefect.events.actions import ChangeFlowRunState
from prefect.events.schemas.automations import AutomationCore, EventTrigger, Posture
from prefect.exceptions import ObjectAlreadyExists, ObjectNotFound
from prefect.types.entrypoint import EntrypointType

from agent.models.factory import PROVIDERS
from agent.registry import ADVERSARIES, AGENTS, HUMAN
from environment.sandbox import kinds
from flows.grading.flow import grade_run
from flows.run.flow import benchmark_run
from flows.services.turns import limit_providers
from flows.services.worker import POOL
from flows.sweep.flow import sweep
from tasks_catalog.catalog import list_tasks

TAGS = ["mlab"]
PROCESS = "process"
RUNS_AT_ONCE = 16
"""Of a new work pool, however many workers it has."""
JOB = {"job_configuration": {"stream_output": True}, "variables": {"type": "object", "properties": {}}}
"""What a process pool lets a flow run choose of its process: nothing, above all neither command nor environment."""
SILENT_SECONDS = 75
"""Without a sign of life for so long, a flow run's process is taken for dead."""
NOT_OFFERED = {*ADVERSARIES, HUMAN}
"""Agents that try the benchmark itself, and the one that reads a terminal, which no worker has."""
AUTOMATION = "mlab: crash runs without heartbeats"
ENDED = ("Completed", "Failed", "Cancelled", "Crashed", "Paused", "Suspended")


def register(work_pool: str = POOL) -> list[str]:
    """Create or update everything for a pool; the names of the deployments, which begin with its name.

    Doing it again changes nothing but what is new: limits that somebody has changed stay.
    """
    _ensure_pool(work_pool)
    limit_providers(PROVIDERS)
    _ensure_automation()
    described: list[tuple[Flow[..., Any], str, str]] = [
        (benchmark_run, work_pool, "One agent on one task with one seed, graded and audited."),
        (grade_run, f"{work_pool}-grade", "Grade a run of the store again."),
        (sweep, f"{work_pool}-sweep", "Many runs from one description; what is done already is skipped."),
    ]
    return [_deploy(flow, name, work_pool, description) for flow, name, description in described]


def _ensure_pool(name: str) -> None:
    with get_client(sync_client=True) as client:
        try:
            pool = client.read_work_pool(name)
        except ObjectNotFound:
            made = WorkPoolCreate(name=name, type=PROCESS, concurrency_limit=RUNS_AT_ONCE, base_job_template=JOB)
            with suppress(ObjectAlreadyExists):  # another worker was faster
                client.create_work_pool(made)
            return
        if pool.type == PROCESS and pool.base_job_template != JOB:
            client.update_work_pool(name, WorkPoolUpdate(base_job_template=JOB))


def _deploy(flow: Flow[..., Any], name: str, work_pool: str, description: str) -> str:
    deployment = RunnerDeployment.from_flow(
        flow,
        name=name,
        description=description,
        tags=TAGS,
        work_pool_name=work_pool,
        entrypoint_type=EntrypointType.MODULE_PATH,
        # Names outside the catalogue, such as folders, are allowed; the flow itself checks them.
        enforce_parameter_schema=False,
    )
    _offer_choices(deployment)
    deployment.apply()
    _remove_former(f"{flow.name}/{work_pool}", unless=f"{flow.name}/{name}")
    return f"{flow.name}/{name}"


def _remove_former(name: str, *, unless: str) -> None:
    """Remove a deployment of the name that all of them once had; one that somebody has scheduled stays."""
    if name == unless:
        return
    with get_client(sync_client=True) as client, suppress(ObjectNotFound):
        former = client.read_deployment_by_name(name)
        if not former.schedules:
            client.delete_deployment(former.id)


def _offer_choices(deployment: RunnerDeployment) -> None:
    """Let the form offer what the catalogue and the registry hold."""
    schema = deployment._parameter_openapi_schema
    fields = schema.definitions.get("RunConfig", {}).get("properties", {})
    if fields:
        fields["task"]["enum"] = [task.name for task in list_tasks(holes=True)]
        fields["agent"]["enum"] = [name for name in AGENTS.names() if name not in NOT_OFFERED]
        fields["sandbox"]["enum"] = kinds()


def _ensure_automation() -> None:
    """Mark runs whose process died with its machine as crashed, so that they can be retried.

    Prefect takes several automations of one name: of those that workers made at once, all agree on which one stays.
    """
    with get_client(sync_client=True) as client:
        if not client.read_automations_by_name(AUTOMATION):
            client.create_automation(_crash_silent_runs())
        found = sorted(str(automation.id) for automation in client.read_automations_by_name(AUTOMATION))
        for other in found[1:]:
            try:
                client.delete_automation(UUID(other))
            except httpx.HTTPStatusError as error:
                if error.response.status_code != httpx.codes.NOT_FOUND:  # another worker was faster
                    raise


def _crash_silent_runs() -> AutomationCore:
    return AutomationCore(
        name=AUTOMATION,
        description=f"After {SILENT_SECONDS} s without a sign of life a run counts as crashed, and can be retried.",
        trigger=EventTrigger(
            after={"prefect.flow-run.heartbeat"},
            expect={"prefect.flow-run.heartbeat", *(f"prefect.flow-run.{state}" for state in ENDED)},
            match={"prefect.resource.id": ["prefect.flow-run.*"]},
            for_each={"prefect.resource.id"},
            posture=Posture.Proactive,
            threshold=1,
            within=timedelta(seconds=SILENT_SECONDS),
        ),
        actions=[ChangeFlowRunState(state=StateType.CRASHED, message="Its process gives no sign of life.")],
    )


if __name__ == "__main__":
    register()
