"""What each switch of an agent is worth: paired effects by task and family, corrected for being many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from environment.records import RunResult
from evaluation.statistics.entries import group_by
from evaluation.statistics.estimate import CONFIDENCE
from evaluation.statistics.pairs import Comparison, Pair, compare_pairs, match
from evaluation.statistics.testing import holm
from foundation.records import Record

ALL = "all tasks"
FEWEST_TASKS = 4
"""Tasks below which an effect is not held against difficulty: any three points lie near a line."""
FAMILIES = {
    "canonical": ("cifar10", "cifar100", "imdb", "ogbn-arxiv", "ogbg-molhiv"),
    "classic Kaggle": ("house-price", "spaceship-titanic"),
    "Kaggle challenges": ("parkinsons-disease", "fathomnet", "feedback", "identify-contrails"),
    "current research": ("clrs", "babylm"),
    "faster code": ("llama-inference", "vectorization"),
}
"""Tasks by kind, as the paper groups its own."""


class SwitchEffect(Record):
    """The runs with a switch on against those with it off.

    Attributes:
        switch: Its name.
        scope: A task, a family of tasks, or all tasks.
        comparison: On minus off, on the same tasks and seeds; the intervals of all effects hold together with 95 %.
        p_value: Of the difference in improvement, corrected for all effects of the same kind of scope (Holm).
    """

    switch: str
    scope: str
    comparison: Comparison
    p_value: float | None


class DifficultyTrend(Record):
    """Whether a switch helps more on hard tasks.

    Attributes:
        difficulty: One less the share of successes of both arms, by task.
        effects: Difference in improvement, on minus off, by task.
        correlation: Spearman's rank correlation of the two; positive where it helps on hard tasks.
        p_value: The chance of one this far from zero by chance; ``None`` below four tasks.
    """

    switch: str
    difficulty: dict[str, float]
    effects: dict[str, float]
    correlation: float | None
    p_value: float | None


class Ablation(Record):
    """All effects, those on all tasks first, and their trends."""

    effects: tuple[SwitchEffect, ...]
    trends: tuple[DifficultyTrend, ...]


def family_of(task: str) -> str:
    """The kind of a task; "other" for those the paper does not have."""
    return next((family for family, tasks in FAMILIES.items() if task in tasks), "other")


def ablation(base: Sequence[RunResult], without: Mapping[str, Sequence[RunResult]]) -> Ablation:
    """Effects of every switch.

    Args:
        base: Runs with all switches on.
        without: By switch, runs with it alone off.
    """
    pairs = {switch: match(base, runs) for switch, runs in without.items()}
    kinds = [
        {switch: {ALL: own} for switch, own in pairs.items()},
        {switch: group_by(own, lambda pair: family_of(pair[0].task)) for switch, own in pairs.items()},
        {switch: group_by(own, lambda pair: pair[0].task) for switch, own in pairs.items()},
    ]
    return Ablation(
        effects=tuple(effect for kind in kinds for effect in _effects(kind)),
        trends=tuple(_trend(switch, own) for switch, own in pairs.items() if own),
    )


def _effects(scopes: Mapping[str, Mapping[str, Sequence[Pair]]]) -> list[SwitchEffect]:
    """Effects on scopes of one kind; intervals after Bonferroni, p values after Holm."""
    of = [(switch, scope, pairs) for switch, own in scopes.items() for scope, pairs in own.items() if pairs]
    level = 1 - (1 - CONFIDENCE) / max(1, len(of))
    compared = [
        (switch, scope, compare_pairs(f"with {switch}", f"without {switch}", pairs, confidence=level))
        for switch, scope, pairs in of
    ]
    corrected = holm([comparison.improvement_p if comparison else None for _, _, comparison in compared])
    return [
        SwitchEffect(switch=switch, scope=scope, comparison=comparison, p_value=p)
        for (switch, scope, comparison), p in zip(compared, corrected, strict=True)
        if comparison
    ]


def _trend(switch: str, pairs: Sequence[Pair]) -> DifficultyTrend:
    by_task = group_by(pairs, lambda pair: pair[0].task)
    difficulty = {
        task: 1 - float(np.mean([one.success for pair in own for one in pair])) for task, own in by_task.items()
    }
    effects = {
        task: float(np.mean([(on.improvement or 0.0) - (off.improvement or 0.0) for on, off in own]))
        for task, own in by_task.items()
    }
    correlation, p_value = _spearman([difficulty[task] for task in effects], list(effects.values()))
    return DifficultyTrend(
        switch=switch, difficulty=difficulty, effects=effects, correlation=correlation, p_value=p_value
    )


def _spearman(first: Sequence[float], second: Sequence[float]) -> tuple[float | None, float | None]:
    if len(first) < FEWEST_TASKS or len(set(first)) < 2 or len(set(second)) < 2:
        return None, None
    from scipy.stats import spearmanr

    found = spearmanr(first, second)
    return float(found.statistic), float(found.pvalue)
