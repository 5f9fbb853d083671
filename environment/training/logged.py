"""What a script logged to MLflow, read from the plain files that it left.

The files are an untrusted script's: nothing is followed, unpickled or executed, and all is capped.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from pydantic import Field

from environment.metrics.names import read_name
from environment.records import MetricPoint
from environment.snapshots.walk import mend, walk
from environment.store import Store
from foundation.records import Record
from foundation.sizes import MiB

_RUN_ID = re.compile(r"[0-9a-f]{32}")
_MAX_FILES = 10_000
_MAX_POINTS = 20_000
_MAX_METRIC_FILE = 16 * MiB
_MAX_PARAMS = 200
_MAX_VALUE = 6_000  # MLflow's own limit
_MAX_ARTIFACTS = 100
_MAX_ARTIFACT = 32 * MiB
_MAX_ALL_ARTIFACTS = 128 * MiB


class LoggedRuns(Record):
    """Everything a script's own MLflow runs hold, put together.

    Attributes:
        metrics: Points with ``source`` "mlflow", in order of file.
        dropped: Points left out because there were too many.
        params: By name; of several runs the later one's.
        artifacts: Store digests by path.
    """

    metrics: tuple[MetricPoint, ...] = ()
    dropped: int = 0
    params: dict[str, str] = Field(default_factory=dict)
    artifacts: dict[str, str] = Field(default_factory=dict)


def read_logged(root: Path, store: Store) -> LoggedRuns:
    """Read the runs in an MLflow file store; artifacts go to ``store``.

    Args:
        root: The folder that was the script's tracking URI: ``<experiment>/<run>/metrics/<name>`` and so on.
        store: Where artifacts are kept.
    """
    if root.is_symlink() or not root.is_dir():
        return LoggedRuns()
    mend(root)
    points: list[MetricPoint] = []
    dropped, room = 0, _MAX_ALL_ARTIFACTS
    params: dict[str, str] = {}
    artifacts: dict[str, str] = {}
    for kind, name, path in _files(root):
        if kind == "metrics":
            found = list(_metric_points(name, path))
            kept = found[: _MAX_POINTS - len(points)]
            points += kept
            dropped += len(found) - len(kept)
        elif kind == "params" and len(params) < _MAX_PARAMS:
            params[name] = _read(path, _MAX_VALUE).decode("utf-8", "replace")
        elif kind == "artifacts" and len(artifacts) < _MAX_ARTIFACTS:
            size = path.lstat().st_size
            if size <= min(_MAX_ARTIFACT, room):
                room -= size
                artifacts[name] = store.put_object(_read(path, size))
    return LoggedRuns(metrics=tuple(points), dropped=dropped, params=params, artifacts=artifacts)


def _files(root: Path) -> Iterator[tuple[str, str, Path]]:
    """Regular files of runs: the kind of thing, its name, and where it lies; in order of path."""
    found: list[tuple[str, ...]] = []
    for entry in walk(root):
        parts = PurePosixPath(entry.name).parts
        if stat.S_ISREG(entry.status.st_mode) and len(parts) >= 4 and _RUN_ID.fullmatch(parts[1]):
            found.append(parts)
            if len(found) >= _MAX_FILES:
                break
    for parts in sorted(found):
        yield parts[2], "/".join(parts[3:]), root.joinpath(*parts)


def _read(path: Path, limit: int) -> bytes:
    """At most ``limit`` bytes of a regular file."""
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
        return file.read(limit)


def _metric_points(name: str, path: Path) -> Iterator[MetricPoint]:
    """The lines ``timestamp value step`` of a metric's file."""
    named = read_name(name)
    for line in _read(path, _MAX_METRIC_FILE).decode("utf-8", "replace").splitlines():
        try:
            value, step = _value_and_step(line.split())
        except (ValueError, IndexError):
            continue
        yield MetricPoint(
            name=named.text or name,
            value=value,
            split=named.split,
            step=step,
            text=f"{name} = {value}",
            source="mlflow",
        )


def _value_and_step(fields: list[str]) -> tuple[float, int]:
    return float(fields[1]), int(fields[2]) if len(fields) > 2 else 0
