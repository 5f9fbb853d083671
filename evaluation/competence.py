"""How much better a score is than the starter's, and whether that is success."""

from __future__ import annotations

import math

from environment.records import Thresholds
from tasks_catalog.library.spec import Direction, Figure

SUCCESS = 0.10
"""Relative improvement over the baseline's mean above which a run succeeds, as in the paper."""


THRESHOLDS = (5, 10, 15, 20, 30)
"""Percent of improvement at which success is counted besides, as the paper's plots do."""


def success_at(gained: float | None) -> Thresholds:
    """Whether an improvement exceeds each of ``THRESHOLDS``; none does without one."""
    return {percent: gained is not None and gained > percent / 100 for percent in THRESHOLDS}


def improvement(score: float, baseline: float, direction: Direction) -> float | None:
    """Relative change from the baseline, positive where better; ``None`` for a baseline of 0."""
    if baseline == 0:
        return None
    return _better(score - baseline, direction) / abs(baseline)


def normalised(score: float, baseline: float, reference: float, direction: Direction) -> float | None:
    """0 at the baseline and 1 at the reference; ``None`` where the reference is no better than the baseline."""
    span = _better(reference - baseline, direction)
    return _better(score - baseline, direction) / span if span > 0 else None


def success(score: float, baseline: float, direction: Direction, threshold: float = SUCCESS) -> bool:
    """Whether the improvement is larger than the threshold."""
    gained = improvement(score, baseline, direction)
    return gained is not None and gained > threshold


def noise_aware_threshold(baseline: Figure, threshold: float = SUCCESS) -> float:
    """The larger of ``threshold`` and what the starter reaches by luck in 2.5 % of its runs.

    The latter is the upper bound of the two-sided 95 % prediction interval for one new run of a normal
    sample, ``t(0.975, n - 1) * s * sqrt(1 + 1 / n)``, relative to the mean (Hahn & Meeker, *Statistical
    Intervals*, 1991, ch. 4).
    """
    if baseline.seeds < 2 or baseline.mean == 0:
        return threshold
    from scipy import stats

    quantile = float(stats.t.ppf(0.975, baseline.seeds - 1))
    return max(threshold, quantile * baseline.std * math.sqrt(1 + 1 / baseline.seeds) / abs(baseline.mean))


def _better(change: float, direction: Direction) -> float:
    return change if direction is Direction.MAXIMIZE else 0.0 - change  # the negative of zero would show a sign
