"""All figures of a report, computed from the rows of its runs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from environment.records import RunStatus
from evaluation.claims.claim import Verdict
from evaluation.process.judge import Agreement, agreement
from evaluation.report.curves import TaskCurves, learning_curves, score_curves
from evaluation.report.model import RunRow
from evaluation.report.transfers import Transfer, transfers_of
from evaluation.report.working import WorkingSummary, working_summary
from evaluation.statistics.ablation import Effect, ablation_effects
from evaluation.statistics.apart import apart
from evaluation.statistics.entries import Entry, group_by, is_anchor, is_finished, is_graded, is_open
from evaluation.statistics.estimate import Estimate, wilson
from evaluation.statistics.lead import Lead, leads
from evaluation.statistics.pairs import Comparison, compare
from evaluation.statistics.tables import FULL_FIRST, Table, tables
from evaluation.statistics.thresholds import ThresholdSummary, threshold_summary
from foundation.records import Record
from tasks_catalog.library.spec import Variant

MOST_COMPARED = 8


class ClaimSummary(Record):
    """Claims of one contestant.

    Attributes:
        counts: Claims by verdict.
        within_noise: Those of the supported ones that reruns alone might show.
        problems: Share of the checkable claims that are contradicted or unsupported.
    """

    contestant: str
    runs: int
    counts: dict[Verdict, int]
    within_noise: int
    problems: Estimate | None


class Results(Record):
    """Who does how well: all that depends on which runs count.

    Attributes:
        leads: Who is ahead, overall and by task.
        comparisons: Contestants in pairs, without the ends of the scale.
    """

    table: Table
    leads: tuple[Lead, ...]
    comparisons: tuple[Comparison, ...]
    thresholds: tuple[ThresholdSummary, ...]

    @property
    def variant(self) -> Variant:
        """The data variant."""
        return self.table.variant


class VariantSummary(Results):
    """Everything about the runs of one data variant.

    Attributes:
        counting_unfinished: The results if runs that have not ended count as failures; ``None`` where all have.
        graded_elsewhere: Runs whose grade is that of another harness.
        self_measured: Runs that nobody graded: their agents' own scripts measured score and baseline.
        all_imported: No run was made here.
    """

    counting_unfinished: Results | None
    graded_elsewhere: int
    self_measured: int
    all_imported: bool
    effects: tuple[Effect, ...]
    curves: tuple[TaskCurves, ...]
    scores: tuple[TaskCurves, ...]
    claims: tuple[ClaimSummary, ...]
    working: tuple[WorkingSummary, ...]
    agreement: tuple[Agreement, ...]
    transfers: tuple[Transfer, ...] = ()

    @property
    def is_imported(self) -> bool:
        """Whether every run was imported, or at least all that is ranked was graded elsewhere, or not at all."""
        ranked = sum(one.runs for one in self.table.summaries)
        return self.all_imported or (ranked > 0 and self.graded_elsewhere + self.self_measured == ranked)

    @property
    def contestants(self) -> int:
        """How many ran, the ends of the scale left out."""
        anchors = {one.contestant for one in self.table.summaries if one.anchor}
        return sum(one.contestant not in anchors for one in self.claims)

    @property
    def tasks(self) -> int:
        """How many tasks the contestants ran; those of the ends of the scale, where no other has run."""
        anchors = {one.contestant for one in self.table.summaries if one.anchor}
        return len({cell.task for cell in self.table.cells if cell.contestant not in anchors}) or len(self.table.tasks)

    @property
    def named(self) -> str:
        """What tells the part from others: its data, of which a foreign log says nothing."""
        return "imported" if self.is_imported else self.variant.value


class Summary(Record):
    """The whole report but the pages of its runs. This is ``report.json``.

    Attributes:
        graded: Runs of contestants that succeeded or did not; of the ends of the scale, where no other has run.
        anchors_apart: Finished runs of the ends of the scale (nop, oracle), which are not among these.
        successes: Those of them that succeeded.
    """

    runs: int
    finished: int
    graded: int
    anchors_apart: int
    successes: int
    claims: int
    checkable: int
    problems: int
    variants: tuple[VariantSummary, ...]


def summarise(rows: Sequence[RunRow]) -> Summary:
    """Figures of any number of runs; those of different data variants or metrics never meet, imported ones are last."""
    rows = _apart(rows)
    finished = [row for row in rows if is_finished(row.result)]
    ranked = [row for row in finished if not is_anchor(row.result)] or finished
    by_variant = group_by(rows, lambda row: row.result.variant)
    parts = [_variant_summary(by_variant[variant]) for variant in FULL_FIRST if variant in by_variant]
    return Summary(
        runs=len(rows),
        finished=len(finished),
        anchors_apart=len(finished) - len(ranked),
        graded=sum(is_graded(row.result) for row in ranked),
        successes=sum(row.result.success for row in ranked),
        claims=sum(sum(row.claims.values()) for row in finished),
        checkable=sum(
            count for row in finished for verdict, count in row.claims.items() if verdict != Verdict.UNCHECKABLE
        ),
        problems=sum(row.claims.get(verdict, 0) for row in finished for verdict in Verdict if verdict.is_problem),
        variants=tuple(sorted(parts, key=lambda part: part.is_imported)),
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


def _variant_summary(rows: Sequence[RunRow]) -> VariantSummary:
    finished = [row for row in rows if is_finished(row.result)]
    graded = [row for row in finished if is_graded(row.result)]
    results = _results(rows)
    ranked = [one.contestant for one in results.table.summaries]
    by_contestant = group_by(finished, lambda row: row.contestant)
    judged = [(row.rubric, row.failures) for row in finished if row.rubric is not None]
    everyone = [*ranked, *(name for name in by_contestant if name not in ranked)]
    return VariantSummary(
        **dict(results),
        counting_unfinished=_results([_as_ended(row) for row in rows]) if results.table.unfinished else None,
        graded_elsewhere=sum(bool(row.result.score_from) and not row.result.self_measured for row in graded),
        self_measured=sum(row.result.self_measured for row in graded),
        all_imported=all(row.result.is_imported for row in rows),
        effects=tuple(ablation_effects([_entry(row) for row in graded if not is_anchor(row.result)])),
        curves=tuple(learning_curves(finished)),
        scores=tuple(score_curves(finished)),
        claims=tuple(_claim_summary(name, by_contestant[name]) for name in everyone),
        working=tuple(working_summary(name, by_contestant[name]) for name in everyone),
        agreement=tuple(agreement(judged)) if judged else (),
        transfers=tuple(transfers_of(finished)),
    )


def _results(rows: Sequence[RunRow]) -> Results:
    """Of runs of one variant, whose tasks are named apart already."""
    entries = [_entry(row) for row in rows]
    graded = [entry for entry in entries if is_graded(entry.result)]
    (table,) = tables(entries)
    by_contestant = group_by(graded, lambda entry: entry.contestant)
    runs = {one.contestant: [entry.result for entry in by_contestant[one.contestant]] for one in table.summaries}
    contestants = [one.contestant for one in table.summaries if not one.anchor][:MOST_COMPARED]
    compared = [compare((a, runs[a]), (b, runs[b])) for a, b in combinations(contestants, 2)]
    return Results(
        table=table,
        leads=tuple(leads(graded)),
        comparisons=tuple(one for one in compared if one),
        thresholds=tuple(threshold_summary(name, results) for name, results in runs.items()),
    )


def _as_ended(row: RunRow) -> RunRow:
    """The run, as one that failed where it has not ended."""
    if not is_open(row.result):
        return row
    return row.model_copy(update={"result": row.result.model_copy(update={"status": RunStatus.FAILED})})


def _claim_summary(contestant: str, rows: Sequence[RunRow]) -> ClaimSummary:
    counts = {verdict: sum(row.claims.get(verdict, 0) for row in rows) for verdict in Verdict}
    problems = sum(count for verdict, count in counts.items() if verdict.is_problem)
    checkable = problems + counts[Verdict.SUPPORTED]
    return ClaimSummary(
        contestant=contestant,
        runs=len(rows),
        counts=counts,
        within_noise=sum(row.within_noise for row in rows),
        problems=wilson(problems, checkable) if checkable else None,
    )
