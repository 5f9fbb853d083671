"""Tells when what a run prints epoch by epoch has fallen behind what earlier runs printed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from environment.metrics.meaning import TUNED_BY, values_of
from environment.records import MetricPoint
from tasks_catalog.library.spec import Direction

if TYPE_CHECKING:
    import optuna

Curve = Mapping[int, float]
"""A metric by epoch."""


def curve(points: Iterable[MetricPoint], metric: str) -> Curve:
    """The values of a metric by epoch, on the first split to tune by that has any."""
    found = values_of(metric, points)
    for split in TUNED_BY:
        by_epoch = {int(p.epoch): p.comparable for p in found if p.epoch is not None and p.split == split}
        if by_epoch:
            return by_epoch
    return {}


def falls_behind(current: Curve, earlier: Sequence[Curve], direction: Direction, *, least: int) -> bool:
    """Whether the best value so far is worse than the median of the earlier runs' at the same epoch.

    Optuna's median pruner (Golovin et al. 2017, *Google Vizier*).

    Args:
        current: What the run has printed so far.
        earlier: What runs that ended had printed.
        direction: Of the metric.
        least: Earlier runs from which a median counts.
    """
    import optuna

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    pruner = optuna.pruners.MedianPruner(n_startup_trials=least)
    study = optuna.create_study(direction=direction.value, pruner=pruner)
    for values in earlier:
        if values and all(map(math.isfinite, values.values())):
            study.tell(_reported(study, values), list(values.values())[-1])
    return bool(current) and _reported(study, current).should_prune()


def _reported(study: optuna.Study, values: Curve) -> optuna.Trial:
    trial = study.ask()
    for epoch, value in values.items():
        trial.report(value, epoch)
    return trial
