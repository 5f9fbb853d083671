"""Agents by tasks: every figure with its number of runs and its interval."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from environment.records import RunResult, RunStatus
from evaluation.statistics.apart import apart
from evaluation.statistics.efficiency import Efficiency, efficiency, pareto_front
from evaluation.statistics.entries import Entry, group_by, is_anchor, is_finished, is_graded, is_open
from evaluation.statistics.estimate import Estimate, wilson
from evaluation.statistics.estimators import interquartile_mean, known_mean, pass_at_k, pass_hat_k
from evaluation.statistics.means import mean_over_tasks, rate_over_tasks
from evaluation.statistics.profiles import ProfileSet, TaskScores, performance_profiles
from evaluation.statistics.ranking import Ranking, rank
from foundation.records import Record
from tasks_catalog.library.spec import Variant

REPEATS = (1, 2, 4, 8)
FULL_FIRST = (Variant.FULL, Variant.MINI)


class Cell(Record):
    """One contestant on one task.

    Attributes:
        valid: Runs with a score.
        success: Success rate over all runs; a run without a score failed.
        improvement_valid: Mean relative improvement over the baseline of the runs with a score, as the
            paper has it.
        improvement: The same over all runs; one without a score left the baseline, 0.
        normalised: Mean of 0 at the baseline and 1 at the reference, over all runs, missing as 0; ``None`` where the
            reference is not known.
    """

    contestant: str
    task: str
    runs: int
    valid: int
    successes: int
    success: Estimate
    score: Estimate | None
    improvement_valid: Estimate | None
    improvement: Estimate
    normalised: Estimate | None
    efficiency: Efficiency


class SuccessSummary(Record):
    """Success over several tasks.

    Attributes:
        pooled: All runs of all tasks as one sample, as the paper counts.
        same_tasks: Mean over tasks; the interval is for running these tasks again.
        other_tasks: Mean over tasks; the interval is for other tasks of this kind.
    """

    pooled: Estimate
    same_tasks: Estimate
    other_tasks: Estimate


class Summary(Record):
    """One contestant over its tasks.

    Attributes:
        anchor: It marks an end of the scale, and is not ranked.
        runs_of_each_task: The fewest runs of any task.
        normalised: As in a cell.
        normalised_iqm: Its interquartile mean over all runs.
        pass_at: pass@k by k; ``None`` below k runs of a task.
        pass_hat: pass^k by k; ``None`` below k runs of a task.
    """

    contestant: str
    anchor: bool
    tasks: int
    runs: int
    runs_of_each_task: int
    valid: int
    success: SuccessSummary
    improvement_valid: Estimate | None
    improvement: Estimate
    normalised: Estimate | None
    normalised_iqm: float | None
    pass_at: dict[int, float | None]
    pass_hat: dict[int, float | None]
    efficiency: Efficiency


class Table(Record):
    """Everything about one data variant. Mini and full are never in one table.

    Attributes:
        unfinished: Runs left out because they still run or can be resumed.
        infrastructure: Runs left out because none of their agent's doing ended them.
        ungraded: Finished runs left out because nothing says whether they succeeded.
        pareto: Contestants that no other beats at success and cost at once, cheapest first.
    """

    variant: Variant
    tasks: tuple[str, ...]
    summaries: tuple[Summary, ...]
    cells: tuple[Cell, ...]
    ranking: Ranking
    profiles: ProfileSet | None
    pareto: tuple[str, ...]
    unfinished: int
    infrastructure: int
    ungraded: int


def tables(entries: Sequence[Entry]) -> list[Table]:
    """One table a variant, full first; contestants by success, best first, then the ends of the scale.

    Different metrics share no cell.
    """
    results = apart([entry.result for entry in entries])
    named = [entry.model_copy(update={"result": result}) for entry, result in zip(entries, results, strict=True)]
    by_variant = group_by(named, lambda entry: entry.result.variant)
    return [_table(variant, by_variant[variant]) for variant in FULL_FIRST if variant in by_variant]


def success_summary(successes: Sequence[int], runs: Sequence[int]) -> SuccessSummary:
    """Success over tasks from their counts alone.

    Args:
        successes: Successes of each task.
        runs: Runs of each task, at least 1.
    """
    return SuccessSummary(
        pooled=wilson(sum(successes), sum(runs)),
        same_tasks=rate_over_tasks(successes, runs),
        other_tasks=rate_over_tasks(successes, runs, tasks="other"),
    )


def _table(variant: Variant, entries: Sequence[Entry]) -> Table:
    graded = [entry for entry in entries if is_graded(entry.result)]
    finished = sum(is_finished(entry.result) for entry in entries)
    by_contestant = group_by(graded, lambda entry: entry.contestant)
    runs = {name: [entry.result for entry in of_one] for name, of_one in by_contestant.items()}
    cells = [_cell(name, task, of_task) for name, results in runs.items() for task, of_task in _by_task(results)]
    summaries = [_summary(name, results) for name, results in runs.items()]
    summaries.sort(key=lambda one: (one.anchor, -one.success.same_tasks.value, -one.improvement.value, one.contestant))
    return Table(
        variant=variant,
        tasks=tuple(sorted({cell.task for cell in cells})),
        summaries=tuple(summaries),
        cells=tuple(cells),
        ranking=rank(
            {
                one.contestant: {
                    cell.task: (cell.successes, cell.runs) for cell in cells if cell.contestant == one.contestant
                }
                for one in summaries
                if not one.anchor
            }
        ),
        profiles=performance_profiles(_task_scores([entry for entry in graded if not is_anchor(entry.result)])),
        pareto=pareto_front(
            {
                one.contestant: (one.efficiency.per_run.cost, one.success.same_tasks.value)
                for one in summaries
                if one.efficiency.per_run.cost is not None and not one.anchor
            }
        ),
        unfinished=sum(is_open(entry.result) for entry in entries),
        infrastructure=sum(entry.result.status is RunStatus.INFRASTRUCTURE for entry in entries),
        ungraded=finished - len(graded),
    )


def _by_task(results: Sequence[RunResult]) -> list[tuple[str, list[RunResult]]]:
    return sorted(group_by(results, lambda result: result.task).items())


def _cell(contestant: str, task: str, results: Sequence[RunResult]) -> Cell:
    scores = [result.score for result in results if result.score is not None]
    valid = [result.improvement for result in results if result.improvement is not None]
    successes = sum(result.success for result in results)
    normalised = _normalised(results)
    return Cell(
        contestant=contestant,
        task=task,
        runs=len(results),
        valid=len(scores),
        successes=successes,
        success=wilson(successes, len(results)),
        score=mean_over_tasks([scores]) if scores else None,
        improvement_valid=mean_over_tasks([valid]) if valid else None,
        improvement=mean_over_tasks([[result.improvement or 0.0 for result in results]]),
        normalised=mean_over_tasks([normalised]) if normalised else None,
        efficiency=efficiency(results),
    )


def _summary(contestant: str, results: Sequence[RunResult]) -> Summary:
    by_task = [of_task for _, of_task in _by_task(results)]
    counts = [(sum(result.success for result in of_task), len(of_task)) for of_task in by_task]
    valid = [known for of_task in by_task if (known := _known_improvements(of_task))]
    normalised = _normalised(results)
    return Summary(
        contestant=contestant,
        anchor=all(map(is_anchor, results)),
        tasks=len(by_task),
        runs=len(results),
        runs_of_each_task=min(of for _, of in counts),
        valid=sum(result.score is not None for result in results),
        success=success_summary([won for won, _ in counts], [of for _, of in counts]),
        improvement_valid=mean_over_tasks(valid) if valid else None,
        improvement=mean_over_tasks([[result.improvement or 0.0 for result in of_task] for of_task in by_task]),
        normalised=mean_over_tasks([_normalised(of_task) for of_task in by_task]) if normalised else None,
        normalised_iqm=interquartile_mean(normalised) if normalised else None,
        pass_at={k: known_mean([pass_at_k(won, of, k) for won, of in counts]) for k in REPEATS},
        pass_hat={k: known_mean([pass_hat_k(won, of, k) for won, of in counts]) for k in REPEATS},
        efficiency=efficiency(results),
    )


def _known_improvements(results: Sequence[RunResult]) -> list[float]:
    return [result.improvement for result in results if result.improvement is not None]


def _normalised(results: Sequence[RunResult]) -> list[float]:
    """The normalised score of every run, 0 without a score; none where a score has no reference to stand between."""
    unknown = any(result.score is not None and result.normalised is None for result in results)
    return [] if unknown else [result.normalised or 0.0 for result in results]


def _task_scores(entries: Sequence[Entry]) -> dict[str, TaskScores]:
    """Mean score of each contestant on each task of which it is known what is better."""
    scores: dict[str, TaskScores] = {}
    for task, of_task in group_by(entries, lambda entry: entry.result.task).items():
        by_contestant = group_by(of_task, lambda entry: entry.contestant)
        known = {
            name: [entry.result.score for entry in of_one if entry.result.score is not None]
            for name, of_one in by_contestant.items()
        }
        first = next((entry.result for entry in of_task if entry.result.direction), None)
        if first is None or first.direction is None:
            continue
        scores[task] = TaskScores(
            direction=first.direction,
            baseline=first.baseline,
            scores={name: float(np.mean(values)) if values else None for name, values in known.items()},
        )
    return scores
