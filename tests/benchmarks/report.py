"""Time, memory and size of auditing and reporting many runs out of a store.

Run with ``python -m tests.benchmarks.report --runs 1000 --steps 50``; ``--json`` for programs. Filling the
store is not counted; reading, auditing and writing every format are.
"""

from __future__ import annotations

import argparse
import json
import resource
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from environment.journal.entries import Journal
from environment.records import Checkpoint, Decided, Executed
from environment.snapshots.trees import Snapshots
from environment.store import Store
from evaluation.report.collect import stream_runs
from evaluation.report.model import ReportRun
from evaluation.report.write import write_report
from tests.evaluation.report.samples import sample_run

DIGEST = "0" * 64


class Figures(NamedTuple):
    """What was measured: wall and processor time, peak memory of this process and of its largest child."""

    runs: int
    steps: int
    wall_seconds: float
    cpu_seconds: float
    peak_mib: float
    peak_reader_mib: float
    html_mib: float


def fill(store: Store, run: ReportRun, folder: Path) -> None:
    """Put a run into the store as a benchmark run leaves it, its claims not yet audited."""
    journal = Journal(store, run.result.run_id)
    assert run.config is not None
    journal.write_config(run.config)
    snapshots = Snapshots(store)
    for step in run.steps:
        if step.n in run.changes:
            (folder / "train.py").write_text(f"lines = {step.n}\n" * 200)
        workspace = snapshots.take(folder)
        journal.record_decided(step.n, Decided(decision=step.decision, agent_state=DIGEST, started=step.started))
        journal.record_executed(step.n, Executed(effect=step.effect, workspace=workspace, environment_state=DIGEST))
        checkpoint = step.checkpoint.model_dump() | {"workspace": workspace}
        journal.commit(step.n, Checkpoint.model_validate(checkpoint))
    journal.write_result(run.result)


def fill_with(place: str, index: int, steps: int) -> None:
    """Put one of the sample runs into the store of a folder."""
    with tempfile.TemporaryDirectory() as workspace:
        fill(Store(f"{place}/store"), sample_run(index, steps=steps), Path(workspace))


def measure(runs: int, steps: int) -> Figures:
    """Fill a store, then time the report with the audit of every run in it."""
    with tempfile.TemporaryDirectory() as place:
        with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
            list(pool.map(partial(fill_with, place, steps=steps), range(runs), chunksize=10))
        store = Store(f"{place}/store")
        start, used = time.perf_counter(), _cpu_seconds()
        files = write_report(stream_runs(store), Path(place) / "report")
        return Figures(
            runs=files.runs,
            steps=steps,
            wall_seconds=time.perf_counter() - start,
            cpu_seconds=_cpu_seconds() - used,
            peak_mib=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
            peak_reader_mib=resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024,
            html_mib=files.html.stat().st_size / 1024**2,
        )


def _cpu_seconds() -> float:
    usages = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1_000)
    parser.add_argument("--steps", type=int, default=50)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    figures = measure(arguments.runs, arguments.steps)
    if arguments.json:
        print(json.dumps(figures._asdict()))
    else:
        for name, value in figures._asdict().items():
            print(f"{name:24} {value:,.1f}")


if __name__ == "__main__":
    main()
