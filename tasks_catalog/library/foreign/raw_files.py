"""Raw files in a folder that another's code may change: competitions unpack, rename and delete beside them."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tasks_catalog.library.errors import TaskError

COPIED = 4_000_000_000
"""Bytes of raw files that are copied, into half the disk's room; of more, what the disk cannot clone is links."""
_CLONE = 0x40049409
"""Linux's ``FICLONE``: a file that shares its blocks with another until one of them is written to."""
AMONG_RAW = " among the raw files"
"""How the last words end of a program that does not find a raw file."""


@contextmanager
def laid_out(raw: Path, folder: Path) -> Iterator[Path]:
    """Make ``folder`` look like ``raw``; gone afterwards.

    Each file is one of its own, whatever library writes to it, unless they are too large for that: then it is a link.

    Raises:
        TaskError: A file was written to through its link.
    """
    size = sum(path.stat().st_size for path in raw.rglob("*") if path.is_file())
    links: dict[Path, tuple[int, int]] = {}
    few = size <= min(COPIED, shutil.disk_usage(folder.parent).free // 2)
    for place, folders, names in os.walk(raw):
        own = folder / Path(place).relative_to(raw)
        own.mkdir()
        for path in (Path(place, name) for name in (*folders, *names)):
            if path.is_file():
                if not _given(path.resolve(), own / path.name, few=few):
                    links[path] = _state(path)
            elif path.is_symlink():
                (own / path.name).symlink_to(path.resolve())
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    changed = [str(path) for path, before in links.items() if not path.is_file() or _state(path) != before]
    if changed:
        raise TaskError(
            f"prepare.py wrote to raw files of yours, which were too large to copy: {', '.join(changed)}",
            hint="Fetch them anew. Without --trust they are read-only for it; a disk that clones files (btrfs, XFS) or "
            "has room for copies keeps them apart.",
        )


def _state(file: Path) -> tuple[int, int]:
    status = file.stat()
    return status.st_size, status.st_mtime_ns


def _given(file: Path, own: Path, *, few: bool) -> bool:
    """Whether there is a file of its own now, and no link."""
    if not (_cloned(file, own) or few):
        own.unlink()
        own.symlink_to(file)
        return False
    if own.stat().st_size != file.stat().st_size:
        shutil.copyfile(file, own)
    shutil.copystat(file, own)
    own.chmod(own.stat().st_mode | 0o200)
    return True


def _cloned(file: Path, own: Path) -> bool:
    """Whether the disk shares a file's blocks; otherwise the new one is empty."""
    with file.open("rb") as source, own.open("wb") as target:
        try:
            fcntl.ioctl(target, _CLONE, source.fileno())
        except OSError:
            return False
    return True


def keep_originals(folder: Path) -> None:
    """From now on, put a copy in the place of a link in ``folder`` before this process opens it for writing.

    Without it, what another's Python writes over a raw file too large to copy would fail in a sandbox, where the
    fetched file is mounted read-only, and reach it outside of one. What other libraries open for writing still does.
    """
    home = folder.absolute()

    def before(event: str, args: tuple[object, ...]) -> None:
        if event not in ("open", "os.truncate") or not isinstance(args[0], str | bytes | os.PathLike):
            return
        path = Path(os.path.normpath(Path(os.fsdecode(args[0])).absolute()))
        writes = event == "os.truncate" or (isinstance(args[2], int) and bool(args[2] & (os.O_WRONLY | os.O_RDWR)))
        if writes and path.is_relative_to(home) and path.is_symlink():
            original = path.resolve()
            path.unlink()
            shutil.copy2(original, path)

    sys.addaudithook(before)


def bring_in(folder: Path, raw: Path) -> None:
    """Replace what was moved from laid out raw files into a folder, and is links there, by the files themselves."""
    for place, _, names in os.walk(folder):
        for path in (Path(place, name) for name in names):
            if path.is_symlink() and path.resolve().is_relative_to(raw.resolve()):
                file = path.resolve()
                path.unlink()
                shutil.copy2(file, path)


@contextmanager
def missing_told(folder: Path) -> Iterator[None]:
    """End in a plain sentence where code of others breaks on a file in ``folder`` that is not there.

    Raises:
        SystemExit: It does; with the file's name, and ``AMONG_RAW`` at the end.
    """
    try:
        yield
    except Exception as error:
        if missing := _missing(folder, str(error)):
            sys.exit(f"\nfinds no {', '.join(missing)}{AMONG_RAW}")
        raise


def _missing(folder: Path, said: str) -> list[str]:
    """The files of a folder that an error speaks of, quoted or bare, and that are not there."""
    inside = re.escape(f"{folder}{os.sep}")
    found = re.finditer(rf"""(?P<quote>['"`]){inside}(?P<quoted>.+?)(?P=quote)|{inside}(?P<bare>[^\s'"`]+)""", said)
    names = dict.fromkeys(match["quoted"] or match["bare"] for match in found)
    return [name for name in names if not (folder / name).exists()]
