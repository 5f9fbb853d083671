"""Metrics that several competitions share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np


def average_precision_at_k(actual: set[Any], predicted: Sequence[Any], k: int) -> float:
    """Mean of the precisions at each of the first ``k`` places that holds a new hit, over the hits there could be."""
    if not actual:
        return 0.0
    hits, total = 0, 0.0
    for place, item in enumerate(predicted[:k], start=1):
        if item in actual and item not in predicted[: place - 1]:
            hits += 1
            total += hits / place
    return total / min(len(actual), k)


def mean_average_precision_at_k(actual: Sequence[set[Any]], predicted: Sequence[Sequence[Any]], k: int) -> float:
    """The mean over all queries."""
    return float(np.mean([average_precision_at_k(a, p, k) for a, p in zip(actual, predicted, strict=False)]))


def dice_coefficient(predicted_mask: np.ndarray, true_mask: np.ndarray, both_empty_value: float = np.nan) -> float:
    """Twice the overlap of two binary masks over the sum of their sizes."""
    assert predicted_mask.shape == true_mask.shape, f"masks of {predicted_mask.shape} and {true_mask.shape}"
    size = np.sum(predicted_mask) + np.sum(true_mask)
    return both_empty_value if size == 0 else float(2 * np.sum(predicted_mask * true_mask) / size)
