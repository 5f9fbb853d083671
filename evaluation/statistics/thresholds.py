"""Success by several thresholds of improvement, at the end of a run and at its best step."""

from __future__ import annotations

from collections.abc import Sequence

from environment.records import RunResult, Thresholds
from evaluation.competence import THRESHOLDS, success_at
from evaluation.statistics.estimate import Estimate, wilson
from foundation.records import Record


class Rates(Record):
    """Success rates with their Wilson intervals.

    Attributes:
        at: By threshold, in percent.
        beyond_noise: By the noise-aware threshold; ``None`` where the starter's scatter is not known.
    """

    at: dict[int, Estimate]
    beyond_noise: Estimate | None


class ThresholdSummary(Record):
    """One contestant's runs as one sample.

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
    best = [result.best for result in results if result.best is not None]
    noise = all(result.noise_threshold is not None for result in results if result.score is not None)
    return ThresholdSummary(
        contestant=contestant,
        runs=len(results),
        end=_rates([(success_at(one.improvement), one.success_beyond_noise) for one in results], noise=noise),
        best_runs=len(best),
        best=_rates([(one.success_at, one.success_beyond_noise) for one in best], noise=noise) if best else None,
    )


def _rates(runs: Sequence[tuple[Thresholds, bool]], *, noise: bool) -> Rates:
    return Rates(
        at={threshold: wilson(sum(at[threshold] for at, _ in runs), len(runs)) for threshold in THRESHOLDS},
        beyond_noise=wilson(sum(beyond for _, beyond in runs), len(runs)) if noise else None,
    )
