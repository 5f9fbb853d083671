"""One process of the benchmark: runs flows on the server of its environment, and prints times as JSON.

Run as ``python -m tests.benchmarks.overhead.child KIND STEPS ROUNDS``, with KIND ``bare``, ``bare-runs``, ``writes``
or ``runs``, or several joined by commas, which then take turns.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from environment.records import Budget, Checkpoint, Decision, Effect, RunConfig
from flows.run.observer import Observer, watched_by
from flows.services.variables import configure_process
from flows.settings import Settings
from tests.benchmarks.overhead.agents import WAITS

SLOPE = Path(__file__).parents[2] / "tasks" / "slope"


class Clock(Observer):
    """Takes the time between commits, less that of scripts."""

    def __init__(self) -> None:
        self.milliseconds: list[float] = []
        self._last: float | None = None
        self._scripts = 0.0

    def executed(self, n: int, effect: Effect) -> None:
        self._scripts = effect.training_run.seconds if effect.training_run else 0.0

    def committed(self, n: int, decision: Decision, checkpoint: Checkpoint) -> None:
        now = time.perf_counter()
        if self._last is not None:
            self.milliseconds.append(1_000 * (now - self._last - self._scripts))
        self._last = now


def run_script() -> float:
    """Run the script of the agent that runs one, as a program would that has no more to do with it; its seconds."""
    with subprocess.Popen([sys.executable, "-u", "-c", WAITS], stdout=subprocess.PIPE) as process:
        began = time.perf_counter()
        process.communicate()
        return time.perf_counter() - began


def bare(steps: int, work: Callable[[], float] = lambda: 0.0) -> list[float]:
    """Times of subflows that do nothing else than some work, with the settings of ours, less the work's own seconds."""
    from prefect import flow
    from prefect.settings import PREFECT_FLOWS_HEARTBEAT_FREQUENCY, temporary_settings

    from flows.run.one_client import one_client

    times: list[float] = []
    worked = 0.0

    @flow(name="bare-step", persist_result=True, result_serializer="json")
    def bare_step(n: int) -> int:
        nonlocal worked
        worked = work()
        return n

    @flow(name="bare-run", persist_result=True, result_serializer="json")
    def bare_run() -> None:
        with temporary_settings({PREFECT_FLOWS_HEARTBEAT_FREQUENCY: None}), one_client():
            for n in range(steps + 1):
                started = time.perf_counter()
                bare_step(n, return_state=True)
                times.append(1_000 * (time.perf_counter() - started - worked))

    bare_run()
    return times[1:]


def ours(agent: str, steps: int) -> list[float]:
    """Times of the steps of a benchmark run."""
    from flows.run.flow import benchmark_run

    clock = Clock()
    config = RunConfig(
        task=str(SLOPE), agent=f"tests.benchmarks.overhead.agents:{agent}", budget=Budget(steps=steps + 1)
    )
    with watched_by(clock):
        benchmark_run(config)
    return clock.milliseconds


KINDS: dict[str, Callable[[int], list[float]]] = {
    "bare": bare,
    "bare-runs": lambda steps: bare(steps, run_script),
    "writes": lambda steps: ours("Writes", steps),
    "runs": lambda steps: ours("Runs", steps),
}


def main() -> None:
    """Take turns, and print the times of each kind."""
    configure_process(Settings())
    kinds, steps, rounds = sys.argv[1].split(","), int(sys.argv[2]), int(sys.argv[3])
    times: dict[str, list[float]] = {kind: [] for kind in kinds}
    for _ in range(rounds):
        for kind in kinds:
            times[kind] += KINDS[kind](steps)
    print(json.dumps(times))


if __name__ == "__main__":
    main()
