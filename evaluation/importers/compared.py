"""How the score that a foreign log carries stands to a baseline."""

from __future__ import annotations

from functools import lru_cache

from environment.metrics.meaning import canonical, is_known, is_same, lower_is_better
from evaluation.grading import GradeReport, relative_to_baseline
from evaluation.importers.figures import Figures, figures_of
from evaluation.record.log import RunLog
from foundation.records import Record
from tasks_catalog.catalog import list_tasks
from tasks_catalog.library.spec import Direction, Task, Variant, VariantSpec

FROM_CATALOGUE = "the catalogue, measured on the benchmark's own data"


class ComparedScore(Record):
    """A score with its baseline, and where both come from.

    Attributes:
        report: Score, baseline and what follows from them.
        score_from: Where the score stands; ``None`` without one.
        baseline_from: Where the baseline comes from; ``None`` without one.
        self_measured: The agent's own scripts measured both.
    """

    report: GradeReport
    score_from: str | None = None
    baseline_from: str | None = None
    self_measured: bool = False


def compared(log: RunLog) -> ComparedScore:
    """The log's score, with the improvement where a baseline is known.

    The baseline is the one in the log. A score that a harness gave, in the metric by which the catalogue grades the
    task, is otherwise held against the catalogue's figure for the benchmark's own data. No improvement follows from
    a score alone, nor where nobody knows which way the metric is better.
    """
    task = _catalogue().get(log.task)
    found = figures_of(log, task.spec.metric.name if task else None)
    if task is None or (found.metric is not None and not is_same(found.metric, task.spec.metric.name)):
        return _compared_with(_by_itself(log, found), found, None)
    report = GradeReport(
        task=task.name, variant=Variant.FULL, metric=task.spec.metric.name, direction=task.spec.metric.direction
    )
    return _compared_with(report, found, task.spec.variants.get(Variant.FULL))


def _by_itself(log: RunLog, found: Figures) -> GradeReport:
    metric = found.metric or log.metric or "score"
    return GradeReport(task=log.task, variant=Variant.FULL, metric=metric, direction=log.direction or _by_name(metric))


def _by_name(metric: str) -> Direction | None:
    """Which way a metric is better whose name everybody knows."""
    name = canonical(metric)
    if not is_known(name):
        return None
    return Direction.MINIMIZE if lower_is_better(name) else Direction.MAXIMIZE


def _compared_with(report: GradeReport, found: Figures, figures: VariantSpec | None) -> ComparedScore:
    starter = figures.baseline if figures and found.baseline is None and not found.self_measured else None
    reference = figures.reference.mean if figures and figures.reference and starter else None
    baseline = starter.mean if starter else found.baseline
    report = report.model_copy(update={"score": found.score, "baseline": baseline, "reference": reference})
    if found.score is not None and baseline is not None and report.direction is not None:
        fields = relative_to_baseline(found.score, baseline, reference, report.direction, starter)
        report = report.model_copy(update=fields)
    return ComparedScore(
        report=report,
        score_from=found.score_from,
        baseline_from=FROM_CATALOGUE if starter else found.baseline_from,
        self_measured=found.self_measured,
    )


@lru_cache
def _catalogue() -> dict[str, Task]:
    return {task.name: task for task in list_tasks()}
