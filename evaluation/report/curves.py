"""Curves over agent steps: the best training run so far, and the hidden score of what stood there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from environment.metrics.meaning import REPORTED, is_same
from evaluation.report.model import RunRow
from evaluation.statistics.entries import group_by
from foundation.records import Record
from tasks_catalog.library.spec import Direction

Floats = NDArray[np.float64]

HIDDEN = "hidden"
"""The "split" of the grader's own data."""


class Curve(Record):
    """A value over agent steps: the median over a contestant's runs, and its quartiles, where there are any."""

    contestant: str
    runs: int
    steps: tuple[int, ...]
    median: tuple[float, ...]
    low: tuple[float | None, ...]
    high: tuple[float | None, ...]


class TaskCurves(Record):
    """Curves of one task. ``metric`` is what the scripts print, or, where ``split`` is "hidden", the grade."""

    task: str
    metric: str
    split: str | None
    direction: Direction
    curves: tuple[Curve, ...]


def learning_curves(rows: Sequence[RunRow]) -> list[TaskCurves]:
    """Curves of every task whose training runs print the task's metric, where it is known what is better."""
    by_task = group_by(rows, lambda row: row.result.task)
    return [curves for task, of_task in sorted(by_task.items()) if (curves := _task_curves(task, of_task))]


def score_curves(rows: Sequence[RunRow]) -> list[TaskCurves]:
    """The hidden score after each step, of the tasks of which a run was graded so.

    When a run is over its last submission stands, and so does its score.
    """
    graded = [row for row in rows if any(score is not None for score in row.graded)]
    by_task = group_by(graded, lambda row: row.result.task)
    return [curves for task, of_task in sorted(by_task.items()) if (curves := _score_curves(task, of_task))]


def _score_curves(task: str, rows: Sequence[RunRow]) -> TaskCurves | None:
    result = rows[0].result
    if result.direction is None:
        return None
    by_contestant = group_by(rows, lambda row: row.contestant)
    steps = max(len(row.graded) for row in rows)
    curves = (_quartiles(name, [_standing(row, steps) for row in of_one]) for name, of_one in by_contestant.items())
    return TaskCurves(task=task, metric=result.metric, split=HIDDEN, direction=result.direction, curves=tuple(curves))


def _standing(row: RunRow, steps: int) -> Floats:
    """A run's score after each step, its last one held until the longest run of the task has ended."""
    scores = np.array([np.nan if score is None else score for score in row.graded])
    return np.pad(scores, (0, steps - len(scores)), mode="edge")


def _task_curves(task: str, rows: Sequence[RunRow]) -> TaskCurves | None:
    result = rows[0].result
    if result.direction is None:
        return None
    seen = Counter(
        (value.name, value.split)
        for row in rows
        for value in {(value.name, value.split): value for value in row.metrics}.values()
        if is_same(value.name, result.metric)
    )
    if not seen:
        return None
    name, split = min(seen, key=lambda key: (REPORTED.index(key[1]), -seen[key], key[0]))
    curves = [
        curve
        for contestant, of_one in group_by(rows, lambda row: row.contestant).items()
        if (curve := _curve(contestant, of_one, name, split, result.direction))
    ]
    return TaskCurves(task=task, metric=name, split=split, direction=result.direction, curves=tuple(curves))


def _curve(contestant: str, rows: Sequence[RunRow], name: str, split: str | None, direction: Direction) -> Curve | None:
    sign = 1.0 if direction is Direction.MAXIMIZE else -1.0
    length = max(row.result.steps for row in rows)
    gains = []
    for row in rows:
        gained = np.full(length, -np.inf)
        for value in row.metrics:
            if (value.name, value.split) == (name, split) and value.step < length and isfinite(value.value):
                gained[value.step] = sign * value.value
        if np.isfinite(gained).any():
            gains.append(np.maximum.accumulate(gained))
    return _best_so_far(contestant, gains, sign) if gains else None


def _best_so_far(contestant: str, gains: Sequence[Floats], sign: float) -> Curve:
    """Quartiles that never get worse: a run counts from the start, as the worst until its first value."""
    with np.errstate(invalid="ignore"):
        levels = np.quantile(np.vstack(gains), (0.25, 0.5, 0.75), axis=0)
    known = np.isfinite(levels[1])
    low, median, high = (sign * levels[:, known])[:: int(sign)]
    return Curve(
        contestant=contestant,
        runs=len(gains),
        steps=tuple(np.flatnonzero(known).tolist()),
        median=tuple(median.tolist()),
        low=tuple(value if isfinite(value) else None for value in low.tolist()),
        high=tuple(value if isfinite(value) else None for value in high.tolist()),
    )


def _quartiles(contestant: str, values: Sequence[Floats]) -> Curve:
    stacked = np.vstack(values)
    known = ~np.isnan(stacked).all(axis=0)
    low, median, high = np.nanquantile(stacked[:, known], (0.25, 0.5, 0.75), axis=0)
    return Curve(
        contestant=contestant,
        runs=len(values),
        steps=tuple(np.flatnonzero(known).tolist()),
        median=tuple(median.tolist()),
        low=tuple(low.tolist()),
        high=tuple(high.tolist()),
    )
