"""How the score that a foreign log carries stands to the baseline of its task."""

from __future__ import annotations

from functools import lru_cache

from environment.training.metric_meaning import is_same, lower_is_better
from evaluation.claims.log import RunLog
from evaluation.grading import GradeReport, standing
from tasks_catalog.catalog import list_tasks
from tasks_catalog.spec import Direction, Task, Variant, VariantSpec


def standing_of(log: RunLog) -> GradeReport:
    """The log's score, with the improvement where a baseline is known.

    The figures are those of the catalogue, for the benchmark's own data, where the task is in it and the
    log does not name another metric; else the baseline that the log itself names. No improvement follows
    from a score alone.
    """
    task = _catalogue().get(log.task)
    if task is None or (log.metric is not None and not is_same(log.metric, task.spec.metric.name)):
        return _by_itself(log)
    report = GradeReport(
        task=task.name, variant=Variant.FULL, metric=task.spec.metric.name, direction=task.spec.metric.direction
    )
    return _stands(report, log, task.spec.variants.get(Variant.FULL))


def _by_itself(log: RunLog) -> GradeReport:
    metric = log.metric or "score"
    direction = log.direction or (Direction.MINIMIZE if lower_is_better(metric) else Direction.MAXIMIZE)
    return _stands(GradeReport(task=log.task, variant=Variant.FULL, metric=metric, direction=direction), log, None)


def _stands(report: GradeReport, log: RunLog, figures: VariantSpec | None) -> GradeReport:
    known = figures.baseline if figures else None
    baseline = known.mean if known else log.baseline
    reference = figures.reference.mean if figures and figures.reference else None
    report = report.model_copy(update={"score": log.score, "baseline": baseline, "reference": reference})
    if log.score is None or baseline is None:
        return report
    return report.model_copy(update=standing(log.score, baseline, reference, report.direction, known))


@lru_cache
def _catalogue() -> dict[str, Task]:
    return {task.name: task for task in list_tasks()}
