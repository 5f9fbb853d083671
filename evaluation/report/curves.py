"""Curves of the best training run so far, and of the hidden score of what stood there.

They run over what agents have: steps, wall time, tokens or money.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import isfinite
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from environment.metrics.meaning import REPORTED, is_same
from evaluation.report.model import RunRow
from evaluation.statistics.entries import group_by
from foundation.records import Record
from tasks_catalog.library.spec import Direction

Floats = NDArray[np.float64]
Axis = Literal["steps", "seconds", "tokens", "money"]

AXES: tuple[Axis, ...] = get_args(Axis)
MOST_POINTS = 150
"""Of a curve over anything but steps."""
HIDDEN = "hidden"
"""The "split" of the grader's own data."""


class Curve(Record):
    """The median over a contestant's runs at each place of the axis, and its quartiles, where there are any."""

    contestant: str
    runs: int
    at: tuple[float, ...]
    median: tuple[float, ...]
    low: tuple[float | None, ...]
    high: tuple[float | None, ...]


class TaskCurves(Record):
    """Curves of one task over one axis.

    Attributes:
        metric: What the scripts print, or, where ``split`` is "hidden", the grade.
        axis: Agent steps from 0, seconds worked, tokens of all model calls, or US dollars for them.
    """

    task: str
    metric: str
    split: str | None
    direction: Direction
    axis: Axis
    curves: tuple[Curve, ...]


def learning_curves(rows: Sequence[RunRow]) -> list[TaskCurves]:
    """Curves of every task whose training runs print the task's metric, where it is known what is better.

    Each comes over steps first, then over each other axis that all of its runs tell of.
    """
    by_task = group_by(rows, lambda row: row.result.task)
    return [curves for task, of_task in sorted(by_task.items()) for curves in _task_curves(task, of_task)]


def score_curves(rows: Sequence[RunRow]) -> list[TaskCurves]:
    """The hidden score after each step, of the tasks of which a run was graded so.

    When a run is over its last submission stands, and so does its score.
    """
    graded = [row for row in rows if any(score is not None for score in row.graded)]
    by_task = group_by(graded, lambda row: row.result.task)
    return [curves for task, of_task in sorted(by_task.items()) for curves in _score_curves(task, of_task)]


def _score_curves(task: str, rows: Sequence[RunRow]) -> list[TaskCurves]:
    result = rows[0].result
    if result.direction is None:
        return []
    by_contestant = group_by(rows, lambda row: row.contestant)
    steps = max(len(row.graded) for row in rows)
    return [
        TaskCurves(
            task=task,
            metric=result.metric,
            split=HIDDEN,
            direction=result.direction,
            axis=axis,
            curves=tuple(_hidden(name, of_one, axis, steps) for name, of_one in by_contestant.items()),
        )
        for axis in _axes_of(rows)
    ]


def _hidden(contestant: str, rows: Sequence[RunRow], axis: Axis, steps: int) -> Curve:
    scores = [np.array([np.nan if score is None else score for score in row.graded]) for row in rows]
    places = [_places(row, axis, len(of_run)) for row, of_run in zip(rows, scores, strict=True)]
    grid = _grid(places, axis, steps)
    stacked = np.vstack([_held(at, of_run, grid, np.nan) for at, of_run in zip(places, scores, strict=True)])
    known = ~np.isnan(stacked).all(axis=0)
    low, median, high = np.nanquantile(stacked[:, known], (0.25, 0.5, 0.75), axis=0)
    return _curve(contestant, rows, grid[known], low, median, high)


def _task_curves(task: str, rows: Sequence[RunRow]) -> list[TaskCurves]:
    result = rows[0].result
    found = _printed(rows)
    if result.direction is None or found is None:
        return []
    name, split = found
    sign = 1.0 if result.direction is Direction.MAXIMIZE else -1.0
    gains = {
        contestant: [(row, gained) for row in own if (gained := _best_so_far(row, name, split, sign)) is not None]
        for contestant, own in group_by(rows, lambda row: row.contestant).items()
    }
    measured = [row for of_one in gains.values() for row, _ in of_one]
    return [
        TaskCurves(
            task=task,
            metric=name,
            split=split,
            direction=result.direction,
            axis=axis,
            curves=tuple(_learnt(contestant, of_one, axis, sign) for contestant, of_one in gains.items() if of_one),
        )
        for axis in _axes_of(measured)
    ]


def _printed(rows: Sequence[RunRow]) -> tuple[str, str | None] | None:
    """Name and split under which most runs print the task's metric."""
    seen = Counter(
        (value.name, value.split)
        for row in rows
        for value in {(value.name, value.split): value for value in row.metrics}.values()
        if is_same(value.name, row.result.metric)
    )
    return min(seen, key=lambda key: (REPORTED.index(key[1]), -seen[key], key[0])) if seen else None


def _best_so_far(row: RunRow, name: str, split: str | None, sign: float) -> Floats | None:
    """The best value up to each step, higher being better; -inf before the first, ``None`` without any."""
    gained = np.full(row.result.steps, -np.inf)
    for value in row.metrics:
        if (value.name, value.split) == (name, split) and value.step < len(gained) and isfinite(value.value):
            gained[value.step] = sign * value.value
    return np.maximum.accumulate(gained) if np.isfinite(gained).any() else None


def _learnt(contestant: str, gains: Sequence[tuple[RunRow, Floats]], axis: Axis, sign: float) -> Curve:
    """Quartiles that never get worse: a run counts from the start, as the worst until its first value."""
    rows = [row for row, _ in gains]
    places = [_places(row, axis, len(gained)) for row, gained in gains]
    grid = _grid(places, axis, max(len(gained) for _, gained in gains))
    held = [_held(at, gained, grid, -np.inf) for at, (_, gained) in zip(places, gains, strict=True)]
    with np.errstate(invalid="ignore"):
        levels = np.quantile(np.vstack(held), (0.25, 0.5, 0.75), axis=0)
    known = np.isfinite(levels[1])
    low, median, high = (sign * levels[:, known])[:: int(sign)]
    return _curve(contestant, rows, grid[known], low, median, high)


def _axes_of(rows: Sequence[RunRow]) -> list[Axis]:
    """The axes that mean something for every one of the runs."""
    if not rows:
        return ["steps"]
    return ["steps", *(axis for axis in AXES[1:] if all(_used(row, axis) for row in rows))]


def _used(row: RunRow, axis: Axis) -> bool:
    values = [getattr(reached, axis) for reached in row.reached]
    return len(values) == row.result.steps and None not in values and bool(values) and values[-1] > 0


def _places(row: RunRow, axis: Axis, steps: int) -> Floats:
    """Where on the axis each step of a run ends."""
    if axis == "steps":
        return np.arange(steps, dtype=np.float64)
    return np.array([getattr(reached, axis) for reached in row.reached[:steps]], dtype=np.float64)


def _grid(places: Sequence[Floats], axis: Axis, steps: int) -> Floats:
    """The places at which a curve has points."""
    if axis == "steps":
        return np.arange(steps, dtype=np.float64)
    everywhere: Floats = np.unique(np.concatenate(places))
    if len(everywhere) <= MOST_POINTS:
        return everywhere
    thinned: Floats = everywhere[np.linspace(0, len(everywhere) - 1, MOST_POINTS).round().astype(int)]
    return thinned


def _held(at: Floats, values: Floats, grid: Floats, before: float) -> Floats:
    """The values as a staircase over the grid, the last one held to its end."""
    index = np.searchsorted(at, grid, side="right") - 1
    held: Floats = np.where(index < 0, before, values[np.maximum(index, 0)])
    return held


def _curve(contestant: str, rows: Sequence[RunRow], at: Floats, low: Floats, median: Floats, high: Floats) -> Curve:
    return Curve(
        contestant=contestant,
        runs=len(rows),
        at=tuple(at.tolist()),
        median=tuple(median.tolist()),
        low=tuple(value if isfinite(value) else None for value in low.tolist()),
        high=tuple(value if isfinite(value) else None for value in high.tolist()),
    )
