"""Who is ahead, in words: what stands on the cards at the head of a report."""

from __future__ import annotations

from collections.abc import Sequence

from environment.records.display import counted, percent
from evaluation.report.wording import interval, isolated, mirrored, p_text, points
from evaluation.statistics.lead import Lead, Standing
from evaluation.statistics.pairs import Comparison
from evaluation.statistics.testing import MOST_RUNS
from foundation.records import Record

LEAST_SHOWN = 0.0005
"""A smaller difference is no tenth of a percentage point."""
LEAST_P = 0.001


class LeadCard(Record):
    """One card.

    Attributes:
        title: The task, or all of them.
        verdict: Who is ahead, or that nobody can tell.
        sure: Whether somebody is ahead beyond noise.
        amount: By how much, with interval, p and n.
        outlook: What more runs would tell.
        scale: The ends of the scale, where they ran.
        left_out: Which tasks the card leaves out, and why.
    """

    title: str
    verdict: str
    sure: bool
    amount: str
    outlook: str
    scale: str
    left_out: str


def lead_card(lead: Lead) -> LeadCard:
    """The card of a lead."""
    first, *others = lead.standings
    return LeadCard(
        title=_scope(lead).capitalize() if lead.task is None else isolated(lead.task),
        verdict=_verdict(lead),
        sure=lead.beyond_noise,
        amount=_amount(lead, lead.comparison) if lead.comparison and not lead.is_scoreless else _apart(lead),
        outlook=_outlook(lead) if others else f"{first.successes} of {counted(first.runs, 'run')} succeeded.",
        scale=", ".join(f"{_name(one)} {percent(one.improvement.value, signed=True)}" for one in lead.anchors),
        left_out=_left_out(lead.left_out),
    )


def _scope(lead: Lead) -> str:
    return "both tasks" if lead.tasks == 2 else f"all {lead.tasks} tasks"


def _left_out(tasks: Sequence[str]) -> str:
    if not tasks:
        return ""
    return f"Not counted here, as only ends of the scale ran there: {', '.join(map(isolated, tasks))}."


def _verdict(lead: Lead) -> str:
    if len(lead.standings) == 1:
        where = "this task" if lead.task else _scope(lead)
        return f"Nobody to compare: only {_name(lead.standings[0])} has runs on {where}."
    first, second = lead.standings[:2]
    if lead.is_scoreless:
        return "No run has a score."
    if lead.beyond_noise:
        return f"{_name(first)} is ahead of {_name(second)}."
    if lead.is_even:
        return f"{_name(first)} and {_name(second)} do alike."
    return "Cannot tell who is ahead."


def _name(one: Standing) -> str:
    return isolated(one.contestant)


def _standing(one: Standing) -> str:
    if not one.scored:
        return f"{_name(one)} has {counted(one.runs, 'run')} and no score"
    spread = f" ({interval(one.improvement)})" if one.improvement.has_interval else ""
    return f"{_name(one)} improves by {percent(one.improvement.value)}{spread}, {counted(one.runs, 'run')}"


def _apart(lead: Lead) -> str:
    return "; ".join(map(_standing, lead.standings[:2])) + "."


def _amount(lead: Lead, pairs: Comparison) -> str:
    first, second = lead.standings[:2]
    gap, where = pairs.improvement, ""
    if lead.is_reversed:
        first, second, gap = second, first, mirrored(gap)
        where = " on the runs that can be paired, and below it over all"
    spread = f"95 % interval {interval(gap)}; " if gap.has_interval else ""
    of_both = f"The mean improvement of {_name(first)} is {_above(gap.value)} that of {_name(second)}{where}"
    return f"{of_both} ({spread}{_p(lead)}; n = {counted(pairs.pairs, 'pair')} of the same task and seed)."


def _above(gap: float) -> str:
    if gap == 0:
        return "equal to"
    return f"{points(gap) if gap >= LEAST_SHOWN else 'less than 0.1 points'} above"


def _p(lead: Lead) -> str:
    if lead.p_value is None:
        return "no test"
    is_small = lead.p_value < LEAST_P
    p = f"p < {LEAST_P}" if is_small else f"p = {p_text(lead.p_value)}"
    return f"{p}, corrected for {lead.tested} pairs of contestants" if lead.tested > 1 else p


def _outlook(lead: Lead) -> str:
    pairs = lead.comparison
    if lead.is_scoreless:
        return "All count as the baseline; each run's page says what went wrong."
    if pairs is None:
        return "No runs of theirs are known to have the same task and seed, so nothing can be paired."
    if lead.beyond_noise:
        return "Beyond noise."
    if lead.is_even:
        return "No pair shows a difference."
    if lead.is_reversed:
        return "The pairs and the means disagree: give both contestants the same seeds."
    return _needed(lead, pairs)


def _needed(lead: Lead, pairs: Comparison) -> str:
    if pairs.pairs < 2 * pairs.tasks:
        return "A task with a single pair shows no scatter: run more seeds."
    if not pairs.improvement.has_interval:
        return "Every pair of a task differs by the same: six of them would do."
    if pairs.improvement.value == 0:
        return "Within noise: no difference is seen."
    stands_out = lead.tested > 1 and pairs.improvement.low is not None and pairs.improvement.low > 0
    among = f": among {lead.tested} pairs of contestants chance alone shows as much" if stands_out else ""
    if pairs.seeds_needed is not None:
        needed = f"About {counted(pairs.seeds_needed, 'seed')} a task would show a difference as large."
        return f"Within noise{among}. {needed}"
    return f"Within noise{among}. More than {MOST_RUNS:,} seeds would be needed: count them as equals."
