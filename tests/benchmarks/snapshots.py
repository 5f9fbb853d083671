"""Time and space of a step's snapshot against a plain copy of the workspace, in one session.

Run with ``python -m tests.benchmarks.snapshots``; ``--json`` for programs.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

from environment.snapshots.trees import Snapshots
from environment.store import Store

MiB = 1024**2


class Measured(NamedTuple):
    """One workspace, its steps snapshot and copied; times in milliseconds a step, space in bytes a step."""

    workspace: str
    steps: int
    first_ms: float
    unchanged_ms: float
    changed_ms: float
    restore_ms: float
    copy_ms: float
    unchanged_bytes: float
    changed_bytes: float
    copy_bytes: float


def one_large_file(root: Path) -> None:
    """200 MiB that no step changes, and a small script that each does."""
    with (root / "data.bin").open("wb") as file:
        for _ in range(200):
            file.write(os.urandom(MiB))


def small_files(root: Path) -> None:
    """5,000 files of 2 kB in 50 folders."""
    for number in range(5_000):
        folder = root / f"folder-{number % 50}"
        folder.mkdir(exist_ok=True)
        (folder / f"{number}.txt").write_bytes(os.urandom(2_000))


def flat_files(root: Path) -> None:
    """5,000 files of 2 kB in one folder."""
    for number in range(5_000):
        (root / f"{number}.txt").write_bytes(os.urandom(2_000))


def project(root: Path) -> None:
    """A usual workspace: 20 files."""
    for number in range(20):
        (root / f"module_{number}.py").write_text(f"value = {number}\n" * 100)


def measure(make: Callable[[Path], None], steps: int) -> Measured:
    """Take ``steps`` snapshots of an unchanged and of a changing workspace, and as many copies."""
    with tempfile.TemporaryDirectory() as place:
        root, store = Path(place) / "workspace", Store(f"{place}/store")
        root.mkdir()
        make(root)
        (root / "train.py").write_text("print(0)\n")
        snapshots = Snapshots(store)
        first = _milliseconds(lambda: snapshots.take(root))
        snapshots.take(root)
        before = _size(Path(place) / "store")
        unchanged = [_milliseconds(lambda: snapshots.take(root)) for _ in range(steps)]
        between = _size(Path(place) / "store")
        changed = []
        for step in range(steps):
            (root / "train.py").write_text(f"print({step})\n")
            changed.append(_milliseconds(lambda: snapshots.take(root)))
        after = _size(Path(place) / "store")
        digest = snapshots.take(root)
        (root / "train.py").unlink()
        restore = _milliseconds(lambda: snapshots.restore(digest, root))
        copies = [_milliseconds(partial(shutil.copytree, root, f"{place}/copy-{n}")) for n in range(3)]
        return Measured(
            workspace=make.__name__.replace("_", " "),
            steps=steps,
            first_ms=first,
            unchanged_ms=statistics.median(unchanged),
            changed_ms=statistics.median(changed),
            restore_ms=restore,
            copy_ms=statistics.median(copies),
            unchanged_bytes=(between - before) / steps,
            changed_bytes=(after - between) / steps,
            copy_bytes=_size(Path(place) / "copy-0"),
        )


def growth(steps: int) -> tuple[float, float]:
    """Milliseconds of an early and of a late snapshot of one changing workspace, over ``steps`` steps."""
    with tempfile.TemporaryDirectory() as place:
        root, snapshots = Path(place) / "workspace", Snapshots(Store(f"{place}/store"))
        root.mkdir()
        project(root)
        times = []
        for step in range(steps):
            (root / "train.py").write_text(f"print({step})\n")
            times.append(_milliseconds(lambda: snapshots.take(root)))
        return statistics.median(times[5:25]), statistics.median(times[-20:])


def table(rows: list[Measured]) -> Table:
    """The figures as ratios: how many times less than a copy."""
    shown = Table(title="A step's snapshot against a plain copy")
    for column in ("workspace", "first", "unchanged", "one file changed", "restore", "copy", "faster", "space", "less"):
        shown.add_column(column, justify="left" if column == "workspace" else "right")
    for row in rows:
        shown.add_row(
            row.workspace,
            f"{row.first_ms:,.0f} ms",
            f"{row.unchanged_ms:.1f} ms",
            f"{row.changed_ms:.1f} ms",
            f"{row.restore_ms:.0f} ms",
            f"{row.copy_ms:,.0f} ms",
            f"{row.copy_ms / row.changed_ms:,.0f} ×",
            f"{row.unchanged_bytes:,.0f} / {row.changed_bytes:,.0f} B",
            f"{row.copy_bytes / max(1.0, row.changed_bytes):,.0f} ×",
        )
    return shown


def _milliseconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return 1_000 * (time.perf_counter() - start)


def _size(folder: Path) -> int:
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file())


def main() -> None:
    """Measure all, print a table or JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=30)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    rows = [measure(make, arguments.steps) for make in (one_large_file, small_files, flat_files, project)]
    early, late = growth(500)
    if arguments.json:
        figures = {"snapshots": [row._asdict() for row in rows], "early_ms": early, "late_ms": late}
        print(json.dumps(figures))
        return
    console = Console()
    console.print(table(rows))
    console.print(f"Step 500 takes {late / early:.2f} × as long as step 10 ({late:.1f} ms against {early:.1f} ms).")


if __name__ == "__main__":
    main()
