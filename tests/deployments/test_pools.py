"""What is written for Docker and Kubernetes fits their own schemas; no cluster has run it."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import pytest
import yaml

from tests.conftest import AUTH
from tests.deployments.prefect_command import prefect
from tests.flows.interface import HTTP

FOLDER = Path(__file__).parents[2] / "deployments"


class Answer(NamedTuple):
    """As the client gets it from a cluster."""

    data: str


def template(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FOLDER / name).read_text())
    return found


def assert_known_to_kubernetes(manifest: dict[str, Any]) -> None:
    """Kubernetes' own model of such an object takes all of it, and knows every field."""
    from kubernetes_asyncio.client import ApiClient

    async def read() -> Any:
        async with ApiClient() as api:
            read = api.deserialize(Answer(json.dumps(manifest)), f"V1{manifest['kind']}")
            return api.sanitize_for_serialization(read)

    assert asyncio.run(read()) == manifest


@pytest.mark.parametrize(
    "manifest", list(yaml.safe_load_all((FOLDER / "kubernetes.yaml").read_text())), ids=lambda each: str(each["kind"])
)
def test_manifests_hold_only_what_kubernetes_knows(manifest: dict[str, Any]) -> None:
    assert_known_to_kubernetes(manifest)


def job_of(configuration: Any, template_name: str, values: dict[str, Any], server: str) -> Any:
    """What a worker makes of a pool's template; asks ``server``, whatever Prefect's settings were at its import."""
    from prefect.settings import PREFECT_API_AUTH_STRING, PREFECT_API_URL, temporary_settings

    with temporary_settings({PREFECT_API_URL: server, PREFECT_API_AUTH_STRING: AUTH}):
        return asyncio.run(configuration.from_template_and_values(template(template_name), values))


def test_the_job_that_a_worker_makes_is_one_for_kubernetes(prefect_server: str) -> None:
    from prefect.client.schemas.objects import FlowRun
    from prefect_kubernetes.worker import KubernetesWorkerJobConfiguration

    values = {"image": "mlab-worker:1", "env": {"MLAB_STORE": "s3://bucket/store"}, "memory": "16Gi"}
    made = job_of(KubernetesWorkerJobConfiguration, "kubernetes-job.json", values, prefect_server)
    made.prepare_for_flow_run(FlowRun(id=uuid4(), flow_id=uuid4(), name="slope · tuner · seed 0"))
    pod = made.job_manifest["spec"]["template"]["spec"]
    # Prefect's own default template has them here too, and its worker refuses a job without them.
    assert (pod.pop("parallelism"), pod.pop("completions")) == (1, 1)
    assert_known_to_kubernetes(made.job_manifest)
    (container,) = pod["containers"]
    assert container["image"] == "mlab-worker:1"
    assert container["resources"]["limits"] == {"memory": "16Gi"}
    assert {"name": "MLAB_STORE", "value": "s3://bucket/store"} in container["env"]


def test_the_container_that_a_worker_makes_lets_the_sandbox_work(prefect_server: str) -> None:
    from prefect_docker.worker import DockerWorkerJobConfiguration

    values = {"image": "mlab-worker:1", "env": {"MLAB_STORE": "s3://bucket/store"}}
    made = job_of(DockerWorkerJobConfiguration, "docker-job.json", values, prefect_server)
    assert made.image == "mlab-worker:1"
    assert made.privileged
    assert made.container_create_kwargs == {"user": "1000:1000", "security_opt": ["no-new-privileges"]}


@pytest.mark.slow
@pytest.mark.usefixtures("mlab_environment")
def test_all_deployments_are_registered_as_the_documents_say(prefect_server: str) -> None:
    pools = {
        "mlab": ["--type", "process"],
        "mlab-docker": ["--type", "docker", "--base-job-template", "deployments/docker-job.json"],
        "mlab-kubernetes": ["--type", "kubernetes", "--base-job-template", "deployments/kubernetes-job.json"],
    }
    for pool, options in pools.items():
        prefect("work-pool", "create", pool, *options, "--overwrite")
    deploy = ("--no-prompt", "deploy", "--all", "--prefect-file", "deployments/prefect.yaml")
    prefect(*deploy, MLAB_IMAGE="mlab-worker:1")
    for flow in ("benchmark-run/mlab", "grade/mlab-grade", "sweep/mlab-sweep", "benchmark-run/mlab-docker"):
        found = HTTP.get(f"{prefect_server}/deployments/name/{flow}").raise_for_status().json()
        assert found["schedules"] == []
    assert found["job_variables"]["image"] == "mlab-worker:1"
