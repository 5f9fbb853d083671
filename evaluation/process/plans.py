"""What an agent planned, how often it planned anew, and how much of it was carried out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from environment.records import Step
from evaluation.process.kinds import ActionKind, kind_of, succeeded
from foundation.records import Record

PLAN_ENTRIES = ("research_plan_and_status", "plan")

_ITEM = re.compile(r"^\s*(?:[-*+•]|\d+[.)]|\[.\])\s+(.+)$")
_STATUS = re.compile(
    r"\*\*|~~|✓|✔|\[[xX ]\]|\((?:done|completed?|in progress|pending)[^)]*\)|\b(?:done|completed)\b[.!]?", re.I
)
_INTENTS: tuple[tuple[ActionKind, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(rf"\b(?:{words})", re.IGNORECASE))
    for kind, words in (
        (ActionKind.SUBMIT, r"submit|final answer"),
        (ActionKind.EXECUTE, r"run|execut|train|evaluat|measur|test the"),
        (ActionKind.EDIT, r"edit|chang|modif|implement|add|writ|replac|increas|decreas|tun|try|improv|fill|fix"),
        (ActionKind.READ, r"understand|read|inspect|look|explor|review|analy[sz]e the (?:script|code|data|file)"),
    )
)


class PlanMeasures(Record):
    """How an agent planned.

    Attributes:
        changes: How often a plan had items that the one before did not have.
        items: Different items planned whose kind of action is plain from their words.
        carried_out: Share of these after which, at the same step or later, an action of that kind
            succeeded; ``None`` without items.
    """

    changes: int = 0
    items: int = 0
    carried_out: float | None = None


def plan_measures(steps: Sequence[Step]) -> PlanMeasures:
    """Read the plans out of a trajectory's prose."""
    plans = [(step.n, items) for step in steps if (items := _items(step))]
    changes = sum(not set(now) <= set(before) for (_, before), (_, now) in pairwise(plans))
    first_planned: dict[str, int] = {}
    for n, items in plans:
        for item in items:
            first_planned.setdefault(item, n)
    intents = {item: intent for item in first_planned if (intent := _intent(item)) is not None}
    if not intents:
        return PlanMeasures(changes=changes)
    done = [(step.n, kind_of(step)) for step in steps if succeeded(step)]
    carried_out = sum(
        any(n >= first_planned[item] and kind is intent for n, kind in done) for item, intent in intents.items()
    )
    return PlanMeasures(changes=changes, items=len(intents), carried_out=carried_out / len(intents))


def _items(step: Step) -> list[str]:
    """The items of the step's plan, without numbers and marks of their status."""
    text = next((step.decision.prose[name] for name in PLAN_ENTRIES if name in step.decision.prose), "")
    found = [match.group(1) for line in text.splitlines() if (match := _ITEM.match(line))]
    return [" ".join(_STATUS.sub("", item).lower().split()).rstrip(" .:-") for item in found]


def _intent(item: str) -> ActionKind | None:
    """The kind of action an item asks for: of several the one it names first."""
    named = [(match.start(), kind) for kind, pattern in _INTENTS if (match := pattern.search(item))]
    return min(named, key=lambda found: found[0])[1] if named else None
