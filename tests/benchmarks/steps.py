"""What a step costs besides its script: the environment's action and the snapshot after it, in one session.

Each step runs a script that does nothing. Measured beside it, turn by turn, are the same script as a bare
subprocess, and that subprocess followed by a copy of the whole workspace, which is how the original keeps
its steps. Run with ``python -m tests.benchmarks.steps``; ``--json`` prints a line a figure.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from environment.sandbox import available, open_sandbox
from environment.snapshots.trees import Snapshots
from tests.benchmarks.snapshots import flat_files, one_large_file, project
from tests.environment.bench import LIMITS, Bench, make_bench

WORKSPACES = {"20 files": project, "a file of 200 MiB": one_large_file, "5,000 files": flat_files}
SCRIPT = "train.py"
GIB = 1024**3


class Figure(NamedTuple):
    """Median wall seconds of a step, its ratio to the bare subprocess, and the bytes that each further one keeps."""

    workspace: str
    step: str
    seconds: float
    ratio: float
    kept: float


def measure(workspace: str, repetitions: int) -> Iterator[Figure]:
    """Time all kinds of step in one kind of workspace, turn by turn."""
    with tempfile.TemporaryDirectory(prefix="mlab-benchmark-") as folder:
        place = Path(folder)
        steps = {"bare subprocess": _bare(place, workspace), "subprocess and copy": _copied(place, workspace)}
        for found in available():
            if found.works:
                steps |= _ours(place, workspace, found.kind)
        for step in steps.values():
            step()  # the first one fills caches, and stores what the others share
        first = {name: _kept(place / name) for name in steps}
        times: dict[str, list[float]] = {name: [] for name in steps}
        for _ in range(repetitions):
            for name, step in steps.items():
                began = time.perf_counter()
                step()
                times[name].append(time.perf_counter() - began)
        bare = statistics.median(times["bare subprocess"])
        for name, taken in times.items():
            median = statistics.median(taken)
            yield Figure(workspace, name, median, median / bare, (_kept(place / name) - first[name]) / repetitions)


def _bare(place: Path, workspace: str) -> Callable[[], None]:
    root = _filled(place / "bare subprocess" / "workspace", workspace)
    return lambda: _run(root)


def _copied(place: Path, workspace: str) -> Callable[[], None]:
    root = _filled(place / "subprocess and copy" / "workspace", workspace)
    copies = root.parent / "kept"

    def step() -> None:
        _run(root)
        shutil.copytree(root, copies / str(time.perf_counter_ns()))

    return step


def _ours(place: Path, workspace: str, kind: str) -> dict[str, Callable[[], None]]:
    """A script and a look at a file, each with the snapshot after it."""
    steps = {}
    for name, action in {"Execute Script": "script_name", "Read File": "file_name"}.items():
        folder = place / f"{name}, {kind}"
        _filled(folder / "workspace", workspace)
        sandbox = open_sandbox("docker" if kind == "docker" else "bubblewrap", label="benchmark")
        bench = make_bench(folder, limits=LIMITS.model_copy(update={"workspace_size": GIB}), sandbox=sandbox)
        steps[folder.name] = _step(bench, name, action)
    return steps


def _step(bench: Bench, name: str, argument: str) -> Callable[[], None]:
    snapshots = Snapshots(bench.store)

    def step() -> None:
        bench.act(name, **{argument: SCRIPT})
        snapshots.take(bench.root)

    return step


def _filled(root: Path, workspace: str) -> Path:
    root.mkdir(parents=True)
    WORKSPACES[workspace](root)
    (root / SCRIPT).write_text("pass\n")
    return root


def _run(root: Path) -> None:
    subprocess.run([sys.executable, SCRIPT], cwd=root, capture_output=True, check=True)


def _kept(folder: Path) -> int:
    """Bytes on disk besides the workspace itself."""
    places = (folder / "store", folder / "kept")
    return sum(path.lstat().st_size for place in places for path in place.rglob("*") if path.is_file())


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=15)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    if not arguments.json:
        print(f"{'workspace':18} {'step':28} {'median ms':>10} {'ratio':>6} {'kept MiB':>10}")
    for workspace in WORKSPACES:
        for figure in measure(workspace, arguments.repetitions):
            print(json.dumps(figure._asdict()) if arguments.json else _row(figure), flush=True)


def _row(figure: Figure) -> str:
    name, step, seconds, ratio, kept = figure
    return f"{name:18} {step:28} {1e3 * seconds:10.0f} {ratio:6.1f} {kept / 1024**2:10.3f}"


if __name__ == "__main__":
    main()
