"""What success costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from environment.records import RunResult
from tasks_catalog.spec import Record


class Efficiency(Record):
    """Means per run, and totals divided by the number of successes (``None`` without success or price)."""

    cost: float | None
    tokens: float
    seconds: float
    training_runs: float
    steps: float
    cost_per_success: float | None
    tokens_per_success: float | None
    seconds_per_success: float | None


def efficiency(results: Sequence[RunResult]) -> Efficiency:
    """Efficiency of at least one run; one unknown price makes the cost unknown, for a low figure would mislead."""
    costs = [result.cost for result in results]
    known = [cost for cost in costs if cost is not None]
    cost = float(np.mean(known)) if len(known) == len(costs) else None
    tokens = float(np.mean([result.tokens for result in results]))
    seconds = float(np.mean([result.seconds for result in results]))
    successes = sum(result.success for result in results)
    per_success = len(results) / successes if successes else None
    return Efficiency(
        cost=cost,
        tokens=tokens,
        seconds=seconds,
        training_runs=float(np.mean([result.training_runs for result in results])),
        steps=float(np.mean([result.steps for result in results])),
        cost_per_success=cost * per_success if per_success and cost is not None else None,
        tokens_per_success=tokens * per_success if per_success else None,
        seconds_per_success=seconds * per_success if per_success else None,
    )


def pareto_front(points: Mapping[str, tuple[float, float]]) -> tuple[str, ...]:
    """Names of the points (cost, benefit) that no other beats: none cheaper at the same or more benefit.

    Sorted by cost.
    """
    front = [
        name
        for name, (cost, benefit) in points.items()
        if not any(
            other_cost <= cost and other >= benefit and (other_cost, other) != (cost, benefit)
            for other_cost, other in points.values()
        )
    ]
    return tuple(sorted(front, key=lambda name: points[name]))
