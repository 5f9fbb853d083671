"""Averages over tasks, each of which was run several times, with intervals that hold at few runs as well.

Two questions, and a report states which one it answers:

``same``
    How would the average move if the *same* tasks were run again? The scatter of runs within their task tells.
``other``
    How would it move on *other tasks of this kind*? The scatter between the tasks tells, that of runs within it.

A percentile bootstrap answers neither at the numbers of runs that people can pay for: of two runs its 95 % interval is
their range and covers 50 %, of eight 89 %. How often these intervals cover is simulated in the tests.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Literal, NamedTuple

import numpy as np

from evaluation.statistics.estimate import CONFIDENCE, Estimate, score_interval

Tasks = Literal["same", "other"]
Bounds = tuple[float, float]

FEWEST_TASKS = 5
"""Rates of fewer tasks tell too little of how tasks scatter: success on tasks is mostly all or nothing."""
ALIKE = 1e-12
NO_SPREAD = "none: every sample is alike"


def mean_over_tasks(
    groups: Sequence[Sequence[float]],
    *,
    tasks: Tasks = "same",
    bounds: Bounds | None = None,
    confidence: float = CONFIDENCE,
) -> Estimate:
    """The mean over tasks of the mean over runs, with Student's interval.

    For the same tasks the standard errors of the tasks are added, and the degrees of freedom are Welch's; for other
    tasks the means of the tasks are the sample.

    Args:
        groups: One sequence of run values a task, none empty.
        tasks: What the interval speaks of.
        bounds: The values that a mean can have at all.
        confidence: Coverage of the two-sided interval.

    Returns:
        The estimate; without an interval where a task has a single run (``same``), where there are fewer than five
        tasks (``other``), or where all samples are alike, because the spread cannot be seen then.

    Raises:
        ValueError: No groups, or an empty one.

    Source: B. L. Welch (1947), Biometrika 34, 28-35; F. E. Satterthwaite (1946), Biometrics Bulletin 2, 110-114.
    """
    if not groups or not all(len(group) for group in groups):
        raise ValueError("a mean over tasks needs at least one run of every task")
    means = [float(np.mean(group)) for group in groups]
    value, total = float(np.mean(means)), sum(len(group) for group in groups)
    if tasks == "other":
        if len(groups) < FEWEST_TASKS:
            return Estimate(value=value, n=total, method=f"none: fewer than {FEWEST_TASKS} tasks")
        spread = _spread([float(np.var(means, ddof=1)) / len(groups)], [len(groups) - 1])
    elif any(len(group) < 2 for group in groups):
        return Estimate(value=value, n=total, method="none: a task has a single run")
    else:
        spread = spread_within(groups)
    if spread is None:
        return Estimate(value=value, n=total, method=NO_SPREAD)
    half = quantile((1 + confidence) / 2, spread.degrees) * spread.error
    low, high = bounds or (-np.inf, np.inf)
    return Estimate(
        value=value,
        low=max(low, value - half),
        high=min(high, value + half),
        n=total,
        method=f"Student's t, {tasks} tasks",
    )


class Spread(NamedTuple):
    """The standard error of a mean over tasks, and its degrees of freedom after Welch and Satterthwaite."""

    error: float
    degrees: float


def spread_within(groups: Sequence[Sequence[float]]) -> Spread | None:
    """How a mean over the same tasks scatters, from the runs within each task; ``None`` where that cannot be seen."""
    if any(len(group) < 2 for group in groups):
        return None
    variances = [float(np.var(group, ddof=1)) / len(group) for group in groups]
    return _spread(variances, [len(group) - 1 for group in groups])


def _spread(variances: Sequence[float], freedom: Sequence[int]) -> Spread | None:
    """From the variance of each part of a mean and its degrees of freedom; ``None`` where all samples are alike."""
    variance = sum(variances) / len(variances) ** 2
    if variance < ALIKE**2:
        return None
    degrees = sum(variances) ** 2 / sum(one**2 / of for one, of in zip(variances, freedom, strict=True))
    return Spread(sqrt(variance), degrees)


def rate_over_tasks(
    successes: Sequence[int], runs: Sequence[int], *, tasks: Tasks = "same", confidence: float = CONFIDENCE
) -> Estimate:
    """The mean over tasks of success rates.

    For the same tasks it is Wilson's score interval at the number of trials of one rate that would scatter as much as
    the mean over tasks does: at most the tasks times the harmonic mean of their runs, and fewer where tasks of few runs
    have rates nearer to a half than the others. Tasks' own intervals joined would cover 74 % at one run of each of
    twenty tasks: a task that failed counts nothing below its rate, one that succeeded nothing above.
    For other tasks the rates of the tasks are the sample.

    Args:
        successes: Successes of each task.
        runs: Runs of each task, at least 1.
        tasks: What the interval speaks of.
        confidence: Coverage of the two-sided interval; for other tasks always 95 %.

    Raises:
        ValueError: No tasks, or a task without runs.

    Source: E. B. Wilson (1927), J. Am. Stat. Assoc. 22, 209-212; that unlike rates of equally many runs scatter less,
    W. Hoeffding (1956), Ann. Math. Stat. 27, 713-721.
    """
    if not runs or not all(runs):
        raise ValueError("a mean over tasks needs at least one run of every task")
    if tasks == "other":
        rates = [[won / of] for won, of in zip(successes, runs, strict=True)]
        estimate = mean_over_tasks(rates, tasks="other", bounds=(0.0, 1.0))
        return estimate.model_copy(update={"n": sum(runs)})
    value = float(np.mean([won / of for won, of in zip(successes, runs, strict=True)]))
    low, high = score_interval(value, _effective_trials(successes, runs), confidence)
    method = "Wilson score" if len(runs) == 1 else "Wilson score of the mean over tasks"
    return Estimate(value=value, low=low, high=high, n=sum(runs), method=method)


def _effective_trials(successes: Sequence[int], runs: Sequence[int]) -> float:
    """How many trials of one rate scatter as much as the mean over tasks.

    Each task's scatter is that of its rate after two more successes and two more failures, for one run tells none.

    Source: A. Agresti and B. A. Coull (1998), The American Statistician 52, 119-126.
    """
    of = np.asarray(runs, dtype=float)
    rates = (np.asarray(successes) + 2) / (of + 4)
    mean, variance = float(rates.mean()), float(np.sum(rates * (1 - rates) / of)) / len(of) ** 2
    return min(len(of) ** 2 / float(np.sum(1 / of)), mean * (1 - mean) / variance)


def quantile(share: float, degrees: float) -> float:
    """The quantile of Student's t distribution."""
    # SciPy's distributions take a second to import; the special function alone does not.
    from scipy.special import stdtrit

    return float(stdtrit(degrees, share))


def two_sided(statistic: float, degrees: float) -> float:
    """The chance that Student's t lies as far from zero as the statistic, to either side."""
    from scipy.special import stdtr

    return float(2 * stdtr(degrees, -abs(statistic)))
