"""Ranks only as far as the intervals allow them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

from evaluation.statistics.estimate import CONFIDENCE, difference
from evaluation.statistics.means import rate_over_tasks
from foundation.records import Record

Counts = Mapping[str, tuple[int, int]]  # task -> successes, runs


class RankRange(Record):
    """The ranks an agent may hold: ``best`` 1 + those surely better, ``worst`` all but those surely worse."""

    best: int
    worst: int

    def __str__(self) -> str:
        return str(self.best) if self.best == self.worst else f"{self.best}\N{EN DASH}{self.worst}"


class Ranking(Record):
    """Rank ranges of agents on the tasks all of them ran.

    Attributes:
        tasks: The tasks the ranking rests on.
        left_out: Agents without a run of some task that others share; they are not ranked.
        ranks: By agent.
        separated: Pairs (better, worse) whose difference excludes zero.
    """

    tasks: tuple[str, ...]
    left_out: tuple[str, ...]
    ranks: dict[str, RankRange]
    separated: tuple[tuple[str, str], ...]


def rank(agents: Mapping[str, Counts], *, confidence: float = CONFIDENCE) -> Ranking:
    """Rank agents by success on the tasks that were run by all who ran the most tasks.

    Two agents are put in an order only where Newcombe's interval of the difference of their success
    rates, tasks weighing alike, excludes zero, at a level shared among all pairs (Bonferroni), so that the whole
    ranking holds with ``confidence``.

    Source: rank ranges after M. Mogstad et al. (2024), *Inference for Ranks*, Rev. Econ. Stud. 91.
    """
    all_tasks = {task for counts in agents.values() for task in counts}
    ranked = [agent for agent, counts in agents.items() if set(counts) == all_tasks]
    pairs = list(combinations(ranked, 2))
    level = 1 - (1 - confidence) / max(1, len(pairs))
    rates = {
        agent: rate_over_tasks(
            [won for won, _ in agents[agent].values()], [of for _, of in agents[agent].values()], confidence=level
        )
        for agent in ranked
    }
    separated: list[tuple[str, str]] = []
    for first, second in pairs:
        gap = difference(rates[first], rates[second])
        if gap.low is not None and gap.low > 0:
            separated.append((first, second))
        elif gap.high is not None and gap.high < 0:
            separated.append((second, first))
    return Ranking(
        tasks=tuple(sorted(all_tasks)),
        left_out=tuple(agent for agent in agents if agent not in ranked),
        ranks={agent: _range(agent, len(ranked), separated) for agent in ranked},
        separated=tuple(separated),
    )


def _range(agent: str, agents: int, separated: list[tuple[str, str]]) -> RankRange:
    better = sum(worse == agent for _, worse in separated)
    below = sum(better_one == agent for better_one, _ in separated)
    return RankRange(best=1 + better, worst=agents - below)
