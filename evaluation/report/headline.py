"""What the report says in a few sentences, and nothing that its intervals do not bear."""

from __future__ import annotations

from environment.records.display import counted, percent
from evaluation.report.summary import Results, VariantSummary
from evaluation.report.wording import interval
from evaluation.statistics.ranking import Ranking
from evaluation.statistics.tables import Table


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
    compared = [one for one in table.summaries if one.contestant in table.ranking.ranks] or table.summaries
    first, rest = compared[0], compared[1:]
    pooled, rate = first.success.pooled, first.success.same_tasks
    leads = len(table.ranking.ranks) > 1 and rest and rate.value > rest[0].success.same_tasks.value
    who = f"{first.contestant} succeeds most often" if leads else f"{first.contestant} succeeds"
    successes = sum(cell.successes for cell in table.cells if cell.contestant == first.contestant)
    won = f"{successes} of {counted(first.runs, 'run')}"
    weighed = ", tasks weighing alike" if percent(rate.value) != percent(pooled.value) else ""
    spread = f"the 95 % interval is {interval(rate)}" if rate.has_interval else "no interval can be given"
    return [f"{who}: {percent(rate.value)} ({won}{weighed}; {spread})."]


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
        sentences.append(f"It is reliably ahead of {len(beaten)} of the {others} others on the shared tasks.")
    return [*sentences, _left_out(ranking)] if ranking.left_out else sentences


def _left_out(ranking: Ranking) -> str:
    return f"Not ranked, for want of runs on some tasks: {', '.join(ranking.left_out)}."


def truth(summary: VariantSummary) -> list[str]:
    """A sentence on the truth of what was claimed, where anything was."""
    problems = sum(count for one in summary.claims for verdict, count in one.counts.items() if verdict.is_problem)
    claims = sum(count for one in summary.claims for count in one.counts.values())
    if not claims:
        return []
    noisy = sum(one.within_noise for one in summary.claims)
    also = [f"{noisy:,} of the supported orders are within noise: reruns alone lie as far apart."] if noisy else []
    share = f"Of {claims:,} checked claims, {problems:,} ({percent(problems / claims)}) do not stand up to the record."
    return [share, *also]
