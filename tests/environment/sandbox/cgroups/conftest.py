"""Real control groups of version 2; also where version 1 has the controllers, its groups behave as on any machine."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest


def _mount_point() -> Path | None:
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        if " - cgroup2 " in line and os.access(point := Path(line.split()[4]), os.W_OK):
            return point
    return None


@pytest.fixture
def unified() -> Iterator[Path]:
    """A fresh group of version 2, removed with all below it."""
    point = _mount_point()
    if point is None:
        pytest.skip("no hierarchy of version 2 that this user may write to")
    group = point / f"test-{os.getpid()}"
    group.mkdir()
    try:
        yield group
    finally:
        for folder in [*group.rglob("*/"), group]:
            with suppress(OSError):
                folder.rmdir()
