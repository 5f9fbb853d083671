"""Fills a folder: ``python disk.py FOLDER``."""

from __future__ import annotations

import sys
from pathlib import Path

from attempts import attempt, require_sandbox


def fill(folder: str) -> None:
    """Write until nothing more goes in."""
    for number in range(1_000):
        with Path(folder, f"filler_{number}").open("wb") as file:
            for _ in range(100):
                file.write(b"x" * 1_000_000)


if __name__ == "__main__":
    require_sandbox()
    attempt(f"fill {sys.argv[1]}", lambda: fill(sys.argv[1]))
