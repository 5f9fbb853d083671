"""The result files that a script wrote, and what they say: evidence as what it printed is.

The files are an untrusted script's: no link is followed, and all is capped.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Mapping
from pathlib import Path

from pydantic import Field

from environment.metrics.files.reader import LARGEST, holds_results, read_results
from environment.records import MetricPoint
from environment.snapshots.walk import walk
from environment.store import Store
from foundation.records import Record

Stamp = tuple[int, int, int]
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


def stamps(root: Path) -> dict[str, Stamp]:
    """Every file below a folder that may hold results, as it is now."""
    return {
        found.name: (found.status.st_ino, found.status.st_size, found.status.st_mtime_ns)
        for found in walk(root)
        if stat.S_ISREG(found.status.st_mode) and holds_results(found.name)
    }


def read_written(
    root: Path, before: Mapping[str, Stamp], store: Store, noted: Collection[str] | None = None
) -> WrittenResults:
    """Read the result files that changed since ``before``; the files go to ``store``.

    Args:
        root: The workspace.
        before: ``stamps`` before the script ran.
        store: Where the files are kept.
        noted: The files that the script itself opened to write, where others may have written beside it.
    """
    changed = sorted(name for name, stamp in stamps(root).items() if before.get(name) != stamp)
    if noted is not None:
        changed = [name for name in changed if name in noted]
    points: list[MetricPoint] = []
    dropped = 0
    artifacts: dict[str, str] = {}
    for name in changed[:MOST_FILES]:
        content = read_plain(root / name, LARGEST)
        found = read_results(name, content) if content else []
        if content and found:
            kept = found[: MOST_POINTS - len(points)]
            points += kept
            dropped += len(found) - len(kept)
            artifacts[name] = store.put_object(content)
    return WrittenResults(metrics=tuple(points), dropped=dropped, artifacts=artifacts)


def read_plain(path: Path, largest: int) -> bytes | None:
    """A regular file; ``None`` where it cannot be read or is too large."""
    try:
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
            content = file.read(largest + 1) if stat.S_ISREG(os.fstat(file.fileno()).st_mode) else None
    except OSError:
        return None
    return content if content is not None and len(content) <= largest else None
