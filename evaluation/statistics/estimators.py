"""Point estimators of what repeated runs say: pass@k, pass^k, the interquartile mean."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

import numpy as np


def pass_at_k(successes: int, runs: int, k: int) -> float | None:
    """The chance that at least one of ``k`` runs succeeds, without bias.

    ``1 - C(n - c, k) / C(n, k)`` for c successes in n runs; ``None`` below ``k`` runs, where no
    unbiased estimate exists.

    Source: M. Chen et al. (2021), arXiv:2107.03374, equation 1.
    """
    if runs < k:
        return None
    return 1 - comb(runs - successes, k) / comb(runs, k)


def pass_hat_k(successes: int, runs: int, k: int) -> float | None:
    """The chance that all of ``k`` runs succeed (pass^k), without bias.

    ``C(c, k) / C(n, k)`` for c successes in n runs; ``None`` below ``k`` runs.

    Source: S. Yao et al. (2024), arXiv:2406.12045 (tau-bench), section 3.
    """
    if runs < k:
        return None
    return comb(successes, k) / comb(runs, k)


def known_mean(values: Sequence[float | None]) -> float | None:
    """The mean, or ``None`` where a task has no value: an average over other tasks is another quantity."""
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known and len(known) == len(values) else None


def interquartile_mean(values: Sequence[float]) -> float:
    """The mean of the middle half of the values; outliers on either side do not move it.

    Args:
        values: At least one value; of all runs and tasks together.

    Source: R. Agarwal et al. (2021), *Deep Reinforcement Learning at the Edge of the Statistical
    Precipice*, NeurIPS; the same as SciPy's trimmed mean, which theirs is.
    """
    cut = len(values) // 4
    return float(np.mean(sorted(values)[cut : len(values) - cut]))
