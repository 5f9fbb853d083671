"""Runs that Prefect's Docker worker does, each in a container of its own, from the pool and the image that we ship."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from docker import APIClient

from environment.journal.entries import Journal
from environment.journal.runs import list_runs
from environment.sandbox.docker import connect
from environment.store import Store
from tests.conftest import variables_of
from tests.deployments.prefect_command import keep_secret, prefect, worker
from tests.deployments.worker_image import TESTS, WorkerImage, worker_image
from tests.environment.s3 import BUCKET, s3_server
from tests.flows.interface import SLEEPS, cancel, retry, sleeping_scripts, start, wait_for, wait_for_state

pytestmark = [pytest.mark.slow, pytest.mark.docker, pytest.mark.timeout(900)]
JOB = json.loads((Path(__file__).parents[2] / "deployments" / "docker-job.json").read_text())
DEPLOYMENT = "benchmark-run/mlab-docker"
SLOPE = f"{TESTS}/tests/tasks/slope"
DATA = "mlab-test-data"


class Pool(NamedTuple):
    """A pool with its worker, and where its runs lie."""

    api: str
    docker: APIClient
    image: WorkerImage
    store: Store

    def start(self, **config: Any) -> str:
        return start(self.api, DEPLOYMENT, task=SLOPE, **config)

    def container(self, flow_run: str) -> dict[str, Any]:
        """The container of a flow run's last attempt."""
        label = {"label": f"io.prefect.flow-run-id={flow_run}"}
        found: list[dict[str, Any]] = self.docker.containers(all=True, filters=label)
        newest: dict[str, Any] = self.docker.inspect_container(found[0]["Id"])
        return newest

    def new_run(self, known: list[str]) -> Journal:
        (run,) = set(list_runs(self.store)) - set(known)
        return Journal(self.store, run)


@pytest.fixture(scope="module")
def pool(docker_daemon: None, prefect_server: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pool]:
    """The pool ``mlab-docker`` and its deployment, made with the commands of the documents."""
    folder = tmp_path_factory.mktemp("docker-pool")
    docker = connect()
    image = worker_image(docker)
    with pytest.MonkeyPatch.context() as patch, s3_server() as storage:
        for name, value in {**storage, **variables_of(folder, prefect_server)}.items():
            patch.setenv(name, value)
        store = f"s3://{BUCKET}/store"
        keep_secret("aws", storage["AWS_SECRET_ACCESS_KEY"])
        secret = {"AWS_SECRET_ACCESS_KEY": "{{ prefect.blocks.secret.aws }}"}
        inside = {**storage, **secret, "MLAB_STORE": store, "PYTHONPATH": TESTS, "PREFECT_RUNNER_POLL_FREQUENCY": "2"}
        _make_pool(folder, inside, [f"{DATA}:/home/mlab/data", *image.volumes])
        deploy = ("--no-prompt", "deploy", "--prefect-file", "deployments/prefect.yaml", "--name", "mlab-docker")
        prefect(*deploy, MLAB_IMAGE=image.name)
        with worker("mlab-docker", "docker", folder / "log"):
            yield Pool(prefect_server, docker, image, Store(store))
        for container in docker.containers(all=True, filters={"label": "io.prefect.flow-run-id"}):
            docker.remove_container(container, force=True, v=True)
        docker.remove_volume(DATA)


def _make_pool(folder: Path, variables: dict[str, str], volumes: list[str]) -> None:
    template = json.loads(json.dumps(JOB))
    fields = template["variables"]["properties"]
    fields["env"]["default"], fields["volumes"]["default"] = variables, volumes
    edited = folder / "docker-job.json"
    edited.write_text(json.dumps(template))
    prefect("work-pool", "create", "mlab-docker", "--type", "docker", "--base-job-template", str(edited), "--overwrite")


def in_a_container(pool: Pool, *command: str) -> str:
    """What a command prints in a container as the pool makes them; it must end well."""
    fields = JOB["variables"]["properties"]
    options = dict(fields["container_create_kwargs"]["default"])
    user, privileged = options.pop("user"), fields["privileged"]["default"]
    host = pool.docker.create_host_config(
        binds=pool.image.volumes, network_mode="none", privileged=privileged, **options
    )
    container = pool.docker.create_container(pool.image.name, list(command), user=user, host_config=host)
    try:
        pool.docker.start(container)
        code = pool.docker.wait(container, timeout=600)["StatusCode"]
        output: str = pool.docker.logs(container).decode()
        assert code == 0, output
        return output
    finally:
        pool.docker.remove_container(container, force=True, v=True)


def test_the_sandbox_holds_in_a_container_for_an_ordinary_user(pool: Pool) -> None:
    found = json.loads(in_a_container(pool, "mlab", "doctor", "--conformance", "--json"))
    states = {finding["what"]: finding["state"] for finding in found}
    assert states["sandbox bubblewrap"] == "ok"
    assert states["home"] == "ok"
    assert len([what for what in states if what.startswith("bubblewrap: ")]) > 20
    assert in_a_container(pool, "id", "-u").strip() == "1000"


def test_a_run_comes_to_its_end_in_a_container_of_its_own(pool: Pool) -> None:
    known = list_runs(pool.store)
    flow_run = pool.start(agent="tuner", settings={"trials": 2})
    wait_for_state(pool.api, flow_run, "COMPLETED")
    journal = pool.new_run(known)
    lock, result = journal.lock(), journal.result()
    assert lock is not None
    assert lock.sandbox == "bubblewrap"
    assert result is not None
    assert result.score is not None
    container = pool.container(flow_run)
    wait_for(lambda: pool.container(flow_run)["State"]["Status"] == "exited", 60)
    assert pool.container(flow_run)["State"]["ExitCode"] == 0
    assert container["Config"]["Image"] == pool.image.name


def test_cancelling_stops_the_script_and_the_container(pool: Pool) -> None:
    known = list_runs(pool.store)
    flow_run = pool.start(agent=SLEEPS, budget={"script_seconds": 300})
    wait_for(lambda: bool(sleeping_scripts()))
    cancel(pool.api, flow_run)
    wait_for(lambda: not sleeping_scripts(), 30)
    wait_for_state(pool.api, flow_run, "CANCELLED", 60)
    wait_for(lambda: pool.container(flow_run)["State"]["Status"] == "exited", 60)
    assert len(pool.new_run(known).steps()) == 2


def test_a_killed_container_is_noticed_and_its_run_goes_on_when_retried(pool: Pool) -> None:
    known = list_runs(pool.store)
    flow_run = pool.start(agent=SLEEPS, budget={"script_seconds": 30})
    wait_for(lambda: bool(sleeping_scripts()))
    pool.docker.kill(pool.container(flow_run)["Id"])
    wait_for_state(pool.api, flow_run, "CRASHED", 60)
    assert not sleeping_scripts()
    retry(pool.api, flow_run)
    wait_for_state(pool.api, flow_run, "COMPLETED")
    assert [step.n for step in pool.new_run(known).steps()] == [0, 1, 2, 3]
