"""Paths as people write them."""

from __future__ import annotations

from pathlib import Path


def expanded(path: Path | str) -> Path:
    """The path with its ``~`` or ``~user`` put in full; where there is no such user, as it is, which shells do too."""
    try:
        return Path(path).expanduser()
    except RuntimeError:
        return Path(path)
