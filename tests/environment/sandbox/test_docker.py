"""Docker's own ways: whose containers are removed, which image, what a daemon must be like."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from environment.errors import SandboxError, SandboxUnavailableError
from environment.sandbox import Mount, open_sandbox
from environment.sandbox.base import Command, Limits
from environment.sandbox.containers import MACHINE_LABEL, OWNER_LABEL, owned_containers
from environment.sandbox.docker import DockerSandbox, connect
from environment.sandbox.owner import Owner
from foundation.processes import machine

pytestmark = pytest.mark.docker


def test_containers_of_dead_harnesses_on_this_machine_are_removed(docker: DockerSandbox) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        dead = Owner.of(process.pid)
    client = connect()
    image = client.images()[0]["Id"]
    kept = {}
    for name, owner, where in (
        ("dead", dead, machine()),
        ("alive", Owner.current(), machine()),
        ("elsewhere", dead, "another-machine"),
    ):
        labels = {OWNER_LABEL: owner.mark, MACHINE_LABEL: where}
        kept[name] = client.create_container(image, ["true"], labels=labels)["Id"]
    try:
        DockerSandbox(label="test")
        left = {entry["Id"] for entry in client.containers(all=True)}
        assert {name for name, container in kept.items() if container in left} == {"alive", "elsewhere"}
        assert owned_containers(client)[kept["alive"]] == Owner.current()
    finally:
        for name in ("alive", "elsewhere"):
            client.remove_container(kept[name], force=True)


def test_auto_takes_docker_where_a_daemon_answers(docker_daemon: None) -> None:
    assert open_sandbox("auto", label="test").name == "docker"


def test_an_unknown_image_is_named(docker_daemon: None) -> None:
    with pytest.raises(SandboxUnavailableError, match="no-such-image"):
        DockerSandbox(label="test", image="no-such-image")


def test_an_image_brings_its_own_system(docker: DockerSandbox, tmp_path: Path) -> None:
    """The image here has no program at all, so that nothing of the host can be what runs."""
    client = connect()
    client.import_image_from_data(bytes(10_240), repository="mlab-test-empty", tag="latest")
    try:
        sandbox = DockerSandbox(label="test", image="mlab-test-empty:latest")
        with pytest.raises(SandboxError, match="/bin/sh"):
            sandbox.run(Command(["true"], workspace=tmp_path, limits=Limits(timeout=60)))
        assert not [owner for owner in owned_containers(client).values() if owner == Owner.current()]
        alone = sandbox.run(
            Command(["python", "-c", "print(1)"], workspace=tmp_path, limits=Limits(timeout=60), packages=[])
        )
        assert alone.output == b"1\n"
    finally:
        client.remove_image("mlab-test-empty:latest")


def test_a_missing_mount_is_an_error_of_the_sandbox(docker: DockerSandbox, tmp_path: Path) -> None:
    mount = Mount(source=tmp_path / "nowhere", target="/data")
    with pytest.raises(SandboxError, match="nowhere"):
        docker.run(Command(["true"], workspace=tmp_path, readonly=[mount], limits=Limits(timeout=60)))


def test_a_daemon_on_another_machine_is_refused(docker_daemon: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", "tcp://127.0.0.1:1")
    with pytest.raises(SandboxUnavailableError):
        connect()
