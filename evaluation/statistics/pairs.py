"""Two agents on the same tasks and seeds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf

from environment.records import RunResult
from evaluation.statistics.entries import group_by
from evaluation.statistics.estimate import CONFIDENCE, Estimate
from evaluation.statistics.means import Bounds, Tasks, mean_over_tasks
from evaluation.statistics.testing import p_of_mean, runs_needed
from foundation.records import Record
from tasks_catalog.library.spec import Variant

PairKey = tuple[str, Variant, int]
Pair = tuple[RunResult, RunResult]


class Comparison(Record):
    """How ``first`` does against ``second`` over the pairs they share.

    Attributes:
        first: One contestant.
        second: The other.
        pairs: Runs on the same task, variant and seed.
        tasks: Number of tasks among them.
        success: Difference in success rate, averaged over tasks.
        improvement: Difference in relative improvement, averaged over tasks; a missing score counts as
            the baseline's, 0.
        superiority: The effect size: the chance that ``first`` scores better than ``second`` on a pair,
            ties by half. 0.5 is no effect; a missing score loses to any other.
        p_value: Exact McNemar test on success: the chance of discordant pairs this uneven, were
            the agents alike. ``None`` without discordant pairs.
        improvement_p: Student's t on the paired differences in improvement; where all of them are alike, the sign
            test. The same test as the interval of ``improvement``.
        seeds_needed: About how many pairs a task would show this difference in improvement in four of five
            studies, by the scatter of these; ``None`` where they show no scatter or no difference.
    """

    first: str
    second: str
    pairs: int
    tasks: int
    success: Estimate
    improvement: Estimate
    superiority: Estimate
    p_value: float | None
    improvement_p: float | None
    seeds_needed: int | None


def compare(
    first: tuple[str, Sequence[RunResult]],
    second: tuple[str, Sequence[RunResult]],
    *,
    tasks: Tasks = "same",
    tests: int = 1,
) -> Comparison | None:
    """Compare two contestants on the runs that differ in nothing but the contestant.

    Args:
        first: One contestant's name and runs.
        second: The other's.
        tasks: What the intervals speak of.
        tests: How many such pairs are tested: so much harder it is to show a difference.

    Returns:
        ``None`` where they share no task, variant and seed.
    """
    return compare_pairs(first[0], second[0], match(first[1], second[1]), tasks=tasks, tests=tests)


def match(first: Sequence[RunResult], second: Sequence[RunResult]) -> list[Pair]:
    """Pairs of the same task, variant and seed; repeats of one are paired in order, the rest left out.

    Imported runs have no seed that is known, and no pair.
    """
    others = group_by((result for result in second if not result.is_imported), _pair_key)
    return [
        pair
        for key, mine in group_by((result for result in first if not result.is_imported), _pair_key).items()
        for pair in zip(mine, others.get(key, ()), strict=False)
    ]


def compare_pairs(
    first: str,
    second: str,
    pairs: Sequence[Pair],
    *,
    tasks: Tasks = "same",
    confidence: float = CONFIDENCE,
    tests: int = 1,
) -> Comparison | None:
    """Compare two contestants on pairs already matched; ``None`` without pairs.

    Source: superiority is the probability of improvement of Agarwal et al. (2021), taken over pairs;
    the test is Q. McNemar (1947), Psychometrika 12, 153-157, exact by the binomial distribution.
    """
    if not pairs:
        return None
    by_task = list(group_by(pairs, lambda pair: (pair[0].task, pair[0].variant)).values())

    def estimate(measure: Callable[[RunResult, RunResult], float], bounds: Bounds | None = None) -> Estimate:
        groups = [[measure(a, b) for a, b in of_task] for of_task in by_task]
        return mean_over_tasks(groups, tasks=tasks, bounds=bounds, confidence=confidence)

    gains = [[_gain(a, b) for a, b in of_task] for of_task in by_task]
    return Comparison(
        first=first,
        second=second,
        pairs=len(pairs),
        tasks=len(by_task),
        success=estimate(lambda a, b: float(a.success) - float(b.success), (-1.0, 1.0)),
        improvement=estimate(_gain),
        superiority=estimate(_superiority, (0.0, 1.0)),
        p_value=_mcnemar(pairs),
        improvement_p=p_of_mean(gains),
        seeds_needed=runs_needed(gains, tests),
    )


def _pair_key(result: RunResult) -> PairKey:
    return result.task, result.variant, result.seed


def _gain(first: RunResult, second: RunResult) -> float:
    return (first.improvement or 0.0) - (second.improvement or 0.0)


def _superiority(first: RunResult, second: RunResult) -> float:
    mine = -inf if first.improvement is None else first.improvement
    other = -inf if second.improvement is None else second.improvement
    return 0.5 if mine == other else float(mine > other)


def _mcnemar(pairs: Sequence[Pair]) -> float | None:
    from scipy.stats import binomtest

    won = sum(a.success and not b.success for a, b in pairs)
    lost = sum(b.success and not a.success for a, b in pairs)
    return float(binomtest(won, won + lost).pvalue) if won + lost else None
