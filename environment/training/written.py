"""The result files that a script wrote, and what they say: evidence as what it printed is.

The files are an untrusted script's: no link is followed, and all is capped.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path

from pydantic import Field

from environment.metrics.files.reader import LARGEST, holds_results, read_results
from environment.records import MetricPoint
from environment.snapshots.walk import walk
from environment.store import Store
from foundation.records import Record

_Stamp = tuple[int, int, int]
"""Inode, size and time of the last change; sandboxes change owners, and with them all other times."""

MOST_FILES = 50
MOST_POINTS = 20_000


class WrittenResults(Record):
    """What result files say.

    Attributes:
        metrics: Points with ``source`` "file", in order of file.
        dropped: Points left out because there were too many.
        artifacts: Store digests of the files, by path.
    """

    metrics: tuple[MetricPoint, ...] = ()
    dropped: int = 0
    artifacts: dict[str, str] = Field(default_factory=dict)


def stamps(root: Path) -> dict[str, _Stamp]:
    """Every file below a folder that may hold results, as it is now."""
    return {
        found.name: (found.status.st_ino, found.status.st_size, found.status.st_mtime_ns)
        for found in walk(root)
        if stat.S_ISREG(found.status.st_mode) and holds_results(found.name)
    }


def read_written(root: Path, before: Mapping[str, _Stamp], store: Store) -> WrittenResults:
    """Read the result files that changed since ``before``; the files go to ``store``.

    Args:
        root: The workspace.
        before: ``stamps`` before the script ran.
        store: Where the files are kept.
    """
    changed = sorted(name for name, stamp in stamps(root).items() if before.get(name) != stamp)
    points: list[MetricPoint] = []
    dropped = 0
    artifacts: dict[str, str] = {}
    for name in changed[:MOST_FILES]:
        content = _read(root / name)
        found = read_results(name, content) if content else []
        if content and found:
            kept = found[: MOST_POINTS - len(points)]
            points += kept
            dropped += len(found) - len(kept)
            artifacts[name] = store.put_object(content)
    return WrittenResults(metrics=tuple(points), dropped=dropped, artifacts=artifacts)


def _read(path: Path) -> bytes | None:
    """A regular file; ``None`` where it cannot be read or is too large."""
    try:
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
            content = file.read(LARGEST + 1)
    except OSError:
        return None
    return content if len(content) <= LARGEST else None
