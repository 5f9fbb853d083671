"""What the agents without a model reach in the same time or training runs: each against the tuner, seed by seed.

They play outside any run, in the sandbox, turn by turn within each seed, so that what else the machine does hits all
of them alike. Run with ``python -m tests.benchmarks.search``; each line printed is one play as JSON, then a line for
each task and agent with its mean score and on how many seeds it was better or worse than the tuner.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from agent.protocol import AgentContext
from environment.records import Budget
from evaluation.grading import grade
from flows.data import data_of
from flows.grading.proofs import open_environment, play
from flows.settings import Settings
from tasks_catalog.catalog import load_task
from tasks_catalog.library.spec import Direction, Variant

TUNER = "tuner"
AGENTS = (TUNER, "bandit", "ensemble")
TASKS = ("house-price", "spaceship-titanic", "parkinsons-disease")
ENOUGH_TRIALS = 10_000
"""Time, not the number of trials, ends the search."""


class Played(NamedTuple):
    """One agent on one task with one seed."""

    task: str
    agent: str
    seed: int
    score: float | None
    training_runs: int
    seconds: float


def played(task_name: str, agent: str, seed: int, budget: Budget, settings: Settings) -> Played:
    """Play an agent to the end of a budget, and grade what it leaves."""
    task = load_task(task_name)
    data = data_of(task, Variant.MINI, settings)
    sandbox = settings.open_sandbox("auto", f"search-{agent}")
    context = AgentContext(seed=seed, settings={"trials": ENOUGH_TRIALS})
    with tempfile.TemporaryDirectory(prefix="mlab-search-") as folder:
        with open_environment(task, Variant.MINI, data, sandbox, Path(folder)) as (environment, workspace):
            steps = play(agent, task, environment, context=context, budget=budget)
        report = grade(task, Variant.MINI, data, workspace.root, sandbox)
    runs = sum(step.effect.training_run is not None for step in steps)
    return Played(task_name, agent, seed, report.score, runs, steps[-1].checkpoint.spent.wall_seconds)


def compared(plays: Sequence[Played], task_name: str) -> list[str]:
    """A line an agent: its mean score, and the seeds on which it was better or worse than the tuner."""
    sign = 1 if load_task(task_name).spec.metric.direction is Direction.MAXIMIZE else -1
    by_agent: defaultdict[str, dict[int, Played]] = defaultdict(dict)
    for one in plays:
        if one.task == task_name and one.score is not None:
            by_agent[one.agent][one.seed] = one
    lines = []
    for agent, of_one in by_agent.items():
        gains = [
            sign * ((found.score or 0.0) - (tuned.score or 0.0))
            for seed, found in of_one.items()
            if (tuned := by_agent[TUNER].get(seed)) is not None
        ]
        mean = statistics.fmean(found.score or 0.0 for found in of_one.values())
        runs = statistics.fmean(found.training_runs for found in of_one.values())
        better, worse = sum(gain > 0 for gain in gains), sum(gain < 0 for gain in gains)
        gained = statistics.fmean(gains) if gains else float("nan")
        lines.append(
            f"{task_name}, {agent}: mean score {mean:.5g} over {len(of_one)} seeds, {runs:.1f} training runs; "
            f"against the tuner {gained:+.4g} in the mean, better on {better}, worse on {worse} of {len(gains)}"
        )
    return lines


def main() -> None:
    """Play and compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tasks", default=",".join(TASKS))
    parser.add_argument("--agents", default=",".join(AGENTS))
    parser.add_argument("--seeds", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=60, help="of each play; 0 for no limit")
    parser.add_argument("--runs", type=int, default=0, help="training runs of each play; 0 for no limit")
    asked = parser.parse_args()
    settings, tasks = Settings(), asked.tasks.split(",")
    budget = Budget(seconds=asked.seconds or None, training_runs=asked.runs or None)
    plays: list[Played] = []
    for seed in range(asked.seeds):
        for task in tasks:
            for agent in asked.agents.split(","):
                plays.append(played(task, agent, seed, budget, settings))
                print(json.dumps(plays[-1]._asdict()), flush=True)
    for task in tasks:
        print("\n".join(compared(plays, task)))


if __name__ == "__main__":
    main()
