"""Whether a budget still holds another try, and after it putting the best one back, running and submitting it."""

from __future__ import annotations

from collections.abc import Iterator

from agent.protocol import View

STEPS_OF_A_TRY = 2
STEPS_TO_FINISH = 3
_RUNS_LEFT = 2.5
"""Longest runs that time must be left for: the try, the best one again, and what their times scatter by."""
_CALLS_LEFT = 1.5


def has_room(view: View, to_finish: int = STEPS_TO_FINISH) -> bool:
    """Whether one more script can be written and run, and the best one submitted afterwards in some more steps."""
    budget, spent = view.budget, view.spent
    if budget.steps is not None and budget.steps - spent.steps < STEPS_OF_A_TRY + to_finish:
        return False
    if budget.training_runs is not None and budget.training_runs - spent.training_runs < 2:
        return False
    return all(left > needed for left, needed in _amounts(view))


def _amounts(view: View) -> Iterator[tuple[float, float]]:
    """What is left of each other limit, and what a try at its most needs of it."""
    budget, spent = view.budget, view.spent
    longest = max((s.effect.training_run.seconds for s in view.steps if s.effect.training_run), default=0.0)
    tokens = max((sum(c.prompt_tokens + c.completion_tokens for c in s.decision.calls) for s in view.steps), default=0)
    cost = max((sum(c.cost or 0.0 for c in s.decision.calls) for s in view.steps), default=0.0)
    for limit, used, needed in (
        (budget.seconds, spent.wall_seconds, _RUNS_LEFT * longest),
        (budget.working_seconds, spent.working_seconds, _RUNS_LEFT * longest),
        (budget.tokens, spent.tokens, _CALLS_LEFT * tokens),
        (budget.money, spent.cost, _CALLS_LEFT * cost),
    ):
        if limit is not None:
            yield limit - used, needed
