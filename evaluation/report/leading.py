"""Who is ahead, in words: what stands on the cards at the head of a report."""

from __future__ import annotations

from environment.records.display import counted, percent
from evaluation.report.wording import interval, mirrored, p_text, points
from evaluation.statistics.lead import Lead, Standing
from evaluation.statistics.pairs import Comparison
from evaluation.statistics.testing import MOST_RUNS
from foundation.records import Record


class LeadCard(Record):
    """One card.

    Attributes:
        title: The task, or all of them.
        verdict: Who is ahead, or that nobody can tell.
        sure: Whether somebody is ahead beyond noise.
        amount: By how much, with interval, p and n.
        outlook: What more runs would tell.
        scale: The ends of the scale, where they ran.
    """

    title: str
    verdict: str
    sure: bool
    amount: str
    outlook: str
    scale: str


def lead_card(lead: Lead) -> LeadCard:
    """The card of a lead."""
    first, *others = lead.standings
    return LeadCard(
        title=lead.task or f"All {lead.tasks} tasks",
        verdict=_verdict(lead),
        sure=lead.beyond_noise,
        amount=_amount(lead, lead.comparison) if lead.comparison else _apart(lead),
        outlook=_outlook(lead) if others else f"{first.successes} of {counted(first.runs, 'run')} succeeded.",
        scale=", ".join(f"{one.contestant} {percent(one.improvement.value, signed=True)}" for one in lead.anchors),
    )


def _verdict(lead: Lead) -> str:
    if len(lead.standings) == 1:
        return f"Only {lead.standings[0].contestant} ran."
    first, second = lead.standings[:2]
    if lead.beyond_noise:
        return f"{first.contestant} is ahead of {second.contestant}."
    return "Cannot tell who is ahead."


def _standing(one: Standing) -> str:
    spread = f" ({interval(one.improvement)})" if one.improvement.has_interval else ""
    return f"{one.contestant} improves by {percent(one.improvement.value)}{spread}, {counted(one.runs, 'run')}"


def _apart(lead: Lead) -> str:
    return "; ".join(map(_standing, lead.standings[:2])) + "."


def _amount(lead: Lead, pairs: Comparison) -> str:
    first, second = lead.standings[:2]
    gap, where = pairs.improvement, ""
    if lead.is_reversed:
        first, second, gap = second, first, mirrored(gap)
        where = " on the runs that can be paired, though by less on average over all"
    spread = f", 95 % interval {interval(gap)}" if gap.has_interval else ""
    tested = len(lead.standings) * (len(lead.standings) - 1) // 2
    corrected = f", corrected for {tested} pairs" if tested > 1 else ""
    p = f"p = {p_text(lead.p_value)}{corrected}" if lead.p_value is not None else "no test"
    more = f"{first.contestant} improves by {points(abs(gap.value))} more than {second.contestant}{where}"
    by = more if gap.value else f"{first.contestant} and {second.contestant} improve by as much"
    return f"{by}{spread} ({p}; n = {counted(pairs.pairs, 'pair')} of the same task and seed)."


def _outlook(lead: Lead) -> str:
    pairs = lead.comparison
    if pairs is None:
        return "They share no task and seed, so nothing can be paired."
    if lead.beyond_noise:
        return "Beyond noise."
    if lead.is_reversed:
        return "The pairs and the means disagree: give both contestants the same seeds."
    return _needed(pairs)


def _needed(pairs: Comparison) -> str:
    if pairs.seeds_needed is not None:
        return f"Within noise. About {counted(pairs.seeds_needed, 'seed')} a task would show a difference as large."
    if pairs.pairs < 2 * pairs.tasks:
        return "A task with a single pair shows no scatter: run more seeds."
    if pairs.improvement.value == 0:
        return "They do equally well."
    if not pairs.improvement.has_interval:
        return "Every pair of a task differs by the same: six of them would do."
    return f"Within noise. More than {MOST_RUNS:,} seeds would be needed: count them as equals."
