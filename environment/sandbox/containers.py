"""What Docker is told about a container: image, mounts, limits, and whose it is."""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import tarfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from environment.errors import SandboxError
from environment.gpus.card import Card
from environment.sandbox import inside, seccomp
from environment.sandbox.base import WORKSPACE, Command, Limits, Mount
from environment.sandbox.container_job import wrapped
from environment.sandbox.owner import Owner
from foundation.processes import machine

if TYPE_CHECKING:
    from docker import APIClient
    from docker.types import DeviceRequest
    from docker.types import Mount as DockerMount

OWNER_LABEL, MACHINE_LABEL, RUN_LABEL = "mlab.owner", "mlab.machine", "mlab.run"
_TMP = "/tmp"
_SKELETON = "mlab-skeleton"
_TOOLKIT = ("nvidia-container-runtime-hook", "nvidia-ctk")


def skeleton_archive() -> bytes:
    """A tar with folders, links and a few files of /etc: all that an image needs when /usr is the host's."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name in ("dev", "etc", "opt", "proc", "sys", "tmp", "usr", "workspace"):
            entry = tarfile.TarInfo(name)
            # A tmpfs laid over a folder takes over its mode, whatever the mount says.
            entry.type, entry.mode = tarfile.DIRTYPE, 0o1777 if name == "tmp" else 0o755
            archive.addfile(entry)
        for path in map(Path, inside.LINKED_TO_USR):
            if path.is_symlink():
                entry = tarfile.TarInfo(path.name)
                entry.type, entry.linkname = tarfile.SYMTYPE, str(path.readlink())
                archive.addfile(entry)
        for name, text in inside.ETC_FILES.items():
            entry = tarfile.TarInfo(name.lstrip("/"))
            entry.size, entry.mode = len(text), 0o644
            archive.addfile(entry, io.BytesIO(text.encode()))
    return buffer.getvalue()


def skeleton_image(client: APIClient) -> str:
    """The image of ``skeleton_archive``, imported where the daemon does not have it; needs no registry."""
    archive = skeleton_archive()
    tag = hashlib.sha256(archive).hexdigest()[:12]
    name = f"{_SKELETON}:{tag}"
    if not client.images(name):
        client.import_image_from_data(archive, repository=_SKELETON, tag=tag)
    return name


def host_system() -> list[Mount]:
    """The host's programs and libraries, for the skeleton image."""
    paths = ["/usr", *(name for name in inside.LINKED_TO_USR if Path(name).is_dir() and not Path(name).is_symlink())]
    paths += [name for name in inside.ETC_OF_HOST if Path(name).exists()]
    return [Mount(source=Path(path), target=path) for path in paths]


def create(
    client: APIClient,
    image: str,
    command: Command,
    *,
    variables: Mapping[str, str],
    cards: Sequence[Card],
    user: int,
    run: str,
) -> str:
    """Create a container and return its id.

    Raises:
        docker.errors.DockerException: The daemon refuses.
    """
    from docker.types import Mount as DockerMount

    def bind(mount: Mount, *, read_only: bool) -> DockerMount:
        return DockerMount(mount.target, str(mount.source.resolve()), type="bind", read_only=read_only)

    mounts = [bind(Mount(source=command.workspace, target=WORKSPACE), read_only=False)]
    mounts += [bind(mount, read_only=True) for mount in command.readonly]
    mounts += [bind(mount, read_only=False) for mount in command.writable]
    container = client.create_container(
        image,
        wrapped(command.argv),
        user=f"{user}:{user}",
        working_dir=WORKSPACE,
        environment=dict(variables),
        hostname="sandbox",
        labels={OWNER_LABEL: Owner.current().mark, MACHINE_LABEL: machine(), RUN_LABEL: run},
        entrypoint=[],
        stdin_open=True,
        network_disabled=True,
        host_config=_host_config(client, mounts, command.limits, cards),
    )
    return str(container["Id"])


def _host_config(
    client: APIClient, mounts: list[DockerMount], limits: Limits, cards: Sequence[Card]
) -> dict[str, object]:
    from docker.types import LogConfig, Ulimit

    ulimits = [Ulimit(name="core", soft=0, hard=0)]
    if limits.file_size is not None:
        ulimits.append(Ulimit(name="fsize", soft=limits.file_size, hard=limits.file_size))
    cpus = min(limits.cpus, os.cpu_count() or 1) if limits.cpus is not None else None
    config: dict[str, object] = client.create_host_config(
        mounts=mounts,
        network_mode="none",
        read_only=True,
        tmpfs={} if _TMP in {mount["Target"] for mount in mounts} else {_TMP: _tmpfs(limits.tmp_size)},
        shm_size=limits.tmp_size,
        mem_limit=limits.memory,
        memswap_limit=limits.memory,
        nano_cpus=int(cpus * 1e9) if cpus else None,
        # The shell that waits for the command, and its watcher, are not the command's.
        pids_limit=limits.processes + 2 if limits.processes is not None else None,
        ulimits=ulimits,
        cap_drop=["ALL"],
        security_opt=["no-new-privileges", f"seccomp={json.dumps(seccomp.docker_profile())}"],
        # Output is read from the attached stream; the daemon need not keep a flood of it as well.
        log_config=LogConfig(type=LogConfig.types.NONE),
        device_requests=_device_requests(cards),
    )
    return config


def _tmpfs(size: int) -> str:
    return f"rw,nosuid,nodev,exec,mode=1777,size={size}"


def _device_requests(cards: Sequence[Card]) -> list[DeviceRequest]:
    from docker.types import DeviceRequest

    capabilities = [["gpu", "compute", "utility"]]
    return [DeviceRequest(device_ids=[card.uuid for card in cards], capabilities=capabilities)] if cards else []


def passes_gpus(client: APIClient) -> bool:
    """Whether the daemon can give cards to containers: NVIDIA's container toolkit is there."""
    return "nvidia" in client.info().get("Runtimes", {}) or any(map(shutil.which, _TOOLKIT))


def owned_containers(client: APIClient) -> dict[str, Owner]:
    """Containers that a harness on this machine made, and which one."""
    found = client.containers(all=True, filters={"label": f"{MACHINE_LABEL}={machine()}"})
    owners = {entry["Id"]: Owner.parse(entry["Labels"].get(OWNER_LABEL, "")) for entry in found}
    return {container: owner for container, owner in owners.items() if owner}


def reap_containers(client: APIClient) -> int:
    """Remove containers whose harness is dead; returns how many."""
    from docker.errors import APIError

    dead = [container for container, owner in owned_containers(client).items() if not owner.alive]
    for container in dead:
        try:
            client.remove_container(container, force=True, v=True)
        except APIError as error:
            if error.status_code not in {404, 409}:  # another process is removing it, or has
                raise SandboxError(f"Container {container[:12]} cannot be removed: {error}") from error
    return len(dead)
