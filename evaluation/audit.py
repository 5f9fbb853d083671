"""Audits logs on disk, whoever made them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from evaluation.claims.audit import audit
from evaluation.claims.claim import Claim
from evaluation.claims.reading.reader import Reader
from evaluation.importers.detect import read_logs
from evaluation.importers.errors import LogError


def audit_path(
    path: Path, *, reader: Reader | None = None, on_error: Callable[[LogError], None] | None = None
) -> Iterator[Claim]:
    """Audit every log under a path, one run in memory at a time.

    Args:
        path: A log file, a run's log folder, or a folder that holds many.
        reader: Finds claims instead of the built-in rules; the verdicts are the same code.
        on_error: Called for each log that cannot be read; without it the first one raises.

    Raises:
        LogError: Nothing to read there, or a log is broken.
    """
    for log in read_logs(path, on_error):
        yield from audit(log, reader=reader)
