"""What a sandbox adds to the time of a script: each backend against a bare subprocess, in one session.

Run with ``python -m tests.benchmarks.sandbox``; ``--json`` prints a line a figure. Runs of all backends alternate, so
that whatever else the machine does meets all of them alike; the ratios are what can be compared between machines.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from environment.sandbox import Command, Limits, available, open_sandbox

SCRIPTS = {
    "nothing": "pass",
    "import numpy and pandas": "import numpy, pandas",
    "one second of work": "import time\nend = time.process_time() + 1\nwhile time.process_time() < end: pass",
}


class Figure(NamedTuple):
    """Wall seconds of one script under one backend; ``ratio`` is of medians, against the bare subprocess."""

    script: str
    files: int
    backend: str
    fastest: float
    median: float
    added: float
    ratio: float


def measure(repetitions: int, files: int, scripts: Iterable[str]) -> Iterator[Figure]:
    """Time scripts under every backend that works here, in a workspace of so many files."""
    with tempfile.TemporaryDirectory(prefix="mlab-benchmark-") as folder:
        workspace = Path(folder, "workspace")
        workspace.mkdir()
        for n in range(files):
            (workspace / f"file{n}").touch()
        runners = _runners(workspace)
        for name in scripts:
            yield from _compare(name, SCRIPTS[name], runners, repetitions, files)


def _runners(workspace: Path) -> dict[str, Callable[[str], None]]:
    def bare(code: str) -> None:
        subprocess.run([sys.executable, "-c", code], cwd=workspace, capture_output=True, check=True)

    def sandboxed(kind: str) -> Callable[[str], None]:
        sandbox = open_sandbox("docker" if kind == "docker" else "bubblewrap", label="benchmark")

        def run(code: str) -> None:
            done = sandbox.run(Command(["python", "-c", code], workspace=workspace, limits=Limits()))
            assert done.exit_code == 0, done.output.decode()

        return run

    return {"bare": bare} | {found.kind: sandboxed(found.kind) for found in available() if found.works}


def _compare(
    script: str, code: str, runners: dict[str, Callable[[str], None]], repetitions: int, files: int
) -> list[Figure]:
    times: dict[str, list[float]] = {backend: [] for backend in runners}
    for repetition in range(repetitions + 1):
        for backend, run in runners.items():
            began = time.perf_counter()
            run(code)
            if repetition:  # the first one fills caches
                times[backend].append(time.perf_counter() - began)
    bare = statistics.median(times["bare"])
    return [
        Figure(script, files, backend, min(taken), median, median - bare, median / bare)
        for backend, taken in times.items()
        for median in [statistics.median(taken)]
    ]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=15)
    parser.add_argument("--scripts", nargs="*", choices=list(SCRIPTS), default=list(SCRIPTS))
    parser.add_argument("--files", type=int, nargs="*", default=[0, 5_000], help="files in the workspace")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    if not arguments.json:
        print(f"{'script':24} {'files':>6} {'backend':12} {'min ms':>8} {'median ms':>10} {'added ms':>9} {'ratio':>6}")
    for files in arguments.files:
        for figure in measure(arguments.repetitions, files, arguments.scripts):
            print(json.dumps(figure._asdict()) if arguments.json else _row(figure), flush=True)


def _row(figure: Figure) -> str:
    name, files, backend, *seconds, ratio = figure
    fastest, median, added = (1e3 * value for value in seconds)
    return f"{name:24} {files:6} {backend:12} {fastest:8.0f} {median:10.0f} {added:9.0f} {ratio:6.1f}"


if __name__ == "__main__":
    main()
