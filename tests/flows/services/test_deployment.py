"""Runs started and retried from a server, as its interface does it, on a real worker."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from flows.services.password import credentials
from flows.services.server import api_url, prefect_service
from flows.services.worker import worker_service
from flows.settings import Settings
from tests.flows import interface
from tests.flows.command import SLOPE, mlab, mlab_json
from tests.flows.interface import HTTP, SLEEPS, cancel, retry, set_state, sleeping_scripts, wait_for, wait_for_state

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]
FAILS_ONCE = "tests.flows.agents:FailsOnce"


@pytest.fixture
def api(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A server with its deployments and a worker, all of this test's own."""
    monkeypatch.setenv("MLAB_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("MLAB_TEST_MARKER", str(tmp_path / "marker"))
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[3]))
    for name in ("PREFECT_API_URL", "PREFECT_API_AUTH_STRING", "PREFECT_HOME", "MLAB_STORE", "MLFLOW_TRACKING_URI"):
        monkeypatch.delenv(name, raising=False)
    assert mlab("ui", "--detach").returncode == 0
    record = prefect_service(Settings()).running()
    assert record is not None
    monkeypatch.setenv("PREFECT_API_AUTH_STRING", credentials(Settings()))
    yield api_url(record.url)
    assert mlab("ui", "--stop").returncode == 0


def start(api: str, **config: Any) -> str:
    return interface.start(api, "benchmark-run/mlab", task=str(SLOPE), **config)


def only_run() -> str:
    (run,) = (Path(os.environ["MLAB_HOME"]) / "store" / "runs").iterdir()
    return run.name


def test_a_failed_run_goes_on_at_its_step_when_retried_as_its_end_says(api: str) -> None:
    done = mlab("run", str(SLOPE), "--agent", FAILS_ONCE, "--deployment", "mlab")
    assert done.returncode == 3, done.stderr
    flow_run = done.stderr.partition("prefect flow-run retry ")[2].split()[0]
    retry(api, flow_run)
    wait_for_state(api, flow_run, "COMPLETED")
    steps = mlab_json("show", only_run())
    assert len(steps) == 5
    asked = {"flow_runs": {"parent_flow_run_id": {"any_": [flow_run]}}}
    subflows = HTTP.post(f"{api}/flow_runs/filter", json=asked).json()
    assert sorted(run["state_type"] for run in subflows) == ["COMPLETED"] * 5 + ["FAILED"]


def test_a_cancelled_run_stops_its_script_and_can_be_resumed(api: str) -> None:
    flow_run = start(api, agent=SLEEPS, budget={"script_seconds": 45})
    wait_for(lambda: bool(sleeping_scripts()))
    cancel(api, flow_run)
    wait_for(lambda: not sleeping_scripts(), 30)
    wait_for_state(api, flow_run, "CANCELLED")
    result = mlab_json("resume", only_run(), expect=1)  # it never submits anything
    assert result["steps"] == 4


def test_no_training_outlives_a_killed_worker(api: str) -> None:
    flow_run = start(api, agent=SLEEPS, budget={"script_seconds": 45})
    wait_for(lambda: bool(sleeping_scripts()))
    worker = worker_service(Settings(), api).running()
    process = worker.process() if worker else None
    assert process is not None
    for member in [process, *process.children(recursive=True)]:
        member.send_signal(signal.SIGKILL)
    wait_for(lambda: not sleeping_scripts(), 10)
    # What the automation does 75 seconds after the last heartbeat:
    set_state(api, flow_run, type="CRASHED", message="Its process gives no sign of life.")
    assert mlab("ui", "--detach").returncode == 0
    retry(api, flow_run)
    wait_for_state(api, flow_run, "COMPLETED")
    assert len(mlab_json("show", only_run())) == 4


def test_no_program_starts_by_what_a_flow_run_says_of_its_process(api: str, tmp_path: Path) -> None:
    planted = tmp_path / "planted"
    found = HTTP.get(f"{api}/deployments/name/benchmark-run/mlab").json()["id"]
    body = {
        "parameters": {"config": {"task": str(SLOPE), "agent": "nop"}},
        "state": {"type": "SCHEDULED"},
        "job_variables": {"command": f"touch {planted}", "env": {"BASH_ENV": "/nowhere"}},
    }
    flow_run = HTTP.post(f"{api}/deployments/{found}/create_flow_run", json=body).raise_for_status().json()["id"]
    wait_for_state(api, flow_run, "COMPLETED")
    assert not planted.exists()
    assert mlab_json("show", only_run())


def test_the_form_offers_the_catalogue_and_the_agents(api: str) -> None:
    deployment = HTTP.get(f"{api}/deployments/name/benchmark-run/mlab").json()
    fields = deployment["parameter_openapi_schema"]["definitions"]["RunConfig"]["properties"]
    assert "house-price" in fields["task"]["enum"]
    agents = set(fields["agent"]["enum"])
    assert {"nop", "tuner"} <= agents
    assert not agents & {"forger", "leaker", "vandal", "human"}
    assert fields["task"]["description"]


def test_a_request_for_help_waits_for_an_answer(api: str) -> None:
    flow_run = start(api, agent="tests.flows.agents:AsksForHelp", people={"help": True, "timeout": 600})
    asked = {"flow_runs": {"parent_flow_run_id": {"any_": [flow_run]}, "state": {"type": {"any_": ["PAUSED"]}}}}
    wait_for(lambda: bool(HTTP.post(f"{api}/flow_runs/filter", json=asked).json()))
    done = mlab("answer", only_run(), "Try a larger slope.")
    assert done.returncode == 0, done.stderr
    wait_for_state(api, flow_run, "COMPLETED")
    step = mlab_json("show", only_run())[0]
    assert step["observation"] == "Try a larger slope."
    assert step["checkpoint"]["spent"]["working_seconds"] < 2
