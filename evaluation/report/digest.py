"""A whole run in, one row out: what the overview needs of a run it will not keep."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from environment.records import UNKNOWN, RunConfig, RunResult, Spent, Step
from environment.records.names import conditions
from evaluation.process.measures import measure
from evaluation.report.model import MetricValue, Reached, ReportRun, RunRow
from evaluation.statistics.ablation import settings_of
from evaluation.statistics.entries import group_by


def digest(run: ReportRun) -> RunRow:
    """The row of one run; its contestant is named by agent and model until all runs are known."""
    return RunRow(
        contestant=" · ".join([*_names(run.result), *(conditions(run.config) if run.config else ())]),
        result=run.result,
        config=run.config,
        claims=dict(Counter(str(claim.verdict) for claim in run.claims)) or run.result.claims,
        failures=tuple(failure.mode for failure in run.failures),
        metrics=tuple(_last_values(run.steps)),
        reached=tuple(_reached(step.checkpoint.spent) for step in run.steps),
        process=measure(run.steps),
        graded=tuple(grade.score for grade in run.grades),
        rubric=run.judgement.rubric if run.judgement else None,
    )


def _names(result: RunResult) -> list[str]:
    """Agent and model; a log that names only its model says nothing of an agent."""
    agent = result.agent.rpartition(":")[2]
    if result.model is None:
        return [agent]
    return [result.model] if result.is_imported and agent == UNKNOWN else [agent, result.model]


def name_contestants(rows: Sequence[RunRow]) -> list[RunRow]:
    """Tell apart contestants of the same agent and model by the settings in which they differ; the order stays.

    What is as it is by default is not named: another run that sets something does not rename it.
    """
    usual = settings_of(RunConfig(task=""))
    names: dict[int, str] = {}
    for same in group_by(enumerate(rows), lambda numbered: numbered[1].contestant).values():
        settings = [settings_of(row.config) if row.config else {} for _, row in same]
        values: defaultdict[str, set[str]] = defaultdict(set)
        for name in {name for one in settings for name in one}:
            values[name] = {one.get(name, "unset") for one in settings}
        varying = sorted(name for name, seen in values.items() if len(seen) > 1)
        for (n, row), one in zip(same, settings, strict=True):
            suffix = ", ".join(
                f"{name.rpartition('.')[2]} {one[name]}"
                for name in varying
                if name in one and one[name] != usual.get(name)
            )
            names[n] = f"{row.contestant} · {suffix}" if suffix else row.contestant
    return [row.model_copy(update={"contestant": names[n]}) for n, row in enumerate(rows)]


def _reached(spent: Spent) -> Reached:
    return Reached(seconds=spent.wall_seconds, tokens=spent.tokens, money=None if spent.unknown_cost else spent.cost)


def _last_values(steps: Sequence[Step]) -> list[MetricValue]:
    values = []
    for step in steps:
        run = step.effect.training_run
        last = {(point.name, point.split): point.comparable for point in run.metrics} if run else {}
        values += [MetricValue(step=step.n, name=name, split=split, value=v) for (name, split), v in last.items()]
    return values
