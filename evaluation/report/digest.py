"""A whole run in, one row out: what the overview needs of a run it will not keep."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from environment.records import Spent, Step
from evaluation.process.measures import measure
from evaluation.report.model import MetricValue, Reached, ReportRun, RunRow
from evaluation.statistics.contestants import contestant_of, distinct_names


def digest(run: ReportRun) -> RunRow:
    """The row of one run; its contestant is named by agent and model until all runs are known."""
    return RunRow(
        contestant=contestant_of(run.result, run.config),
        result=run.result,
        config=run.config,
        claims=dict(Counter(str(claim.verdict) for claim in run.claims)) or run.result.claims,
        within_noise=sum(claim.within_noise for claim in run.claims) or run.result.within_noise,
        failures=tuple(failure.mode for failure in run.failures),
        metrics=tuple(_last_values(run.steps)),
        reached=tuple(_reached(step.checkpoint.spent) for step in run.steps),
        process=measure(run.steps),
        graded=tuple(grade.score for grade in run.grades),
        rubric=run.judgement.rubric if run.judgement else None,
    )


def name_contestants(rows: Sequence[RunRow]) -> list[RunRow]:
    """The rows, their contestants told apart by the settings in which they differ; the order stays."""
    names = distinct_names([(row.contestant, row.config) for row in rows])
    return [row.model_copy(update={"contestant": name}) for row, name in zip(rows, names, strict=True)]


def _reached(spent: Spent) -> Reached:
    return Reached(seconds=spent.wall_seconds, tokens=spent.tokens, money=None if spent.unknown_cost else spent.cost)


def _last_values(steps: Sequence[Step]) -> list[MetricValue]:
    values = []
    for step in steps:
        run = step.effect.training_run
        last = {(point.name, point.split): point.comparable for point in run.metrics} if run else {}
        values += [MetricValue(step=step.n, name=name, split=split, value=v) for (name, split), v in last.items()]
    return values
