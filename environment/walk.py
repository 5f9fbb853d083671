"""Walking a folder that an untrusted script has made: any depth, no links followed."""

from __future__ import annotations

import os
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path

from environment.errors import StoreError


def walk(root: Path) -> Iterator[Path]:
    """Every path below ``root``, each folder before what it holds; what cannot be read is left out.

    ``os.walk`` of Python 3.11 recurses, so a thousand nested folders would end the process that asks.
    A folder is opened only after it was yielded, so the caller may change its mode first.
    """
    pending = [os.fspath(root)]
    while pending:
        try:
            with os.scandir(pending.pop()) as found:
                entries = [(entry.path, entry.is_dir(follow_symlinks=False)) for entry in found]
        except OSError:
            continue
        yield from (Path(path) for path, _ in entries)
        pending.extend(path for path, is_folder in entries if is_folder)


def mend(root: Path) -> int:
    """Give back to the owner the access that a script took away; the number of files and folders mended.

    Without it, a workspace made unreadable could be neither shown, saved nor deleted.
    """
    return _grant(root) + sum(_grant(path) for path in walk(root))


def _grant(path: Path) -> bool:
    try:
        mode = path.lstat().st_mode
        access = stat.S_IRWXU if stat.S_ISDIR(mode) else stat.S_IRUSR | stat.S_IWUSR
        if mode & access == access or not (stat.S_ISDIR(mode) or stat.S_ISREG(mode)):
            return False
        path.chmod(stat.S_IMODE(mode) | access)
    except OSError:  # another user's file: the owner's business
        return False
    return True


def delete_tree(root: Path) -> None:
    """Delete a folder and all below it, however deep: ``shutil.rmtree`` recurses as ``os.walk`` does.

    Raises:
        StoreError: Something in it cannot be deleted.
    """
    mend(root)
    done = subprocess.run(["rm", "-rf", "--", os.fspath(root)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise StoreError(f"{root} cannot be deleted: {done.stderr.strip()[:500]}")
