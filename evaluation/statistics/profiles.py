"""Performance profiles over tasks whose metrics differ, and the area under them (AUP).

A profile says on what share of the tasks an agent comes within a factor of the best agent *of the set
compared*. The factor, and with it the area, changes with that set: a profile never stands without it.

Source: E. D. Dolan and J. J. More (2002), Math. Programming 91, 201-213; for agents, D. Nathani et al.
(2025), *MLGym*, arXiv:2502.14499, section 4: a score that is missing, not positive or worse than the
baseline counts as 1.05 times the worst accepted factor.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from foundation.records import Record
from tasks_catalog.library.spec import Direction

PENALTY = 1.05


class TaskScores(Record):
    """One task's scores by agent; ``None`` where an agent has no valid score."""

    direction: Direction
    baseline: float | None
    scores: dict[str, float | None]


class Profile(Record):
    """One agent's profile: from ``log10_factors[i]`` on, it is within that factor on ``shares[i]`` of the tasks."""

    log10_factors: tuple[float, ...]
    shares: tuple[float, ...]
    area: float


class ProfileSet(Record):
    """Profiles of agents that were compared with each other, on the tasks all of them tried.

    Attributes:
        agents: The set compared.
        tasks: The tasks the shares are taken over.
        limit: log10 of the largest factor; areas are integrals from 0 to it, at most ``limit``.
        profiles: By agent.
    """

    agents: tuple[str, ...]
    tasks: tuple[str, ...]
    limit: float
    profiles: dict[str, Profile]


def performance_profiles(tasks: Mapping[str, TaskScores]) -> ProfileSet | None:
    """Profiles of every agent that has an entry for every task.

    Tasks on which no agent has an accepted score tell nothing apart and are left out.

    Returns:
        ``None`` where fewer than two agents share a task.
    """
    agents = sorted(set.intersection(*(set(task.scores) for task in tasks.values()))) if tasks else []
    factors = {name: found for name, task in tasks.items() if (found := _log10_factors(task, agents)) is not None}
    if len(agents) < 2 or not factors:
        return None
    limit = max(factor for of_task in factors.values() for factor in of_task.values())
    return ProfileSet(
        agents=tuple(agents),
        tasks=tuple(factors),
        limit=limit,
        profiles={agent: _profile([of_task[agent] for of_task in factors.values()], limit) for agent in agents},
    )


def _log10_factors(task: TaskScores, agents: list[str]) -> dict[str, float] | None:
    accepted = {agent: score for agent in agents if (score := task.scores[agent]) is not None and _accepts(task, score)}
    if not accepted:
        return None
    sign = -1 if task.direction is Direction.MAXIMIZE else 1
    logs = {agent: sign * float(np.log10(score)) for agent, score in accepted.items()}
    best = min(logs.values())
    penalty = max(logs.values()) - best + float(np.log10(PENALTY))
    return {agent: logs[agent] - best if agent in logs else penalty for agent in agents}


def _accepts(task: TaskScores, score: float) -> bool:
    if score <= 0:
        return False
    if task.baseline is None:
        return True
    return score >= task.baseline if task.direction is Direction.MAXIMIZE else score <= task.baseline


def _profile(factors: list[float], limit: float) -> Profile:
    steps, counts = np.unique(np.asarray(factors), return_counts=True)
    return Profile(
        log10_factors=tuple(steps.tolist()),
        shares=tuple((np.cumsum(counts) / len(factors)).tolist()),
        area=float(np.mean([limit - factor for factor in factors])),
    )
