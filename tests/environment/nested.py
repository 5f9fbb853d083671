"""Folders within folders, deeper than any path can name."""

from __future__ import annotations

import os
from pathlib import Path

DEEP = 1_200


def nest(root: Path) -> None:
    """Make ``DEEP`` folders, each in the one before."""
    here = os.open(root, os.O_RDONLY)
    for _ in range(DEEP):
        os.mkdir("d", dir_fd=here)
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
