"""Speed and memory of the audit: ``python -m tests.benchmarks.audit --runs 1000 --steps 50 --processes 2``.

The runs are made up from a few scripts' outputs and the sentences of the test scenarios, so they hold more claims a
step than real ones. With ``--logs FOLDER`` the logs in a folder are audited instead, again and again.
"""

from __future__ import annotations

import argparse
import itertools
import json
import resource
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from evaluation.claims.audit import audit
from evaluation.importers.detect import read_logs
from evaluation.record.log import LogStep, RunLog
from tests.evaluation.claims.worlds.every import SCENARIOS


def made_up(runs: int, steps: int) -> Iterator[RunLog]:
    """Runs that go through the scenarios' actions and sentences in turn."""
    for n in range(runs):
        scenario = SCENARIOS[n % len(SCENARIOS)]
        exchanges = itertools.cycle(scenario.exchanges)
        sentences = itertools.cycle(scenario.sentences)
        yield RunLog(
            source=f"made-up/{n}",
            steps=tuple(
                LogStep(prose={"thought": " ".join(itertools.islice(sentences, 4))}, exchanges=(next(exchanges),))
                for _ in range(steps)
            ),
        )


def repeated(folder: Path, runs: int) -> Iterator[RunLog]:
    """The logs of a folder, from the start again where there are too few."""
    logs = list(read_logs(folder))
    yield from itertools.islice(itertools.cycle(logs), runs)


def count(log: RunLog) -> tuple[int, int]:
    """Steps and claims of one run."""
    return len(log.steps), len(audit(log))


def main() -> None:
    """Audit many runs and print the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--steps", type=int, default=50)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--logs", type=Path)
    arguments = parser.parse_args()
    logs = repeated(arguments.logs, arguments.runs) if arguments.logs else made_up(arguments.runs, arguments.steps)
    started = time.perf_counter()
    steps = claims = 0
    with ProcessPoolExecutor(arguments.processes) as pool:
        for batch in _batched(logs, 50):
            for run_steps, run_claims in pool.map(count, batch, chunksize=5):
                steps, claims = steps + run_steps, claims + run_claims
    seconds = time.perf_counter() - started
    cpu = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(
        json.dumps(
            {
                "runs": arguments.runs,
                "steps": steps,
                "claims": claims,
                "seconds": round(seconds, 1),
                "cpu_seconds": round(cpu.ru_utime + cpu.ru_stime, 1),
                "peak_mb_a_process": round(cpu.ru_maxrss / 1024),
            }
        )
    )


def _batched(logs: Iterator[RunLog], size: int) -> Iterator[tuple[RunLog, ...]]:
    while batch := tuple(itertools.islice(logs, size)):
        yield batch


if __name__ == "__main__":
    main()
