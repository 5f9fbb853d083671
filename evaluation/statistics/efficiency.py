"""What success costs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from environment.records import RunResult
from foundation.records import Record


class Amounts(Record):
    """What runs take; ``None`` where one of them does not tell, for a low figure would mislead."""

    cost: float | None
    tokens: float | None
    prompt_tokens: float | None
    cached_tokens: float | None
    completion_tokens: float | None
    seconds: float | None
    working_seconds: float | None
    training_seconds: float | None
    training_runs: float
    steps: float


class Efficiency(Record):
    """Means per run, and totals divided by the number of successes; these ``None`` without one."""

    per_run: Amounts
    per_success: Amounts | None


def efficiency(results: Sequence[RunResult]) -> Efficiency:
    """Efficiency of at least one run."""
    successes = sum(result.success for result in results)
    return Efficiency(
        per_run=_shared(results, len(results)), per_success=_shared(results, successes) if successes else None
    )


def _shared(results: Sequence[RunResult], among: int) -> Amounts:
    """All that the runs took, shared equally."""

    def share(values: Iterable[float]) -> float:
        return float(np.sum(list(values))) / among

    def known(values: Iterable[float | None]) -> float | None:
        every = list(values)
        found = [value for value in every if value is not None]
        return share(found) if len(found) == len(every) else None

    def counted(name: str) -> float | None:
        return known(None if name in result.not_counted else getattr(result, name) for result in results)

    def used(name: str) -> float | None:
        return known(getattr(result.usage, name) if result.usage else None for result in results)

    return Amounts(
        cost=known(result.cost for result in results),
        tokens=counted("tokens"),
        prompt_tokens=used("prompt_tokens"),
        cached_tokens=used("cached_tokens"),
        completion_tokens=used("completion_tokens"),
        seconds=counted("seconds"),
        working_seconds=used("working_seconds"),
        training_seconds=used("training_seconds"),
        training_runs=share(result.training_runs for result in results),
        steps=share(result.steps for result in results),
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
