"""Learning curves: how good the best training run so far is, step by step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import isfinite

import numpy as np

from evaluation.claims.metric_names import canonical
from evaluation.report.model import RunRow
from evaluation.statistics.entries import group_by
from tasks_catalog.spec import Direction, Record

SPLITS = ("validation", "test", None, "train")


class Curve(Record):
    """Best value so far over agent steps: the median over a contestant's runs, and its quartiles."""

    contestant: str
    runs: int
    steps: tuple[int, ...]
    median: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]


class TaskCurves(Record):
    """Curves of one task. ``metric`` is what the scripts print, not the hidden grade."""

    task: str
    metric: str
    split: str | None
    direction: Direction
    curves: tuple[Curve, ...]


def learning_curves(rows: Sequence[RunRow]) -> list[TaskCurves]:
    """Curves of every task whose training runs print the task's metric."""
    by_task = group_by(rows, lambda row: row.result.task)
    return [curves for task, of_task in sorted(by_task.items()) if (curves := _task_curves(task, of_task))]


def _task_curves(task: str, rows: Sequence[RunRow]) -> TaskCurves | None:
    result = rows[0].result
    wanted = canonical(result.metric)
    seen = Counter(
        (value.name, value.split)
        for row in rows
        for value in {(value.name, value.split): value for value in row.metrics}.values()
        if canonical(value.name) == wanted
    )
    if not seen:
        return None
    name, split = min(seen, key=lambda key: (SPLITS.index(key[1]), -seen[key], key[0]))
    curves = [
        curve
        for contestant, of_one in group_by(rows, lambda row: row.contestant).items()
        if (curve := _curve(contestant, of_one, name, split, result.direction))
    ]
    return TaskCurves(task=task, metric=name, split=split, direction=result.direction, curves=tuple(curves))


def _curve(contestant: str, rows: Sequence[RunRow], name: str, split: str | None, direction: Direction) -> Curve | None:
    better = np.fmax if direction is Direction.MAXIMIZE else np.fmin
    length = max(row.result.steps for row in rows)
    best = []
    for row in rows:
        values = np.full(length, np.nan)
        for value in row.metrics:
            if (value.name, value.split) == (name, split) and value.step < length and isfinite(value.value):
                values[value.step] = value.value
        if not np.isnan(values).all():
            best.append(better.accumulate(values))
    if not best:
        return None
    stacked = np.vstack(best)
    known = ~np.isnan(stacked).all(axis=0)
    low, median, high = np.nanquantile(stacked[:, known], (0.25, 0.5, 0.75), axis=0)
    return Curve(
        contestant=contestant,
        runs=len(best),
        steps=tuple(np.flatnonzero(known).tolist()),
        median=tuple(median.tolist()),
        low=tuple(low.tolist()),
        high=tuple(high.tolist()),
    )
