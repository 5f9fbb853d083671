"""The compose file, started: servers with passwords, and a run that its worker does."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from environment.sandbox.docker import connect
from tests.deployments.composed import Site, describe, missing
from tests.deployments.worker_image import TESTS
from tests.flows.interface import SLEEPS, retry, sleeping_scripts, start, wait_for, wait_for_state

pytestmark = [pytest.mark.slow, pytest.mark.docker, pytest.mark.timeout(1_800)]
PREFECT = "http://127.0.0.1:4200/api"
MLFLOW = "http://127.0.0.1:5000"
SLOPE = f"{TESTS}/tests/tasks/slope"


@pytest.fixture(scope="module")
def site(docker_daemon: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    if why := missing():
        pytest.skip(why)
    site = describe(connect(), tmp_path_factory.mktemp("compose"))
    try:
        started = site.attempt("up", "--detach", "--no-build", "--scale", "worker=2")
        assert started.returncode == 0, started.stderr + site.compose("logs", "--tail", "30")
        yield site
    finally:
        site.compose("down", "--volumes", "--timeout", "5")


def api(site: Site) -> str:
    """Prefect's address with the password in it."""
    return PREFECT.replace("//", f"//{site.passwords['PREFECT_AUTH']}@")


def mlflow(site: Site) -> httpx.Client:
    auth = (site.passwords["MLFLOW_USER"], site.passwords["MLFLOW_PASSWORD"])
    return httpx.Client(base_url=f"{MLFLOW}/api/2.0/mlflow", auth=auth, timeout=60)


def test_all_services_are_well(site: Site) -> None:
    assert site.states() == {
        "mlab-postgres-1": "healthy",
        "mlab-objects-1": "running 0",
        "mlab-bucket-1": "exited 0",
        "mlab-prefect-1": "healthy",
        "mlab-mlflow-1": "healthy",
        "mlab-deployments-1": "exited 0",
        "mlab-worker-1": "running 0",
        "mlab-worker-2": "running 0",
    }


def test_both_servers_ask_for_their_password(site: Site) -> None:
    for url in (f"{PREFECT}/admin/version", f"{MLFLOW}/api/2.0/mlflow/experiments/get?experiment_id=0"):
        assert httpx.get(url).status_code == 401
        assert httpx.get(url, auth=("mlab", "guessed-password")).status_code == 401
    assert httpx.get(f"{api(site)}/admin/version").status_code == 200
    assert mlflow(site).get("/experiments/get?experiment_id=0").status_code == 200


def test_a_worker_does_a_run_and_everything_is_on_record(site: Site) -> None:
    result = site.mlab("run", SLOPE, "--agent", "tuner", "--set", "trials=2", "--deployment", "mlab")
    assert result["status"] == "completed"
    assert result["score"] is not None
    steps = site.mlab("show", result["run_id"])
    trained = [step["training_run"]["id"] for step in steps if step["training_run"]]
    assert len(trained) > 1
    with mlflow(site) as client:
        name = {"experiment_name": "mlab/slope (mini)"}
        experiment = client.get("/experiments/get-by-name", params=name).json()["experiment"]["experiment_id"]
        found = client.post("/runs/search", json={"experiment_ids": [experiment]}).json()["runs"]
    assert len(found) == 1 + len(trained)


def test_a_run_whose_worker_was_killed_is_found_and_goes_on_when_retried(site: Site) -> None:
    flow_run = start(api(site), "benchmark-run/mlab", task=SLOPE, agent=SLEEPS, budget={"script_seconds": 40})
    wait_for(lambda: bool(sleeping_scripts()))
    site.compose("kill", "worker")
    assert not sleeping_scripts()
    site.compose("up", "--detach", "--no-build", "--scale", "worker=2")
    wait_for_state(api(site), flow_run, "CRASHED", 240)
    retry(api(site), flow_run)
    wait_for_state(api(site), flow_run, "COMPLETED")
