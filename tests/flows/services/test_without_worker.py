"""Runs given to a deployment whose pool no worker polls."""

from __future__ import annotations

import os
import signal
import subprocess

import pytest
from prefect.client.orchestration import get_client
from prefect.client.schemas.filters import DeploymentFilter, DeploymentFilterName
from prefect.states import Cancelled

from tests.conftest import AUTH, connected_to
from tests.flows.command import MLAB, SLOPE

pytestmark = pytest.mark.timeout(300)

NOBODY = "nobody"
OWN_SEED = 41


@pytest.mark.usefixtures("mlab_environment")
def test_it_says_so_and_what_becomes_of_the_run_that_is_left(prefect_server: str) -> None:
    process = _waiting(prefect_server)
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 3
    assert "No longer followed; the run waits for a worker." in error


@pytest.mark.usefixtures("mlab_environment")
def test_a_run_that_ends_before_it_begins_is_not_said_to_be_resumable(prefect_server: str) -> None:
    process = _waiting(prefect_server, "--seed", str(OWN_SEED))
    with connected_to(prefect_server), get_client(sync_client=True) as client:
        runs = client.read_flow_runs(deployment_filter=DeploymentFilter(name=DeploymentFilterName(any_=[NOBODY])))
        (own,) = (run for run in runs if run.parameters.get("config", {}).get("seed") == OWN_SEED)
        client.set_flow_run_state(own.id, Cancelled(message="not wanted"), force=True)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 1
    assert error == "cancelled: not wanted\nThe run had not begun, so there is nothing to resume: start it as before.\n"


def _waiting(server: str, *options: str) -> subprocess.Popen[str]:
    """A run that waits for a worker, and has said so."""
    _deploy_for_nobody(server)
    command = [*MLAB, "run", str(SLOPE), "--agent", "nop", "--deployment", NOBODY, *options]
    process = subprocess.Popen(
        command, env=os.environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True
    )
    assert process.stdout is not None
    waits, told = (next(process.stdout) for _ in range(2))
    assert "waiting for a worker" in waits
    assert "No worker polls the pool nobody; start one with: mlab worker --pool nobody" in told
    return process


def _deploy_for_nobody(server: str) -> None:
    """On the session's server, whatever Prefect's settings were when this process imported it."""
    from prefect.deployments.runner import RunnerDeployment
    from prefect.settings import PREFECT_API_AUTH_STRING, PREFECT_API_URL, temporary_settings
    from prefect.types.entrypoint import EntrypointType

    from flows.deploying.register import _ensure_pool
    from flows.run.flow import benchmark_run

    with temporary_settings({PREFECT_API_URL: server, PREFECT_API_AUTH_STRING: AUTH}):
        _ensure_pool(NOBODY)
        deployment = RunnerDeployment.from_flow(
            benchmark_run, name=NOBODY, work_pool_name=NOBODY, entrypoint_type=EntrypointType.MODULE_PATH
        )
        deployment.apply()
