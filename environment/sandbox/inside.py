"""What a command finds inside, the same on every backend: user, variables, a few files of /etc."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from environment.errors import SandboxError
from environment.gpus.view import GpuView
from environment.sandbox.base import WORKSPACE, Limits, Mount
from environment.sandbox.python_view import PythonView
from environment.snapshots.walk import delete_tree, mend

USER_ID = 65_534

ETC_FILES = {
    "/etc/passwd": f"root:x:0:0::/:/bin/false\nsandbox:x:{USER_ID}:{USER_ID}::/tmp:/bin/sh\n",
    "/etc/group": f"root:x:0:\nsandbox:x:{USER_ID}:\n",
    "/etc/hosts": "127.0.0.1 localhost\n::1 localhost\n",
}

ETC_OF_HOST = ("/etc/ld.so.cache", "/etc/alternatives")
"""Where programs of /usr find libraries and each other."""

ETC_FOR_NETWORK = ("/etc/resolv.conf", "/etc/nsswitch.conf", "/etc/ssl", "/etc/ca-certificates", "/etc/pki")
"""Where programs find names and certificates of other machines."""

LINKED_TO_USR = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")

_SYSTEM_PATH = ("/usr/local/bin", "/usr/bin", "/bin")
_THREAD_COUNTS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")


def variables(
    env: Mapping[str, str],
    python: PythonView | None,
    limits: Limits,
    *,
    home: str = "/tmp",
    gpus: GpuView | None = None,
) -> dict[str, str]:
    """All variables of a command; what the caller gives goes over the standard ones.

    Without a ``python`` the PATH is left to the image.
    Python writes through at once, so that what it prints is in order and not lost when it is killed.
    """
    gpus = gpus or GpuView()
    cpus = len(os.sched_getaffinity(0))
    threads = max(1, min(cpus, math.ceil(limits.cpus) if limits.cpus is not None else cpus))
    of_driver = [folder for folder in gpus.programs if folder not in _SYSTEM_PATH]
    return {
        **({"PATH": ":".join([python.bin, *of_driver, *_SYSTEM_PATH])} if python else {}),
        "HOME": home,
        "LANG": "C.UTF-8",
        "PYTHONUNBUFFERED": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        **dict.fromkeys(_THREAD_COUNTS, str(threads)),
        **gpus.variables,
        **env,
        **_library_path(env, python),
    }


def _library_path(env: Mapping[str, str], python: PythonView | None) -> dict[str, str]:
    """Where Python looks besides its own folders: first where the caller says."""
    folders = [env["PYTHONPATH"]] if "PYTHONPATH" in env else []
    folders += python.path if python else ()
    return {"PYTHONPATH": ":".join(folders)} if folders else {}


def make_mount_points(workspace: Path, mounts: Sequence[Mount]) -> None:
    """Make the folder or file in the workspace over which each mount below it is laid.

    What a script put there instead, a link above all, makes way: it would lead the mount astray.

    Raises:
        SandboxError: There is no workspace, or a mount would lie deeper in it than directly below.
    """
    if not workspace.is_dir():
        raise SandboxError(f"The workspace {workspace} is not a folder")
    for mount in mounts:
        target = Path(mount.target)
        if not target.is_relative_to(WORKSPACE):
            continue
        parts = target.relative_to(WORKSPACE).parts
        if len(parts) != 1:
            raise SandboxError(f"{mount.target} cannot be mounted: only folders directly in {WORKSPACE} can")
        point, is_folder = workspace / parts[0], mount.source.is_dir()
        if point.is_symlink() or (point.exists() and point.is_dir() != is_folder):
            point.unlink() if point.is_symlink() or not point.is_dir() else delete_tree(point)
        point.mkdir(exist_ok=True) if is_folder else point.touch()


def is_full_root() -> bool:
    """Whether this process may become the user of a command and give files to it.

    Root of a user namespace that maps no other user may not (``unshare -r``, some containers of computing centres):
    there commands run as under any ordinary user.
    """
    return os.geteuid() == 0 and any(
        int(first) <= USER_ID < int(first) + int(count)
        for first, _, count in (line.split() for line in Path("/proc/self/uid_map").read_text().splitlines())
    )


def own(folders: list[Path], uid: int) -> None:
    """Give folders and all in them to a user, touching only what is not the user's yet.

    Another command may run in them meanwhile and put links in place of folders, which root must not
    follow: each folder is opened, looked at for where it really is, and only then worked in.
    """
    pending = [str(folder.resolve()) for folder in folders]
    while pending:
        folder = pending.pop()
        try:
            descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        except OSError:
            continue  # gone meanwhile, or no folder any more
        try:
            if str(Path(f"/proc/self/fd/{descriptor}").readlink()) == folder:
                pending += (f"{folder}/{name}" for name in _own_entries(descriptor, uid))
        finally:
            os.close(descriptor)


def _own_entries(descriptor: int, uid: int) -> Iterator[str]:
    """Give an open folder and its entries to a user; the names of the folders among them."""
    if os.fstat(descriptor).st_uid != uid:
        os.fchown(descriptor, uid, uid)
    with os.scandir(descriptor) as entries:
        for entry in entries:
            with suppress(FileNotFoundError):
                if entry.stat(follow_symlinks=False).st_uid != uid:
                    os.chown(entry.name, uid, uid, dir_fd=descriptor, follow_symlinks=False)
                if entry.is_dir(follow_symlinks=False):
                    yield entry.name


def unlock(folders: list[Path]) -> None:
    """Give an ordinary user back the rights on own files that a script took away; nothing else runs on them now."""
    for folder in folders:
        mend(folder)
