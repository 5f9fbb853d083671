"""Takes what was submitted out of a workspace: regular files only, measured before they are copied."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from environment.snapshots.walk import walk
from foundation.sizes import MiB
from tasks_catalog.library.errors import InvalidSubmissionError

MAX_FILES = 10_000


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
    left = max_bytes
    for path in paths:
        left -= _copy(workspace / path, target / path, path, left, max_bytes)


def is_submitted(path: str, patterns: Sequence[str]) -> bool:
    """Whether one of the patterns names the path."""
    return any(fnmatchcase(path, pattern) for pattern in patterns)


def _walk(root: Path) -> Iterator[str]:
    """Every entry below ``root`` that is not a real folder, by relative path; no link is followed."""
    return (found.name for found in walk(root) if not stat.S_ISDIR(found.status.st_mode))


def _copy(source: Path, target: Path, name: str, left: int, max_bytes: int) -> int:
    """Copy one file and return its size."""
    if source.is_symlink():
        raise InvalidSubmissionError(f"{name} is a symbolic link; submit the file itself")
    try:
        descriptor = os.open(source, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        raise InvalidSubmissionError(f"{name} cannot be read: {error.strerror}") from None
    with os.fdopen(descriptor, "rb") as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise InvalidSubmissionError(f"{name} is not a regular file")
        if found.st_size > left:
            raise InvalidSubmissionError(
                f"the submitted files are larger than the {max_bytes / MiB:,.0f} MiB allowed ({name})"
            )
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("wb") as copy:
            shutil.copyfileobj(file, copy)
    return found.st_size
