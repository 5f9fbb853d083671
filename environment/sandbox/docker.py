"""Commands in Docker: a fresh, hardened container for each."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from environment.errors import SandboxError, SandboxUnavailableError
from environment.gpus.card import Card
from environment.gpus.view import container_view
from environment.records import HeldBy, KilledBy
from environment.sandbox import inside, usage
from environment.sandbox.backends import Backend
from environment.sandbox.base import Command, Execution, Limits, Mount
from environment.sandbox.bwrap_job import signal_or_code
from environment.sandbox.confine import CONTROL_GROUP, DISK_SECONDS, WATCHER, disk_held_by
from environment.sandbox.container_job import ContainerJob
from environment.sandbox.containers import (
    create,
    host_system,
    owned_containers,
    passes_gpus,
    reap_containers,
    skeleton_image,
)
from environment.sandbox.disk import DiskWatch
from environment.sandbox.leftovers import Held
from environment.sandbox.python_view import python_view
from environment.sandbox.sized import FILE_SYSTEM, sized_folder
from environment.sandbox.supervise import Watch, supervise
from foundation.sizes import MiB

if TYPE_CHECKING:
    from docker import APIClient

_PROBE_SECONDS = 5
_INSPECT_SECONDS = 1.0
_LOCAL = "unix:///var/run/docker.sock"
_START_IT = "start it, set DOCKER_HOST, or use --sandbox bubblewrap"
_EVER = 1  # second of the epoch; the daemon keeps the latest events only


def connect() -> APIClient:
    """A client of the daemon that ``DOCKER_HOST`` names, else of the local one.

    Raises:
        SandboxUnavailableError: None answers, or it is on another machine.
    """
    protocol, _, socket = (os.environ.get("DOCKER_HOST") or _LOCAL).partition("://")
    if protocol == "unix" and not Path(socket).exists():
        # Known without Docker's library, which takes a twentieth of the time to a run's first decision.
        raise SandboxUnavailableError(f"No Docker daemon answers: there is no {socket}", hint=_START_IT)
    from docker import APIClient
    from docker.errors import DockerException
    from docker.utils import kwargs_from_env

    try:
        client = APIClient(version="auto", timeout=_PROBE_SECONDS, **kwargs_from_env())
    except DockerException as error:
        raise SandboxUnavailableError(f"No Docker daemon answers: {error}", hint=_START_IT) from error
    client.timeout = 120
    if not client.base_url.startswith("http+docker://"):
        raise SandboxUnavailableError(
            f"The Docker daemon at {client.base_url} is not reached by a local socket, so that it may be on "
            "another machine, which has no workspace to mount",
            hint="Run mlab on that machine",
        )
    return client


class DockerSandbox:
    """See ``Sandbox``.

    Without an image the container shows the host's /usr and this process's Python, read-only, and no
    registry is needed. Only local daemons can be used: the workspace is mounted.

    Attributes:
        image: The image in place of the host's system, for the record of a run.
    """

    name = "docker"

    def __init__(self, *, label: str, image: str | None = None, cards: Sequence[Card] = ()) -> None:
        """Connect and clear away what dead harnesses left.

        Args:
            label: Names the run on its containers.
            image: Provides system and Python instead of the host. Commands that may see selected
                packages only still get the host's.
            cards: Shown to commands whose limits grant GPUs.

        Raises:
            SandboxUnavailableError: No usable daemon, or it lacks the image or the means to pass cards on.
        """
        self._client = connect()
        from docker.errors import APIError

        self._label, self.image, self.cards = label, image, tuple(cards)
        try:
            self._skeleton = skeleton_image(self._client)
            reap_containers(self._client)
            if image and not self._client.images(image):
                raise SandboxUnavailableError(f"Docker has no image {image!r}", hint=f"docker pull {image}")
            if cards and not passes_gpus(self._client):
                raise SandboxUnavailableError(
                    "This Docker daemon cannot give GPUs to containers",
                    hint="Install NVIDIA's container toolkit, or use --sandbox bubblewrap or --gpus none.",
                )
        except APIError as error:
            raise SandboxUnavailableError(f"Docker refuses: {error.explanation}") from error

    @cached_property
    def held_by(self) -> HeldBy:
        """See ``Sandbox.held_by``."""
        group = f"{CONTROL_GROUP} of the container"
        disk = disk_held_by()
        if disk == FILE_SYSTEM and not self._shows_mounts():
            disk = WATCHER
        return HeldBy(memory=group, processes=group, cpus=group, disk=disk, time=WATCHER)

    def _shows_mounts(self) -> bool:
        """Whether containers show what this process mounts: a daemon elsewhere would show what lies below."""
        with sized_folder("mlab-probe-", 1 * MiB) as folder:
            (folder / "seen").touch()
            looked = self.run(Command(["test", "-e", "seen"], workspace=folder, limits=Limits(timeout=60)))
        return looked.exit_code == 0

    def run(self, command: Command) -> Execution:
        """See ``Sandbox.run``."""
        from docker.errors import DockerException

        if command.network:
            raise SandboxError("Containers get no network", hint="Use --sandbox bubblewrap")
        folders = command.written
        inside.make_mount_points(command.workspace, command.mounts)
        user = inside.USER_ID if os.geteuid() == 0 else os.geteuid()
        if os.geteuid() == 0:
            inside.own(folders, user)
        cards = self.cards if command.limits.gpus else ()
        system: list[Mount] = []
        image, python = self.image, None
        if image is None or command.packages is not None:
            python = python_view(command.packages)
            system = [*host_system(), *python.mounts]
            image = self._skeleton
        try:
            container = create(
                self._client,
                image,
                replace(command, readonly=[*system, *command.readonly]),
                variables=inside.variables(command.env, python, command.limits, gpus=container_view(cards)),
                cards=cards,
                user=user,
                run=self._label,
            )
            try:
                return self._supervised(container, command)
            finally:
                self._client.remove_container(container, force=True, v=True)
                if user != inside.USER_ID:
                    inside.unlock(folders)
        except DockerException as error:
            raise SandboxError(f"Docker failed: {error}") from error

    def _supervised(self, container: str, command: Command) -> Execution:
        limits = command.limits
        with ContainerJob(self._client, container) as job:
            watches = [Watch(partial(self._out_of_memory, container), KilledBy.MEMORY, every=_INSPECT_SECONDS)]
            if limits.workspace_size is not None:
                processes = partial(self._processes, container)
                disk = DiskWatch(command.written, limits.workspace_size, processes)
                watches.append(Watch(disk.is_exceeded, KilledBy.WORKSPACE, every=DISK_SECONDS))
            done = supervise(job, limits, watches, command.on_output, command.cancel)
        exit_code = None if done.killed_by else signal_or_code(self._state(container)["ExitCode"])
        return Execution(exit_code=exit_code, output=done.output, seconds=done.seconds, killed_by=done.killed_by)

    def _out_of_memory(self, container: str) -> bool:
        """Whether the kernel killed a process of the container; its state says so only when it has ended."""
        state = self._state(container)
        if not state["Running"]:
            return bool(state["OOMKilled"])
        filters = {"container": container, "event": "oom"}
        events = self._client.events(since=_EVER, until=datetime.now(UTC), filters=filters, decode=True)
        with closing(events):
            return any(True for _ in events)

    def _state(self, container: str) -> dict[str, Any]:
        state: dict[str, Any] = self._client.inspect_container(container)["State"]
        return state

    def _processes(self, container: str) -> list[int]:
        """The container's processes, where the daemon numbers them as this process does."""
        pid = self._state(container)["Pid"]
        with suppress(OSError):
            if pid and container in Path(f"/proc/{pid}/cgroup").read_text():
                return usage.descendants(pid)
        return []


def _held() -> list[Held]:
    """Containers that a harness on this machine made.

    Raises:
        SandboxUnavailableError: No daemon answers.
    """
    return [Held(f"container {name[:12]}", whose) for name, whose in owned_containers(connect()).items()]


DOCKER = Backend(
    open=lambda setup: DockerSandbox(label=setup.label, image=setup.image, cards=setup.cards),
    held=_held,
    takes_image=True,
)
"""The kind, as the registry names it."""
