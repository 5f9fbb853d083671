"""What a sweep will cost and how long it will take, by the runs there are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from statistics import fmean

from environment.records import RunConfig, RunResult, task_name
from flows.sweep.budget_share import needed
from foundation.records import Record

_Key = tuple[str | None, ...]


class Estimate(Record):
    """Sums over the runs that are still to do.

    Attributes:
        runs: How many.
        cost: Expected US dollars, for the runs of which it can be said.
        seconds: Expected wall time of all, one after the other, for the runs of which it can be said.
        at_most: US dollars if every run used up its limit; ``None`` where one has none.
        without_cost: Runs with a model, of which no like run has ended and which have no limit.
        without_time: Runs of which no like run has ended.
    """

    runs: int
    cost: float
    seconds: float
    at_most: float | None
    without_cost: int
    without_time: int


class History:
    """Means over results, asked from the most to the least alike.

    Alike are runs of the same agent, model and variant: on the same task, else on any.
    """

    def __init__(self, results: Iterable[RunResult] = ()) -> None:
        self._costs: dict[_Key, list[float]] = defaultdict(list)
        self._seconds: dict[_Key, list[float]] = defaultdict(list)
        for result in results:
            self.add(result)

    def add(self, result: RunResult) -> None:
        """Take in a run that has ended."""
        for key in _keys(result.task, result.agent, result.model, result.variant):
            self._seconds[key].append(result.seconds)
            if result.cost is not None:
                self._costs[key].append(result.cost)

    def cost(self, config: RunConfig) -> float | None:
        """Expected US dollars: 0 without a model; by like runs, else the limit of the run, else unknown."""
        if config.model is None:
            return 0.0
        known = _mean(self._costs, config)
        return config.budget.money if known is None else known

    def seconds(self, config: RunConfig) -> float | None:
        """Expected wall time, or ``None``."""
        return _mean(self._seconds, config)

    def estimate(self, configs: Sequence[RunConfig]) -> Estimate:
        """Sums over runs."""
        costs = [self.cost(config) for config in configs]
        seconds = [self.seconds(config) for config in configs]
        unlimited = any(config.model and config.budget.money is None for config in configs)
        return Estimate(
            runs=len(configs),
            cost=sum(cost for cost in costs if cost is not None),
            seconds=sum(each for each in seconds if each is not None),
            at_most=None if unlimited else sum(needed(config) for config in configs),
            without_cost=costs.count(None),
            without_time=seconds.count(None),
        )


def _keys(task: str, agent: str, model: str | None, variant: str) -> tuple[_Key, _Key]:
    return (task, agent, model, variant), (agent, model, variant)


def _mean(values: dict[_Key, list[float]], config: RunConfig) -> float | None:
    for key in _keys(task_name(config), config.agent, config.model, config.variant):
        if values.get(key):
            return fmean(values[key])
    return None
