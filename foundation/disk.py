"""Whether a disk has room, and what is said where it has none."""

from __future__ import annotations

import errno
import re
import resource
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from foundation.errors import MlabError
from foundation.sizes import KiB
from foundation.text import shown

FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
_WRITTEN = re.compile(r"\d+ requested and \d+ written")
_SAYS_FULL = re.compile(rf"\[Errno (?:{'|'.join(map(str, sorted(FULL)))})\]|{_WRITTEN.pattern}")
"""In errors without a number: those of copied folders, and what numpy says in place of the system's error."""
_SAYS_TOO_LARGE = f"[Errno {errno.EFBIG}]"
_LEAST = 256 * KiB
RAISE_FILE_LIMIT = "Raise that limit, which is the shell's or the container's: `ulimit -f` says what it is."


class FullDiskError(MlabError):
    """A disk is full, or a file may not grow."""


def free_bytes(folder: Path) -> int:
    """What a folder may still take, also one that is not there yet."""
    return shutil.disk_usage(next(path for path in (folder, *folder.parents) if path.exists())).free


def file_limit() -> int | None:
    """What a file may grow to that this process writes; ``None`` where nothing limits it."""
    allowed = resource.getrlimit(resource.RLIMIT_FSIZE)[0]
    return None if allowed == resource.RLIM_INFINITY else allowed


def is_full(folder: Path) -> bool:
    """Whether the disk of a folder has no room worth mentioning."""
    return free_bytes(folder) < _LEAST


def meaning_full(error: object) -> FullDiskError | None:
    """A full disk in words, or a limit on files, where that is what an error of the system or of a library means."""
    if not isinstance(error, OSError):
        return None
    if too_large := meaning_too_large(error):
        return too_large
    if error.errno in FULL or (error.errno is None and _SAYS_FULL.search(str(error))):
        return _full(str(error.filename or "a disk"))
    return None


def meaning_too_large(error: OSError) -> FullDiskError | None:
    """A limit on the size of files in words, where that is what an error means."""
    is_said = error.errno == errno.EFBIG or (error.errno is None and _SAYS_TOO_LARGE in str(error))
    return _too_large(error) if is_said or _is_cut_by_limit(error) else None


def _is_cut_by_limit(error: OSError) -> bool:
    """Whether less was written than asked for, which numpy says of both, by a limit on files and not by a full disk."""
    is_short = error.errno is None and bool(_WRITTEN.search(str(error)))
    return is_short and file_limit() is not None


def _too_large(error: OSError) -> FullDiskError:
    return FullDiskError(
        f"{shown(str(error.filename or 'a file'))} would grow beyond the limit on the size of files",
        hint=RAISE_FILE_LIMIT,
    )


def _full(where: str) -> FullDiskError:
    return FullDiskError(f"No space left on {shown(where)}", hint="Free some space there.")


@contextmanager
def telling_full(folder: Path) -> Iterator[None]:
    """Say of a folder that is written to that it has no room; other errors go through.

    Raises:
        FullDiskError: Instead of what the operating system or numpy says.
    """
    try:
        yield
    except OSError as error:
        if meaning_full(error) is None:
            raise
        raise (meaning_too_large(error) or _full(str(folder))) from error
