"""Success by several thresholds of improvement, at the end of a run and at its best step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from environment.records import RunResult, Thresholds
from evaluation.competence import THRESHOLDS, success_at
from evaluation.statistics.entries import group_by
from evaluation.statistics.estimate import Estimate
from evaluation.statistics.means import rate_over_tasks
from foundation.records import Record


class Rates(Record):
    """Success rates, tasks weighing alike, with intervals for running the same tasks again.

    Attributes:
        at: By threshold, in percent.
        beyond_noise: By the noise-aware threshold; ``None`` where the starter's scatter is not known.
    """

    at: dict[int, Estimate]
    beyond_noise: Estimate | None


class ThresholdSummary(Record):
    """One contestant's success by threshold.

    Attributes:
        runs: All runs; one without a score failed.
        end: Success of what was submitted in the end.
        best_runs: Runs of which every step was graded.
        best: Success of their best steps: what a perfect choice among an agent's own steps would reach.
    """

    contestant: str
    runs: int
    end: Rates
    best_runs: int
    best: Rates | None


def threshold_summary(contestant: str, results: Sequence[RunResult]) -> ThresholdSummary:
    """The rates of at least one run."""
    best = [(result.task, result.best) for result in results if result.best is not None]
    noise = all(result.noise_threshold is not None for result in results if result.score is not None)
    reached = [_Run(one.task, success_at(one.improvement), one.success_beyond_noise) for one in results]
    at_best = [_Run(task, one.success_at, one.success_beyond_noise) for task, one in best]
    return ThresholdSummary(
        contestant=contestant,
        runs=len(results),
        end=_rates(reached, noise=noise),
        best_runs=len(best),
        best=_rates(at_best, noise=noise) if best else None,
    )


class _Run(NamedTuple):
    task: str
    at: Thresholds
    beyond_noise: bool


def _rates(runs: Sequence[_Run], *, noise: bool) -> Rates:
    by_task = list(group_by(runs, lambda run: run.task).values())

    def rate(succeeded: Callable[[_Run], bool]) -> Estimate:
        return rate_over_tasks([sum(map(succeeded, of_task)) for of_task in by_task], [len(one) for one in by_task])

    return Rates(
        at={threshold: rate(lambda run: run.at[threshold]) for threshold in THRESHOLDS},  # noqa: B023 (called at once)
        beyond_noise=rate(lambda run: run.beyond_noise) if noise else None,
    )
