"""What the report says in a few sentences, and nothing that its intervals do not bear."""

from __future__ import annotations

from collections.abc import Sequence

from environment.records.display import counted, percent
from evaluation.claims.claim import Verdict
from evaluation.report.summary import Results, VariantSummary
from evaluation.report.wording import interval, isolated
from evaluation.statistics.ranking import Ranking
from evaluation.statistics.tables import Summary, Table

MOST_NAMED = 4
"""Contestants in one sentence."""


def headline(results: Results) -> list[str]:
    """Sentences on success and on the order of the contestants."""
    return [*_success(results.table), *_order(results.table)]


def imported(summary: VariantSummary) -> list[str]:
    """Whose grades these are, where it was not this program that graded."""
    elsewhere, own = summary.graded_elsewhere, summary.self_measured
    sentences = []
    if elsewhere:
        sentences.append(f"Imported with the grade of the harness that ran them: {counted(elsewhere, 'run')}.")
    if own:
        sentences.append(
            f"Imported without a grade: {counted(own, 'run')}. There the score is what the agent's last training run "
            "printed, and the baseline what the starter printed before it was changed; each run's page names the steps."
        )
    return sentences


def _success(table: Table) -> list[str]:
    if not table.summaries:
        return ["No run has a grade yet: nothing can be said about success."]
    if all(one.anchor for one in table.summaries):
        return [f"Only ends of the scale ran, so nobody is compared: {_named(table.summaries, table)}."]
    compared = [one for one in table.summaries if one.contestant in table.ranking.ranks]
    compared = compared or [one for one in table.summaries if not one.anchor]
    first, *rest = compared
    if not rest:
        return [f"{isolated(first.contestant)} succeeds: {_rate(first, table)}."]
    leads = table.ranking.ranks and first.success.same_tasks.value > rest[0].success.same_tasks.value
    if leads:
        return [
            f"{isolated(first.contestant)} succeeds most often: {_rate(first, table)}.",
            f"Next: {_named(rest[:1], table)}.",
        ]
    further = len(compared) - MOST_NAMED
    others = f"; and {counted(further, 'other')}" if further > 0 else ""
    return [f"Success: {_named(compared[:MOST_NAMED], table)}{others}."]


def _named(some: Sequence[Summary], table: Table) -> str:
    return "; ".join(f"{isolated(one.contestant)}, {_rate(one, table)}" for one in some)


def _rate(one: Summary, table: Table) -> str:
    pooled, rate = one.success.pooled, one.success.same_tasks
    successes = sum(cell.successes for cell in table.cells if cell.contestant == one.contestant)
    won = f"{successes} of {counted(one.runs, 'run')}"
    weighed = ", tasks weighing alike" if percent(rate.value) != percent(pooled.value) else ""
    spread = f"the 95 % interval is {interval(rate)}" if rate.has_interval else "no interval can be given"
    return f"{percent(rate.value)} ({won}{weighed}; {spread})"


def _order(table: Table) -> list[str]:
    ranking = table.ranking
    if len(ranking.ranks) < 2:
        return [_left_out(ranking)] if ranking.left_out else []
    sentences = []
    if not ranking.separated:
        sentences.append("The intervals do not put any two contestants in an order.")
    else:
        leader = next(one.contestant for one in table.summaries if one.contestant in ranking.ranks)
        beaten = [worse for better, worse in ranking.separated if better == leader]
        others = len(ranking.ranks) - 1
        whom = "the other" if others == 1 else f"{len(beaten)} of the {others} others"
        sentences.append(f"It is reliably ahead of {whom} on the shared tasks.")
    return [*sentences, _left_out(ranking)] if ranking.left_out else sentences


def _left_out(ranking: Ranking) -> str:
    return f"Not ranked, for want of runs on some tasks: {', '.join(map(isolated, ranking.left_out))}."


def truth(summary: VariantSummary) -> list[str]:
    """Sentences on the truth of what was claimed, where anything was."""
    counts = [(verdict, count) for one in summary.claims for verdict, count in one.counts.items()]
    problems = sum(count for verdict, count in counts if verdict.is_problem)
    vague = sum(count for verdict, count in counts if verdict is Verdict.UNCHECKABLE)
    checkable = sum(count for _, count in counts) - vague
    if not checkable:
        return [f"{counted(vague, 'claim')} and none that can be checked."] if vague else []
    share = f"{problems:,} ({percent(problems / checkable)})"
    besides = "is one" if vague == 1 else f"are {vague:,}"
    beside = f" There {besides} more that cannot be checked." if vague else ""
    noisy = sum(one.within_noise for one in summary.claims)
    order = f"{noisy:,} of the supported orders {'is' if noisy == 1 else 'are'} within noise"
    also = [f"{order}: reruns alone lie as far apart."] if noisy else []
    found = f"Of {counted(checkable, 'claim')} that can be checked, {share} do not stand up to the record."
    return [f"{found}{beside}", *also]
