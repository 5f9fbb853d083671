"""What the compose file says fits together, and fits what a worker needs; nothing is started."""

from __future__ import annotations

import importlib.util
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml

from flows.deploying.register import SILENT_SECONDS
from flows.services.variables import CLIENT
from flows.services.worker import POOL
from tests.deployments.composed import DEPLOYMENTS, OURS
from tests.deployments.worker_image import ROOT, instructions

TEXT = (DEPLOYMENTS / "compose.yaml").read_text()
COMPOSED: dict[str, Any] = yaml.safe_load(TEXT)
SERVICES: dict[str, dict[str, Any]] = COMPOSED["services"]
OF_OTHERS = {"postgres", "objects"}
"""Services of images that others publish."""


def _image_variables() -> dict[str, str]:
    said = [word for line in instructions("ENV") for word in shlex.split(line)[1:]]
    return dict(word.split("=", 1) for word in said)


def test_the_services_are_those_that_the_tests_compose() -> None:
    assert set(SERVICES) == {*OURS, *OF_OTHERS}
    assert {name for name, service in SERVICES.items() if service["image"] == "mlab-worker"} == set(OURS)
    assert [name for name, service in SERVICES.items() if "build" in service] == ["worker"]
    build = SERVICES["worker"]["build"]
    assert (DEPLOYMENTS / build["context"]).resolve() == ROOT
    assert (ROOT / build["dockerfile"]).is_file()


def test_whatever_a_service_names_is_there() -> None:
    for name, service in SERVICES.items():
        for other, condition in service.get("depends_on", {}).items():
            waited = {"service_healthy": "healthcheck" in SERVICES[other]}
            assert waited.get(condition["condition"], True), f"{name} waits for the health of {other}, which tells none"
        volumes = {volume.partition(":")[0] for volume in service.get("volumes", [])}
        configs = {config if isinstance(config, str) else config["source"] for config in service.get("configs", [])}
        assert volumes <= set(COMPOSED["volumes"]), name
        assert configs <= set(COMPOSED["configs"]), name


def test_the_example_has_every_variable_and_no_other() -> None:
    lines = (DEPLOYMENTS / "compose.env.example").read_text().splitlines()
    offered = {line.partition("=")[0] for line in lines if "=" in line and not line.startswith("#")}
    assert offered == set(re.findall(r"\$\{(\w+)", TEXT))


@pytest.mark.parametrize("name", OURS)
def test_a_command_of_ours_is_one_that_there_is(name: str) -> None:
    command = SERVICES[name].get("command") or shlex.split(instructions("CMD")[-1].removeprefix("CMD "))
    words = shlex.split(command) if isinstance(command, str) else [word.strip("[],") for word in command]
    if words[1] == "-m":
        assert importlib.util.find_spec(words[2]), words[2]
    assert Path(words[0]).name in {"python", "prefect", "mlflow"}


def test_a_worker_has_the_variables_of_a_local_one() -> None:
    variables = {**_image_variables(), **SERVICES["worker"]["environment"]}
    needed = {name: value for name, value in CLIENT.items() if "LOGGING" not in name}  # its console is its log
    assert {name: variables.get(name) for name in needed} == needed
    assert 2 * int(variables["PREFECT_FLOWS_HEARTBEAT_FREQUENCY"]) < SILENT_SECONDS
    assert f'"--pool", "{POOL}"' in instructions("CMD")[-1]


def test_what_the_documents_say_of_it_holds() -> None:
    said = (ROOT / "docs" / "deploying.md").read_text()
    ports = [port for service in SERVICES.values() for port in service.get("ports", [])]
    assert ports, "nothing can be reached"
    for port in ports:
        address = port.rpartition(":")[0]
        assert address.startswith("127.0.0.1:"), "only loopback"
        assert f"http://{address}" in said
    assert "-f deployments/compose.yaml up --build" in said
