"""An image for workers where none can be built: worker.Dockerfile's settings over this machine's own files.

``MLAB_WORKER_IMAGE`` names one that was built from worker.Dockerfile, which is then taken as it is.
"""

from __future__ import annotations

import hashlib
import io
import os
import sys
import tarfile
from pathlib import Path
from typing import NamedTuple

from docker import APIClient

from environment.sandbox.containers import host_system
from environment.sandbox.inside import LINKED_TO_USR

ROOT = Path(__file__).parents[2]
DOCKERFILE = ROOT / "deployments" / "image" / "worker.Dockerfile"
BUILT = "MLAB_WORKER_IMAGE"
USER = 1000
TESTS = "/opt/mlab-tests"
"""Where the tests' agents and tasks lie in a container; the folder to import them from."""

_OWNED = ("home/mlab", "home/mlab/data", "var/lib/postgresql/data", "run/postgresql")
_FOLDERS = ("dev", "etc", "home", "opt", "proc", "run", "sys", "usr", "var", "var/lib", "var/lib/postgresql")
_ETC = {"etc/passwd": f"root:x:0:0::/:/bin/sh\nmlab:x:{USER}:{USER}::/home/mlab:/bin/sh\n"}
_LINKS = {"var/run": "/run", **{path.lstrip("/"): f"usr{path}" for path in LINKED_TO_USR if Path(path).is_symlink()}}


class WorkerImage(NamedTuple):
    """An image, and what must be mounted for it to work."""

    name: str
    volumes: list[str]


def worker_image(client: APIClient) -> WorkerImage:
    """The image that was built, or the stand-in; with the tests' agents and tasks."""
    built = os.environ.get(BUILT)
    image = WorkerImage(built, []) if built else stand_in(client)
    return WorkerImage(image.name, [*image.volumes, f"{ROOT / 'tests'}:{TESTS}/tests:ro"])


def stand_in(client: APIClient) -> WorkerImage:
    """This machine's own programs and packages, run as worker.Dockerfile says."""
    settings = instructions("USER", "WORKDIR", "ENV", "CMD")
    path = f"ENV PATH={Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin"
    archive = _archive()
    tag = hashlib.sha256(archive + "\n".join([path, *settings]).encode()).hexdigest()[:12]
    name = f"mlab-worker-stand-in:{tag}"
    if not client.images(name):
        client.import_image_from_data(archive, repository="mlab-worker-stand-in", tag=tag, changes=[path, *settings])
    return WorkerImage(name, _of_this_machine())


def instructions(*names: str) -> list[str]:
    """The last stage's instructions of worker.Dockerfile that bear one of these names."""
    lines = DOCKERFILE.read_text().replace("\\\n", " ").splitlines()
    return [line for line in lines if line.partition(" ")[0] in names]


def _archive() -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name in (*_FOLDERS, "tmp", *_OWNED):
            entry = tarfile.TarInfo(name)
            entry.type, entry.mode = tarfile.DIRTYPE, 0o1777 if name == "tmp" else 0o755
            entry.uid = entry.gid = USER if name in _OWNED else 0
            archive.addfile(entry)
        for name, target in _LINKS.items():
            entry = tarfile.TarInfo(name)
            entry.type, entry.linkname = tarfile.SYMTYPE, target
            archive.addfile(entry)
        for name, text in _ETC.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(text)
            archive.addfile(entry, io.BytesIO(text.encode()))
    return buffer.getvalue()


def _of_this_machine() -> list[str]:
    """Its programs and libraries, its Python with all packages, and this project, each at its own path."""
    mounts = {str(mount.target): str(mount.source) for mount in host_system()}
    own = {str(ROOT), sys.prefix, sys.base_prefix}
    roots = [path for path in own if not any(path != other and path.startswith(f"{other}/") for other in own)]
    mounts |= {path: path for path in roots if not path.startswith("/usr/")}
    return [f"{source}:{target}:ro" for target, source in mounts.items()]
