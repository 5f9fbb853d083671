"""What is in a folder, and how much of it a store holds."""

# Names here are any bytes, which a Path is not made for:
# ruff: noqa: PTH115, PTH118, PTH123
from __future__ import annotations

import os
import stat
from pathlib import Path

from environment.store import Store


def state(root: Path) -> dict[bytes, tuple[str, int, bytes]]:
    """Everything a snapshot must keep, read independently of it."""
    found: dict[bytes, tuple[str, int, bytes]] = {}
    for folder, folders, files in os.walk(os.fsencode(root)):
        for name in folders + files:
            path = os.path.join(folder, name)
            status = os.lstat(path)
            relative, mode = os.path.relpath(path, os.fsencode(root)), stat.S_IMODE(status.st_mode)
            if stat.S_ISLNK(status.st_mode):
                found[relative] = ("link", 0, os.readlink(path))
            elif stat.S_ISDIR(status.st_mode):
                found[relative] = ("folder", mode, b"")
            else:
                with open(path, "rb") as file:
                    found[relative] = ("file", mode, file.read())
    return found


def objects(store: Store) -> int:
    return len(store.list("objects/"))
