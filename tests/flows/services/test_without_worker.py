"""Runs given to a deployment whose pool no worker polls."""

from __future__ import annotations

import os
import signal
import subprocess

import pytest

from tests.conftest import AUTH
from tests.flows.command import MLAB, SLOPE

NOBODY = "nobody"


@pytest.mark.timeout(300)
@pytest.mark.usefixtures("mlab_environment")
def test_it_says_so_and_what_becomes_of_the_run_that_is_left(prefect_server: str) -> None:
    _deploy_for_nobody(prefect_server)
    command = [*MLAB, "run", str(SLOPE), "--agent", "nop", "--deployment", NOBODY]
    process = subprocess.Popen(
        command, env=os.environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True
    )
    assert process.stdout is not None
    waits, told = (next(process.stdout) for _ in range(2))
    assert "waiting for a worker" in waits
    assert "No worker polls the pool nobody; start one with: mlab worker --pool nobody" in told
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 3
    assert "No longer followed; the run waits for a worker." in error


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
