"""Raw files in a folder that another's code may change: competitions unpack, rename and delete beside them."""

from __future__ import annotations

import os
import shutil
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


def bring_in(folder: Path, raw: Path) -> None:
    """Replace what was moved from laid out raw files into a folder, and is links there, by the files themselves."""
    for place, _, names in os.walk(folder):
        for path in (Path(place, name) for name in names):
            if path.is_symlink() and path.resolve().is_relative_to(raw.resolve()):
                file = path.resolve()
                path.unlink()
                shutil.copy2(file, path)
