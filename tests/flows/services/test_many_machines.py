"""A sweep on several machines, with PostgreSQL behind Prefect and MLflow and the store on S3, while parts fail."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest

from environment.journal.entries import Journal
from environment.journal.runs import list_runs
from environment.store import Store
from flows.services.addresses import answers, free_port
from flows.services.password import credentials
from flows.services.server import api_url, prefect_service
from flows.services.variables import CLIENT, DATABASE_VARIABLE, HEARTBEAT_SECONDS
from flows.settings import Settings
from tests.environment.s3 import BUCKET, s3_server
from tests.flows.command import MLAB, SLOPE
from tests.flows.machines import HOST, Machine, machines, missing
from tests.flows.sweeping import write_sweep
from tests.postgres import Postgres, binaries, postgres_server

pytestmark = [pytest.mark.slow, pytest.mark.timeout(10_800)]
AGENT = "tests.flows.slow_agent:Deliberate"
STEPS = 4
RUNS = 100
STALLED = 600  # seconds


class Site(NamedTuple):
    """Everything that runs, and the variables that lead to it."""

    machines: list[Machine]
    postgres: Postgres
    variables: dict[str, str]
    notes: Path
    folder: Path

    def worker(self, machine: Machine) -> None:
        home = self.folder / machine.name
        home.mkdir(exist_ok=True)
        own = {"MLAB_HOME": str(home), "PREFECT_HOME": str(home / "prefect")}
        machine.start_worker({**self.variables, **own}, home / "worker.log")

    def decisions(self) -> Counter[tuple[str, int]]:
        """How often each step of each run was decided."""
        return Counter((path.name, int(line)) for path in self.notes.iterdir() for line in path.read_text().split())


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    if why := missing() or (None if binaries() else "PostgreSQL is not installed"):
        pytest.skip(why)
    notes = tmp_path / "notes"
    notes.mkdir()
    for name in [name for name in os.environ if name.startswith(("PREFECT_", "MLAB_", "MLFLOW_"))]:
        monkeypatch.delenv(name)
    with ExitStack() as stack:
        two = stack.enter_context(machines("mlab-left", "mlab-right"))
        postgres = stack.enter_context(postgres_server(HOST))
        postgres.create("prefect", "mlflow")
        storage = stack.enter_context(s3_server(HOST))
        for name, value in storage.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setenv(DATABASE_VARIABLE, postgres.url("prefect", "asyncpg"))
        settings = Settings(home=tmp_path / "server", host=HOST)
        server = prefect_service(settings)
        stack.callback(server.stop)
        url = server.ensure().url
        variables = {
            **os.environ,
            "MLAB_HOME": str(tmp_path / "driver"),
            "MLAB_STORE": f"s3://{BUCKET}/store",
            "MLAB_TEST_NOTES": str(notes),
            "MLFLOW_TRACKING_URI": stack.enter_context(mlflow_on(postgres, tmp_path / "mlflow")),
            "PREFECT_API_URL": api_url(url),
            "PREFECT_API_AUTH_STRING": credentials(settings),
            "PREFECT_FLOWS_HEARTBEAT_FREQUENCY": str(HEARTBEAT_SECONDS),
            **CLIENT,
            "PREFECT_WORKER_QUERY_SECONDS": "2",
            "PYTHONPATH": str(Path(__file__).parents[3]),
        }
        register = "from flows.deploying.register import register; register()"
        subprocess.run([sys.executable, "-c", register], env=variables, check=True, cwd=tmp_path)
        yield Site(two, postgres, variables, notes, tmp_path)


@contextmanager
def mlflow_on(postgres: Postgres, folder: Path) -> Iterator[str]:
    """A MLflow server with its records in PostgreSQL."""
    folder.mkdir()
    port = free_port(0, HOST)
    command = [sys.executable, "-m", "mlflow", "server", "--host", HOST, "--port", str(port), "--workers", "1"]
    command += ["--backend-store-uri", postgres.url("mlflow", "psycopg"), "--allowed-hosts", "*"]
    command += ["--artifacts-destination", str(folder / "artifacts")]
    variables = {**os.environ, "MLFLOW_SERVER_ENABLE_JOB_EXECUTION": "false", "DO_NOT_TRACK": "true"}
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, env=variables, stdout=log, stderr=log, cwd=folder, start_new_session=True)
    url = f"http://{HOST}:{port}"
    try:
        wait_for(lambda: answers(f"{url}/health"))
        yield url
    finally:
        os.killpg(process.pid, 15)
        process.wait()


def wait_for(condition: Callable[[], bool], seconds: float = 300) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.5)


def sweep(site: Site, seeds: int, at_once: int) -> subprocess.Popen[str]:
    retries = {"attempts": 12, "wait": 10, "longest_wait": 20}
    file = write_sweep(site.folder, seeds=seeds, agents=[AGENT], retries=retries)
    command = [*MLAB, "sweep", file, "--deployment", "mlab", "--at-once", str(at_once), "--json"]
    return subprocess.Popen(command, env=site.variables, stdout=subprocess.PIPE, text=True)


def printed(site: Site, driver: subprocess.Popen[str]) -> str:
    """What the sweep prints as it ends; a busy machine may take its time, as long as steps are decided."""
    decided = -1
    while True:
        try:
            return driver.communicate(timeout=STALLED)[0]
        except subprocess.TimeoutExpired:
            before, decided = decided, site.decisions().total()
            assert decided > before, f"no step was decided for {STALLED} s, after {decided}"


def check(site: Site, driver: subprocess.Popen[str], seeds: int) -> dict[str, Any]:
    """All ended, nothing is lost, nothing was run twice."""
    report: dict[str, Any] = json.loads(printed(site, driver))
    assert driver.returncode == 0, report
    assert Counter(cell["state"] for cell in report["cells"]) == {"done": seeds}
    store = Store(site.variables["MLAB_STORE"])
    runs = list_runs(store)
    assert len(runs) == seeds
    for run in runs:
        steps = Journal(store, run).steps()
        assert [step.n for step in steps] == list(range(STEPS))
    return report


def test_a_sweep_ends_though_a_machine_is_cut_off_one_is_killed_and_the_database_restarts(
    site: Site,
) -> None:
    left, right = site.machines
    site.worker(left)
    site.worker(right)
    driver = sweep(site, seeds=8, at_once=4)
    wait_for(lambda: len(site.decisions()) >= 4)
    left.cut_off()
    wait_for(lambda: len(site.decisions()) >= 10)
    right.switch_off()
    site.worker(right)
    time.sleep(100)  # the lease of the machine that was cut off runs out meanwhile
    left.plug_in()
    decided = len(site.decisions())
    wait_for(lambda: len(site.decisions()) > decided)
    site.postgres.stop()
    time.sleep(5)
    site.postgres.start()
    check(site, driver, 8)
    again = site.decisions()
    assert sum(count - 1 for count in again.values()) <= 2 * 4, "only steps under way at an accident are decided again"
    shown = httpx.post(
        f"{site.variables['MLFLOW_TRACKING_URI']}/api/2.0/mlflow/experiments/search", json={"max_results": 10}
    ).json()
    assert f"mlab/{SLOPE.name} (mini)" in {experiment["name"] for experiment in shown["experiments"]}


def test_a_hundred_runs_on_two_workers_of_which_one_is_killed(site: Site) -> None:
    left, right = site.machines
    site.worker(left)
    site.worker(right)
    driver = sweep(site, seeds=RUNS, at_once=8)
    wait_for(lambda: len(site.decisions()) >= RUNS, seconds=1_800)
    left.switch_off()
    check(site, driver, RUNS)
    again = site.decisions()
    assert sum(count - 1 for count in again.values()) <= 2, "the killed worker had two runs under way"
