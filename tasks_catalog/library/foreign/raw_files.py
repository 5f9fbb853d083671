"""Raw files in a folder that another's code may change: competitions unpack, rename and delete beside them."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def laid_out(raw: Path, folder: Path) -> Iterator[Path]:
    """Make ``folder`` look like ``raw`` by links to its files, which cost no disk; gone afterwards."""
    for place, folders, names in os.walk(raw):
        own = folder / Path(place).relative_to(raw)
        own.mkdir()
        for path in (Path(place, name) for name in (*folders, *names)):
            if path.is_symlink() or not path.is_dir():
                (own / path.name).symlink_to(path.resolve())
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def keep_originals(folder: Path) -> None:
    """From now on, put a copy in the place of a link in ``folder`` before this process opens it for writing.

    Without it, what another's code writes over a raw file would reach the file that somebody fetched.
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
