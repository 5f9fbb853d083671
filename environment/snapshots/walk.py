"""Walking a folder that an untrusted script has made: any depth, no links followed."""

from __future__ import annotations

import os
import stat
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from environment.errors import StoreError


class Found(NamedTuple):
    """Something below the folder walked; texts and not ``Path``, which is slow for thousands of components."""

    name: str
    path: str
    status: os.stat_result


def walk(root: Path) -> Iterator[Found]:
    """Everything below ``root``, each folder before what it holds; what cannot be read is left out.

    ``os.walk`` of Python 3.11 recurses, so a thousand nested folders would end the process that asks.
    A folder is opened only after it was yielded, so the caller may change its mode first.
    """
    top = os.fspath(root)
    pending = [top]
    while pending:
        try:
            with os.scandir(pending.pop()) as entries:
                found = [
                    Found(entry.path[len(top) + 1 :], entry.path, entry.stat(follow_symlinks=False))
                    for entry in entries
                ]
        except OSError:
            continue
        yield from found
        pending.extend(entry.path for entry in found if stat.S_ISDIR(entry.status.st_mode))


def mend(root: Path) -> int:
    """Give back to the owner the access that a script took away; the number of files and folders mended.

    Without it, a workspace made unreadable could be neither shown, saved nor deleted.
    """
    return _grant(root, root.lstat()) + sum(_grant(found.path, found.status) for found in walk(root))


def delete_tree(root: Path) -> None:
    """Delete a folder and all below it, however deep: ``shutil.rmtree`` recurses as ``os.walk`` does.

    Raises:
        StoreError: Something in it cannot be deleted.
    """
    mend(root)
    done = subprocess.run(["rm", "-rf", "--", os.fspath(root)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise StoreError(f"{root} cannot be deleted: {done.stderr.strip()[:500]}")


@contextmanager
def scratch_folder(prefix: str, within: Path | None = None) -> Iterator[Path]:
    """A temporary folder that a sandbox may write to; deleted at the end, whatever was put in it.

    Args:
        prefix: Its name begins so.
        within: Where it lies, if not where this process has its temporary files.
    """
    folder = Path(tempfile.mkdtemp(prefix=prefix, dir=within))
    try:
        yield folder
    finally:
        try:
            folder.rmdir()
        except OSError:  # something was put in it
            delete_tree(folder)


def _grant(path: Path | str, status: os.stat_result) -> bool:
    is_folder = stat.S_ISDIR(status.st_mode)
    access = stat.S_IRWXU if is_folder else stat.S_IRUSR | stat.S_IWUSR
    if not (is_folder or stat.S_ISREG(status.st_mode)) or status.st_mode & access == access:
        return False
    try:
        Path(path).chmod(stat.S_IMODE(status.st_mode) | access)
    except OSError:  # of another user: the owner's business
        return False
    return True
