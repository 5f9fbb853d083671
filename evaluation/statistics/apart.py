"""Runs of one task that were measured by several metrics, told apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from environment.metrics.meaning import canonical
from environment.records import RunResult


def apart(results: Sequence[RunResult]) -> list[RunResult]:
    """The results; where runs of one task were measured by several metrics, it is named with each run's behind it.

    Scores of different metrics are never averaged. A run without a score counts for the task's most common metric.
    """
    return [
        result if name == result.task else result.model_copy(update={"task": name})
        for result, name in zip(results, _task_names(results), strict=True)
    ]


def _task_names(results: Sequence[RunResult]) -> list[str]:
    metrics: dict[str, Counter[str]] = {}
    for result in results:
        of_task = metrics.setdefault(result.task, Counter())
        if result.score is not None:
            of_task[canonical(result.metric)] += 1
    names = []
    for result in results:
        of_task = metrics[result.task]
        known = result.score is not None or not of_task
        metric = canonical(result.metric) if known else of_task.most_common(1)[0][0]
        names.append(f"{result.task} ({metric})" if len(of_task) > 1 else result.task)
    return names
