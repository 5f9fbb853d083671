"""Folders that cannot outgrow a size: each a file system of its own, in a file with holes, held by the kernel."""

from __future__ import annotations

import errno
import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

from environment.errors import SandboxError
from environment.sandbox.owner import Owner
from environment.sandbox.usage import ENTRY_BYTES
from environment.snapshots.walk import scratch_folder
from foundation.sizes import MiB

FILE_SYSTEM = "file system"

_TRIAL_BYTES = 1 * MiB
_SPARE, _LEAST = 1.45, 8 * MiB
"""Room for the inodes (a quarter), and for the twentieth that root alone may write: what is kept for the harness,
so that it can put right what a command has filled. Of the rest, a command gets its size and up to 2 % and 7 MiB more.
"""

_BLOCK_BYTES, _INODE_BYTES, _ROOT_PERCENT = 4096, 256, 5
_BYTES_PER_INODE = ENTRY_BYTES
"""As files are charged, so that none is refused that the limit has room for."""
_MAKE = (
    *("mkfs.ext4", "-q", "-F", "-b", str(_BLOCK_BYTES), "-I", str(_INODE_BYTES), "-i", str(_BYTES_PER_INODE)),
    *("-m", str(_ROOT_PERCENT), "-O", "^has_journal,^resize_inode", "-E", "lazy_itable_init=1,nodiscard"),
)
_OPTIONS = "loop,nosuid,nodev,noatime,discard,noinit_itable"
"""What is deleted inside is given back to the disk below, and inodes that nobody uses are never written."""


class NotSizedError(SandboxError):
    """No file system can be made here for a folder of its own."""


@contextmanager
def sized_folder(prefix: str, size: int) -> Iterator[Path]:
    """A temporary folder that holds ``size`` bytes and little more; gone at the end, whatever was put in it.

    The file below it has no name, so that nothing but the mount is left where this process is killed; the mount's
    path bears this process's mark, by which ``reap`` knows it.

    Raises:
        NotSizedError: It cannot be made.
    """
    with scratch_folder(f"{prefix}{Owner.current().mark}-") as folder:
        point = folder / "files"
        point.mkdir()
        _mount(folder / "image", point, size)
        try:
            yield point
        finally:
            _unmount(point)


def _mount(image: Path, point: Path, size: int) -> None:
    try:
        with image.open("xb") as file:
            file.truncate(round(size * _SPARE) + _LEAST)
        _call(*_MAKE, str(image))
        _call("mount", "-o", _OPTIONS, str(image), str(point))
    except OSError as error:
        raise NotSizedError(f"No file system can be made: {error}") from error
    finally:
        image.unlink(missing_ok=True)
    with suppress(OSError):
        (point / "lost+found").rmdir()
    point.chmod(0o755)


def _unmount(point: Path) -> None:
    """Also where someone still looks: it is gone when they do not any more."""
    _call("umount", "--lazy", str(point))


def _call(*command: str) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    except OSError as error:
        raise NotSizedError(f"{command[0]} cannot be called: {error.strerror}") from error
    if done.returncode != 0:
        said = " ".join(done.stderr.split())
        raise NotSizedError(f"{command[0]} ends with {done.returncode}: {said or 'no message'}")


@cache
def refusal() -> str | None:
    """Why this process gets no such folder, or ``None`` where one was seen to hold; tried out the first time."""
    if os.geteuid() != 0:
        return "only root may mount a file system that lies on the disk"
    try:
        with sized_folder("mlab-trial-", _TRIAL_BYTES) as folder, (folder / "file").open("wb", buffering=0) as file:
            for _ in range(_TRIAL_BYTES, 4 * _LEAST, MiB):
                file.write(bytes(MiB))
    except NotSizedError as error:
        return error.message
    except OSError as error:
        return None if error.errno == errno.ENOSPC else str(error)
    return "a file system takes more than its size"


def mounted() -> dict[Path, Owner]:
    """Where such folders are mounted, and whose they are."""
    with suppress(OSError):
        lines = Path("/proc/self/mountinfo").read_text().splitlines()
        points = [_plain(line.split()[4]) for line in lines if " /dev/loop" in line]
        owners = {Path(point): Owner.parse(point) for point in points}
        return {point: owner for point, owner in owners.items() if owner}
    return {}


def _plain(path: str) -> str:
    """A path as the kernel lists mounts, where blanks and backslashes are three octal digits."""
    return re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), path)


def reap() -> int:
    """Unmount what dead processes of this machine left; returns how many."""
    dead = [point for point, owner in mounted().items() if not owner.alive]
    for point in dead:
        with suppress(NotSizedError):  # another process was faster
            _unmount(point)
    return len(dead)
