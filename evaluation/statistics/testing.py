"""Whether a mean over tasks differs from zero, how many runs would tell, and what many such tests are worth."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, sqrt

import numpy as np

from evaluation.statistics.estimate import CONFIDENCE
from evaluation.statistics.means import Spread, quantile, spread_within, two_sided

POWER = 0.8
MOST_RUNS = 1_000
"""Beyond so many runs of each task a difference is of no account."""


def p_of_mean(groups: Sequence[Sequence[float]]) -> float | None:
    """The chance of a mean over tasks this far from zero, were the true one zero.

    Student's t with the scatter within each task, as the interval of the mean has it. Where all values of each task
    are alike no scatter is seen, and the exact sign test over all runs is taken.

    Args:
        groups: One sequence of values a task, none empty.

    Returns:
        ``None`` where a task has a single value, or every value is zero.
    """
    if any(len(group) < 2 for group in groups):
        return None
    spread = spread_within(groups)
    if spread is not None:
        return two_sided(_mean(groups) / spread.error, spread.degrees)
    from scipy.stats import binomtest

    above = sum(value > 0 for group in groups for value in group)
    below = sum(value < 0 for group in groups for value in group)
    return float(binomtest(above, above + below).pvalue) if above + below else None


def runs_needed(groups: Sequence[Sequence[float]], tests: int = 1) -> int | None:
    """About how many runs of each task would show, in four of five studies, the mean that these show.

    The smallest n at which the mean is as many standard errors from zero as Student's t at 5 %, to both sides, and at
    ``POWER`` make together, were it and the scatter within each task those seen here.

    Args:
        groups: One sequence of values a task.
        tests: How many such tests there are: the 5 % is shared by them, as Holm's first step has it.

    Returns:
        ``None`` where no scatter or no difference is seen, or where more than ``MOST_RUNS`` would be needed.

    Source: J. H. Zar (2010), *Biostatistical Analysis*, 5th ed., section 7.7.
    """
    spread, mean = spread_within(groups), abs(_mean(groups))
    if spread is None or mean == 0:
        return None
    of_one, sure = _of_one_run(groups), 1 - (1 - CONFIDENCE) / (2 * tests)
    for runs in range(2, MOST_RUNS + 1):
        degrees = of_one.degrees * (runs - 1)
        distance = quantile(sure, degrees) + quantile(POWER, degrees)
        if mean >= distance * of_one.error / sqrt(runs):
            return runs
    return None


def _of_one_run(groups: Sequence[Sequence[float]]) -> Spread:
    """The scatter of the mean over tasks with one run each, and the degrees of freedom that a second run brings."""
    variances = np.array([np.var(group, ddof=1) for group in groups])
    return Spread(
        error=float(np.sqrt(variances.sum())) / len(groups),
        degrees=float(variances.sum() ** 2 / (variances**2).sum()),
    )


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """The p values, corrected for being many, after Holm; those that are ``None`` stay so and count as no test.

    Source: S. Holm (1979), Scand. J. Statistics 6, 65-70.
    """
    order = sorted((p, at) for at, p in enumerate(p_values) if p is not None)
    corrected: list[float | None] = [None] * len(p_values)
    highest = -inf
    for rank, (p, at) in enumerate(order):
        highest = max(highest, min(1.0, p * (len(order) - rank)))
        corrected[at] = highest
    return corrected


def _mean(groups: Sequence[Sequence[float]]) -> float:
    return float(np.mean([np.mean(group) for group in groups]))
