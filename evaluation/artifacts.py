"""Takes what was submitted out of a workspace: regular files only, measured before they are copied."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from environment.snapshots.walk import walk
from environment.workspace.places import Place, Places
from foundation.sizes import MiB
from tasks_catalog.library.errors import InvalidSubmissionError

MAX_FILES = 10_000
_CHUNK = MiB


def collect(workspace: Path, patterns: Sequence[str], target: Path, *, max_bytes: int) -> None:
    """Copy the files that the patterns name from the workspace into ``target``, which is made.

    Args:
        workspace: Where the agent worked; nothing in it is trusted.
        patterns: Paths below the workspace, ``*`` matching across folders; each must match a file.
        target: Gets the files under their paths.
        max_bytes: Limit of all files together.

    Raises:
        InvalidSubmissionError: A file is missing, a link, not a regular file, or there is too much.
    """
    target.mkdir(parents=True)
    wanted = {pattern: [path for path in _walk(workspace) if fnmatchcase(path, pattern)] for pattern in patterns}
    for pattern, found in wanted.items():
        if not found:
            raise InvalidSubmissionError(f"{pattern} is missing from the workspace")
    paths = sorted({path for found in wanted.values() for path in found})
    if len(paths) > MAX_FILES:
        raise InvalidSubmissionError(f"{len(paths)} files were submitted; at most {MAX_FILES} are read")
    places = Places(workspace, {})
    left = max_bytes
    for path in paths:
        left -= _copy(places, path, target / path, left, max_bytes)


def is_submitted(path: str, patterns: Sequence[str]) -> bool:
    """Whether one of the patterns names the path."""
    return any(fnmatchcase(path, pattern) for pattern in patterns)


def _walk(root: Path) -> Iterator[str]:
    """Every entry below ``root`` that is not a real folder, by relative path; no link is followed."""
    return (found.name for found in walk(root) if not stat.S_ISDIR(found.status.st_mode))


def _copy(places: Places, path: str, target: Path, left: int, max_bytes: int) -> int:
    """Copy one file of at most ``left`` bytes and return its size.

    The folders on the way are opened one by one and no link is followed, so that what is swapped for another
    thing between listing and copying is refused; what grows meanwhile is measured as it is read.
    """
    place = Place(path, places.root, PurePosixPath(path).parts)
    try:
        with places.parent(place) as folder:
            descriptor = os.open(place.inside[-1], os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise InvalidSubmissionError(f"{path} is a symbolic link; submit the file itself") from None
        raise InvalidSubmissionError(f"{path} cannot be read: {error.strerror}") from None
    with os.fdopen(descriptor, "rb") as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise InvalidSubmissionError(f"{path} is not a regular file")
        size = found.st_size
        if size <= left:
            target.parent.mkdir(parents=True, exist_ok=True)
            size = _copy_bytes(file, target, left)
    if size > left:
        raise InvalidSubmissionError(
            f"the submitted files are larger than the {max_bytes / MiB:,.0f} MiB allowed ({path})"
        )
    return size


def _copy_bytes(source: BinaryIO, target: Path, limit: int) -> int:
    """Copy what a file holds, and no more than one byte above the limit; returns how much it was."""
    copied = 0
    with target.open("wb") as copy:
        while chunk := source.read(min(_CHUNK, limit + 1 - copied)):
            copied += copy.write(chunk)
    return copied
