"""Bootstrap intervals for an average over tasks, each of which was run several times.

Two questions, two schemes, and a report states which one it answers:

``fixed``
    How would the average move if the *same* tasks were run again? Runs are resampled within their task.
``resampled``
    How would it move on *other tasks of this kind*? Tasks are resampled, then runs within each drawn task.

Source: the two-stage bootstrap of A. C. Davison and D. V. Hinkley (1997), *Bootstrap Methods and
their Application*, section 3.8. Intervals are percentile intervals.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import lcm
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from evaluation.statistics.estimate import CONFIDENCE, Estimate

Tasks = Literal["fixed", "resampled"]
Floats = NDArray[np.float64]

RESAMPLES = 10_000
CHUNK_VALUES = 4_000_000
LARGEST_LATTICE = 200_000
ALIKE = 1e-12


def bootstrap_mean(
    groups: Sequence[Sequence[float]],
    *,
    tasks: Tasks = "fixed",
    confidence: float = CONFIDENCE,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Estimate:
    """The mean over tasks of the mean over runs, with a percentile bootstrap interval.

    Args:
        groups: One sequence of run values a task, none empty.
        tasks: Whether tasks stay as they are or are resampled too.
        confidence: Coverage of the two-sided interval.
        resamples: Number of bootstrap samples.
        seed: Seeds the resampling; the same seed gives the same interval.

    Returns:
        The estimate; without an interval where a task has a single run (``fixed``), where there is a
        single task (``resampled``), or where all samples are alike, because the spread cannot be seen then.

    Raises:
        ValueError: No groups, or an empty one.
    """
    sizes = np.array([len(group) for group in groups])
    if not len(sizes) or not sizes.all():
        raise ValueError("a bootstrap over tasks needs at least one run of every task")
    value = float(np.mean([np.mean(group) for group in groups]))
    total = int(sizes.sum())
    if missing := _why_no_interval(sizes, tasks):
        return Estimate(value=value, n=total, method=missing)
    means = _resampled_means(groups, sizes, tasks, resamples, np.random.default_rng(seed))
    low, high = np.quantile(means, _tails(confidence))
    return _estimate(value, float(low), float(high), total, f"bootstrap, tasks {tasks}")


def bootstrap_rate(
    successes: Sequence[int], runs: Sequence[int], *, tasks: Tasks = "fixed", confidence: float = CONFIDENCE
) -> Estimate:
    """The mean over tasks of success rates, with the *exact* percentile bootstrap interval.

    Counts live on a lattice, so the bootstrap distribution is a convolution of binomials and needs no
    random numbers. Where the lattice is too large (many different run counts), samples are drawn.

    Args:
        successes: Successes of each task.
        runs: Runs of each task, at least 1.
        tasks: Whether tasks stay as they are or are resampled too.
        confidence: Coverage of the two-sided interval.

    Raises:
        ValueError: No tasks, or a task without runs.
    """
    sizes = np.array(runs)
    if not len(sizes) or not sizes.all():
        raise ValueError("a bootstrap over tasks needs at least one run of every task")
    total = int(sizes.sum())
    value = float(np.mean(np.array(successes) / sizes))
    if missing := _why_no_interval(sizes, tasks):
        return Estimate(value=value, n=total, method=missing)
    unit = lcm(*(int(size) for size in sizes))
    if len(sizes) * unit > LARGEST_LATTICE:
        outcomes = [[1.0] * won + [0.0] * (of - won) for won, of in zip(successes, runs, strict=True)]
        return bootstrap_mean(outcomes, tasks=tasks, confidence=confidence)
    cumulative = np.cumsum(_sum_distribution(successes, runs, unit, tasks))
    low, high = np.searchsorted(cumulative, _tails(confidence)) / (len(sizes) * unit)
    return _estimate(value, float(low), float(high), total, f"exact bootstrap, tasks {tasks}")


def _estimate(value: float, low: float, high: float, n: int, method: str) -> Estimate:
    if high - low < ALIKE:
        return Estimate(value=value, n=n, method="none: every sample is alike")
    return Estimate(value=value, low=low, high=high, n=n, method=method)


def _tails(confidence: float) -> list[float]:
    return [(1 - confidence) / 2, (1 + confidence) / 2]


def _why_no_interval(sizes: NDArray[np.int_], tasks: Tasks) -> str:
    if tasks == "fixed" and (sizes < 2).any():
        return "none: a task has a single run"
    if tasks == "resampled" and len(sizes) < 2:
        return "none: a single task"
    return ""


def _resampled_means(
    groups: Sequence[Sequence[float]],
    sizes: NDArray[np.int_],
    tasks: Tasks,
    resamples: int,
    rng: np.random.Generator,
) -> Floats:
    widest = int(sizes.max())
    values = np.zeros((len(groups), widest))
    for row, group in enumerate(groups):
        values[row, : len(group)] = group
    chunk = max(1, CHUNK_VALUES // values.size)
    return np.concatenate(
        [_draw(values, sizes, tasks, min(chunk, resamples - start), rng) for start in range(0, resamples, chunk)]
    )


def _draw(values: Floats, sizes: NDArray[np.int_], tasks: Tasks, samples: int, rng: np.random.Generator) -> Floats:
    count, widest = values.shape
    drawn = np.broadcast_to(np.arange(count), (samples, count))
    if tasks == "resampled":
        drawn = rng.integers(0, count, (samples, count))
    drawn_sizes = sizes[drawn][..., None]
    picks = (rng.random((samples, count, widest)) * drawn_sizes).astype(np.intp)
    picked = values[drawn[..., None], picks]
    picked[np.arange(widest) >= drawn_sizes] = 0.0
    means: Floats = (picked.sum(axis=2) / drawn_sizes[..., 0]).mean(axis=1)
    return means


def _sum_distribution(successes: Sequence[int], runs: Sequence[int], unit: int, tasks: Tasks) -> Floats:
    """Probabilities of the resampled sum of task rates, in steps of ``1 / unit``."""
    from scipy.stats import binom

    count = len(runs)
    per_task = np.zeros((count, unit + 1))
    for row, (won, of) in enumerate(zip(successes, runs, strict=True)):
        per_task[row, :: unit // of] = binom.pmf(np.arange(of + 1), of, won / of)
    length = count * unit + 1
    if tasks == "fixed":
        spectrum = np.prod(np.fft.rfft(per_task, length, axis=1), axis=0)
    else:
        spectrum = np.fft.rfft(per_task.mean(axis=0), length) ** count
    distribution = np.fft.irfft(spectrum, length).clip(min=0)
    normal: Floats = distribution / distribution.sum()
    return normal
