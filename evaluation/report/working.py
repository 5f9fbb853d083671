"""How contestants work: process measures and failure modes over their runs."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

import numpy as np

from evaluation.process.measures import KINDS
from evaluation.report.model import RunRow
from foundation.records import Record


class WorkingSummary(Record):
    """Means over the runs of one contestant; ``None`` where no run has the figure.

    Attributes:
        first_execution: Steps before the first training run.
        failed_executions: Share of training runs that ended with an error or were stopped.
        plan_carried_out: Share of planned items after which an action of their kind succeeded.
        steps_by_kind: Share of steps by kind of action.
        time_by_kind: Share of the time by kind of action; ``thinking`` is that of model calls.
        tokens_by_kind: Share of the tokens by kind of the action they led to.
        failures: Number of runs by failure mode.
    """

    contestant: str
    runs: int
    first_execution: float | None
    executions: float
    failed_executions: float | None
    edit_run_cycles: float
    recoveries: float
    repeated_actions: float
    refused_actions: float
    plan_changes: float
    plan_carried_out: float | None
    steps_by_kind: dict[str, float]
    time_by_kind: dict[str, float]
    tokens_by_kind: dict[str, float]
    failures: dict[str, int]


def working_summary(contestant: str, rows: Sequence[RunRow]) -> WorkingSummary:
    """The measures of at least one run."""
    measures = [row.process for row in rows]
    uses = [use for one in measures for use in one.by_kind]
    executions = sum(one.executions for one in measures)
    return WorkingSummary(
        contestant=contestant,
        runs=len(rows),
        first_execution=_mean(one.first_execution for one in measures),
        executions=executions / len(rows),
        failed_executions=sum(one.failed_executions for one in measures) / executions if executions else None,
        edit_run_cycles=_average(one.edit_run_cycles for one in measures),
        recoveries=_average(one.recoveries for one in measures),
        repeated_actions=_average(one.repeated_actions for one in measures),
        refused_actions=_average(one.refused_actions for one in measures),
        plan_changes=_average(one.plan.changes for one in measures),
        plan_carried_out=_mean(one.plan.carried_out for one in measures),
        steps_by_kind=_shares((use.kind, use.steps) for use in uses),
        time_by_kind=_shares((use.kind, use.seconds) for use in uses),
        tokens_by_kind=_shares((use.kind, use.tokens) for use in uses),
        failures=dict(Counter(mode for row in rows for mode in set(row.failures))),
    )


def _shares(amounts: Iterable[tuple[str, float]]) -> dict[str, float]:
    """Shares of the sums, in the order of the kinds; empty where there is nothing to share."""
    sums: defaultdict[str, float] = defaultdict(float)
    for kind, amount in amounts:
        sums[kind] += amount
    total = sum(sums.values())
    return {kind: sums[kind] / total for kind in KINDS if sums[kind]} if total else {}


def _average(values: Iterable[float]) -> float:
    return float(np.mean(list(values)))


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known else None
