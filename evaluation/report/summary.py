"""All figures of a report, computed from the rows of its runs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from evaluation.claims.claim import Verdict
from evaluation.process.judge import Agreement, agreement
from evaluation.report.curves import TaskCurves, learning_curves, score_curves
from evaluation.report.model import RunRow
from evaluation.report.working import WorkingSummary, working_summary
from evaluation.statistics.ablation import Effect, ablation_effects
from evaluation.statistics.entries import Entry, apart, group_by, is_finished, is_graded
from evaluation.statistics.estimate import Estimate, wilson
from evaluation.statistics.pairs import Comparison, compare
from evaluation.statistics.tables import Table, tables
from evaluation.statistics.thresholds import ThresholdSummary, threshold_summary
from foundation.records import Record
from tasks_catalog.library.spec import Variant

MOST_COMPARED = 8


class ClaimSummary(Record):
    """Claims of one contestant.

    Attributes:
        counts: Claims by verdict.
        problems: Share of the checkable claims that are contradicted or unsupported.
    """

    contestant: str
    runs: int
    counts: dict[Verdict, int]
    problems: Estimate | None


class VariantSummary(Record):
    """Everything about the runs of one data variant.

    Attributes:
        graded_elsewhere: Runs whose grade is that of another harness.
        self_measured: Runs that nobody graded: their agents' own scripts measured score and baseline.
    """

    table: Table
    graded_elsewhere: int
    self_measured: int
    comparisons: tuple[Comparison, ...]
    effects: tuple[Effect, ...]
    curves: tuple[TaskCurves, ...]
    scores: tuple[TaskCurves, ...]
    thresholds: tuple[ThresholdSummary, ...]
    claims: tuple[ClaimSummary, ...]
    working: tuple[WorkingSummary, ...]
    agreement: tuple[Agreement, ...]

    @property
    def variant(self) -> Variant:
        """The data variant."""
        return self.table.variant


class Summary(Record):
    """The whole report but the pages of its runs. This is ``report.json``."""

    runs: int
    finished: int
    graded: int
    successes: int
    claims: int
    problems: int
    variants: tuple[VariantSummary, ...]


def summarise(rows: Sequence[RunRow]) -> Summary:
    """Figures of any number of runs; those of different data variants or metrics never meet."""
    rows = _apart(rows)
    finished = [row for row in rows if is_finished(row.result)]
    by_variant = group_by(rows, lambda row: row.result.variant)
    return Summary(
        runs=len(rows),
        finished=len(finished),
        graded=sum(is_graded(row.result) for row in finished),
        successes=sum(row.result.success for row in finished),
        claims=sum(sum(row.claims.values()) for row in finished),
        problems=sum(row.claims.get(verdict, 0) for row in finished for verdict in Verdict if verdict.is_problem),
        variants=tuple(
            _variant_summary(table, by_variant[table.variant]) for table in tables([_entry(row) for row in rows])
        ),
    )


def _apart(rows: Sequence[RunRow]) -> list[RunRow]:
    """The rows, with tasks named apart whose runs were measured by several metrics."""
    results = apart([row.result for row in rows])
    return [
        row if result is row.result else row.model_copy(update={"result": result})
        for row, result in zip(rows, results, strict=True)
    ]


def _entry(row: RunRow) -> Entry:
    return Entry(contestant=row.contestant, result=row.result, config=row.config)


def _variant_summary(table: Table, rows: Sequence[RunRow]) -> VariantSummary:
    finished = [row for row in rows if is_finished(row.result)]
    graded = [row for row in finished if is_graded(row.result)]
    ranked = [one.contestant for one in table.summaries]
    results = {name: [row.result for row in graded if row.contestant == name] for name in ranked[:MOST_COMPARED]}
    compared = [compare(first, second) for first, second in combinations(results.items(), 2)]
    by_contestant = group_by(finished, lambda row: row.contestant)
    judged = [(row.rubric, row.failures) for row in finished if row.rubric is not None]
    everyone = [*ranked, *(name for name in by_contestant if name not in ranked)]
    return VariantSummary(
        table=table,
        graded_elsewhere=sum(bool(row.result.score_from) and not row.result.self_measured for row in graded),
        self_measured=sum(row.result.self_measured for row in graded),
        comparisons=tuple(one for one in compared if one),
        effects=tuple(ablation_effects([_entry(row) for row in graded])),
        curves=tuple(learning_curves(rows)),
        scores=tuple(score_curves(rows)),
        thresholds=tuple(
            threshold_summary(name, [row.result for row in graded if row.contestant == name]) for name in ranked
        ),
        claims=tuple(_claim_summary(name, by_contestant[name]) for name in everyone),
        working=tuple(working_summary(name, by_contestant[name]) for name in everyone),
        agreement=tuple(agreement(judged)) if judged else (),
    )


def _claim_summary(contestant: str, rows: Sequence[RunRow]) -> ClaimSummary:
    counts = {verdict: sum(row.claims.get(verdict, 0) for row in rows) for verdict in Verdict}
    problems = sum(count for verdict, count in counts.items() if verdict.is_problem)
    checkable = problems + counts[Verdict.SUPPORTED]
    return ClaimSummary(
        contestant=contestant,
        runs=len(rows),
        counts=counts,
        problems=wilson(problems, checkable) if checkable else None,
    )
