"""Leaves a workspace that is hard to list, to save and to delete."""

from __future__ import annotations

import os
import socket
from pathlib import Path

from attempts import attempt, require_sandbox


def nest(depth: int) -> None:
    """Folders in folders, deeper than any path may be long."""
    here = Path.cwd()
    for _ in range(depth):
        os.mkdir("deeper")
        os.chdir("deeper")
    os.chdir(here)


def many(count: int) -> None:
    """A folder of many files."""
    Path("many").mkdir()
    for number in range(count):
        Path("many", str(number)).touch()


def odd_names() -> None:
    """Names that break lines, encodings and terminals."""
    for name in (b"two\nlines", b"\xff\xfe", b"\x1b[2J", b"-rf", b" ", b"a" * 255, "\u202e.py".encode()):
        Path(os.fsdecode(name)).write_text("odd")


def odd_files() -> None:
    """What is no regular file, or not as large as it says."""
    os.mkfifo("pipe")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
    Path("circle").symlink_to("circle")
    Path("dangling").symlink_to("nowhere")
    with Path("sparse").open("wb") as file:
        file.truncate(1_000_000_000)


def lock() -> None:
    """Take every access away."""
    Path("locked").mkdir()
    Path("locked/file").write_text("locked")
    for path in ("locked/file", "locked", "."):
        Path(path).chmod(0)


if __name__ == "__main__":
    require_sandbox()
    attempt("nest", lambda: nest(1_500))
    attempt("many files", lambda: many(5_000))
    attempt("odd names", odd_names)
    attempt("odd files", odd_files)
    attempt("lock", lock)
