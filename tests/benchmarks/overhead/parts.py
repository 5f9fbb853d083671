"""The parts of the benchmark; each returns lines of figures, ratios first."""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from environment.journal.runs import list_runs
from environment.store import RunKeys, Store
from flows.services.server import prefect_service
from flows.settings import Settings
from tests.benchmarks.overhead.child import SLOPE
from tests.benchmarks.overhead.servers import measured, measured_at_once, server_on

DATABASES = ("sqlite", "postgresql")
TURNS = 4
STEPS = 12
LONG_RUN = 500
AT_ONCE = (8, 32)


class Figures(NamedTuple):
    """A sentence, and the numbers in it."""

    text: str
    values: dict[str, float | str]


_AGAINST = (
    ("writes", "bare", "of a bare subflow"),
    ("runs", "bare-runs", "of a bare subflow that runs the same script"),
    ("runs", "bare", "of a bare subflow"),
)


def step(databases: Sequence[str] = DATABASES) -> list[Figures]:
    """A step of ours against a subflow that does nothing, or runs the same script, by turns in one process."""
    found = []
    for database in databases:
        with new_home() as home, server_on(database, home) as variables:
            times = measured(variables, "bare,bare-runs,writes,runs", STEPS, rounds=TURNS)
        medians = {kind: statistics.median(each) for kind, each in times.items()}
        for kind, against, what in _AGAINST:
            ours, bare = medians[kind], medians[against]
            share = (ours - bare) / bare
            text = (
                f"{database}, a step that {kind}: {share:+.0%} {what} "
                f"({ours:.0f} ms less the script's own time, against {bare:.0f} ms)"
            )
            values: dict[str, float | str] = {"server": database, "kind": kind, "against": against, "share": share}
            found.append(Figures(text, {**values, "ms": ours, "bare_ms": bare}))
    return found


def growth(databases: Sequence[str] = DATABASES) -> list[Figures]:
    """Early against late steps of one long run, beside early against late bare subflows."""
    with new_home() as home, server_on(databases[0], home) as variables:
        times = measured(variables, "bare,writes", LONG_RUN)
    found = []
    for kind, each in times.items():
        early, late = statistics.median(each[5:45]), statistics.median(each[-40:])
        text = (
            f"{kind}: step {LONG_RUN} takes {late / early:.2f} × as long as step 10 ({late:.0f} against {early:.0f} ms)"
        )
        found.append(Figures(text, {"kind": kind, "ratio": late / early, "early_ms": early, "late_ms": late}))
    return found


def many(databases: Sequence[str] = DATABASES) -> list[Figures]:
    """Runs side by side against as many bare flows, each in a process of its own, forked as those of a local sweep."""
    found = []
    for database in databases:
        for count in AT_ONCE:
            with new_home() as home, server_on(database, home) as variables:
                medians = {kind: _at_once(variables, kind, count) for kind in ("bare", "writes")}
            (ours, ended), (bare, _) = medians["writes"], medians["bare"]
            share = (ours - bare) / bare
            text = (
                f"{database}, {count} at once: {ended} of {count} runs ended well; {share:+.0%} of bare subflows "
                f"({ours:,.0f} against {bare:,.0f} ms a step)"
            )
            values: dict[str, float | str] = {"server": database, "runs": count, "ended": ended, "share": share}
            found.append(Figures(text, {**values, "ms": ours, "bare_ms": bare}))
    return found


def sizes(databases: Sequence[str] = DATABASES) -> list[Figures]:
    """What a run leaves in the store, and what of it are tables."""
    with new_home() as home, server_on(databases[0], home) as variables:
        measured(variables, "writes", 100)
        store = Store(str(home / "store"))
        (run_id,) = list_runs(store)
        whole = _size(home / "store")
        tables = {name: store.size(RunKeys(run_id=run_id).table(name)) or 0 for name in _tables(home, run_id)}
    shown = ", ".join(f"{name} {size / 1_000:.0f} kB" for name, size in tables.items())
    text = f"a run of 101 steps: {whole / 101 / 1_000:.1f} kB a step in the store, of it once for the run: {shown}"
    return [Figures(text, {"bytes_a_step": whole / 101, **tables})]


def start(databases: Sequence[str] = DATABASES) -> list[Figures]:
    """Seconds from the command to the first decision: on a new home folder, and on one with its server running."""
    del databases  # the server that a run starts by itself is on SQLite
    with new_home() as home:
        cold = _first_step(home)
        warm = statistics.median(_first_step(home) for _ in range(3))
        prefect_service(Settings(home=home)).stop()
        restarted = _first_step(home)
        prefect_service(Settings(home=home)).stop()
    text = (
        f"warm {warm:.1f} s; {cold / warm:.1f} × in a new home folder ({cold:.1f} s), "
        f"{restarted / warm:.1f} × where the server has to start ({restarted:.1f} s)"
    )
    return [Figures(text, {"warm_s": warm, "cold_s": cold, "restarted_s": restarted})]


def _at_once(variables: dict[str, str], kind: str, count: int) -> tuple[float, int]:
    """The median of all steps' times, and how many processes ended well."""
    ended = measured_at_once(variables, kind, STEPS // 2, count)
    return statistics.median(ms for times in ended for ms in times), len(ended)


def _first_step(home: Path) -> float:
    runs = home / "store" / "runs"
    known = set(runs.glob("*")) if runs.exists() else set()
    started = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-m", "flows", "run", str(SLOPE), "--agent", "nop", "--json"],
        env={**os.environ, "MLAB_HOME": str(home)},
        stdout=subprocess.DEVNULL,
    )
    while not any(path.parents[2] not in known for path in runs.glob("*/steps/*/decided.json")):
        if process.poll() is not None:
            raise RuntimeError("the run ended before its first step")
        time.sleep(0.01)
    seconds = time.monotonic() - started
    process.wait()
    return seconds


def _tables(home: Path, run_id: str) -> list[str]:
    return sorted(path.stem for path in (home / "store" / "runs" / run_id).glob("*.parquet"))


def _size(folder: Path) -> int:
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file())


@contextmanager
def new_home() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="mlab-overhead-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
