"""Budgets: what a run may use, has used, and has left."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from environment.records import Budget, Decision, Effect, EndedBy, ModelCall, Spent
from environment.records.remaining import Remaining, remaining

_SHORTEST_SCRIPT = 1.0
"""Seconds; a script begun just before its run's end gets so much, to fail with its own words."""


class BudgetMeter:
    """Keeps what a run has spent, and says when a limit is reached, before the next thing is paid for.

    ``spent`` is carried by the checkpoints: a meter made from the last one goes on where the run was.
    Time between a crash and the resume isn't counted. A limit on money is reached as well once a call
    had no known price, since nothing could hold it any more.

    Args:
        budget: The limits.
        spent: What the last checkpoint says.
        clock: Seconds, never going back.
    """

    def __init__(
        self, budget: Budget, spent: Spent | None = None, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.budget = budget
        self.spent = spent or Spent()
        self._clock = clock
        self._charged = clock()

    def exhausted(self) -> EndedBy | None:
        """The limit that is reached, or ``None`` while another step may begin."""
        if self.budget.money is not None and self.spent.unknown_cost:
            return EndedBy.MONEY
        return next((why for why, limit, used in self._limits() if used >= limit), None)

    def remaining(self) -> Remaining:
        """What is left, as of the last charge."""
        return remaining(self.budget, self.spent)

    def fraction(self) -> float:
        """How much of the limit nearest to its end is used: 0 at the start, 1 at the end."""
        return min(1.0, max((used / limit for _, limit, used in self._limits()), default=0.0))

    def charge(self, decision: Decision, effect: Effect, seconds: float) -> Spent:
        """Count one step.

        Args:
            decision: Its model calls are counted, and their waiting taken from the working time.
            effect: So are its own, its training run, and its waiting.
            seconds: Wall time of the whole step.

        Returns:
            What is spent now.
        """
        calls = (*decision.calls, *effect.calls)
        waited = effect.waited_seconds + sum(call.waited_seconds for call in calls)
        before = self.spent
        self.spent = Spent(
            steps=before.steps + 1,
            wall_seconds=before.wall_seconds + seconds,
            working_seconds=before.working_seconds + max(0.0, seconds - waited),
            tokens=before.tokens + sum(call.prompt_tokens + call.completion_tokens for call in calls),
            cost=before.cost + sum(call.cost or 0.0 for call in calls),
            unknown_cost=before.unknown_cost or any(call.cost is None for call in calls),
            training_runs=before.training_runs + (effect.training_run is not None),
        )
        self._charged = self._clock()
        return self.spent

    def affords(self, calls: Sequence[ModelCall]) -> bool:
        """Whether another model call may be made, besides some that are not counted yet."""
        budget, spent = self.budget, self.spent
        tokens = spent.tokens + sum(call.prompt_tokens + call.completion_tokens for call in calls)
        cost = spent.cost + sum(call.cost or 0.0 for call in calls)
        unknown = spent.unknown_cost or any(call.cost is None for call in calls)
        if budget.money is not None and (unknown or cost >= budget.money):
            return False
        return budget.tokens is None or tokens < budget.tokens

    def ends_with(self, decision: Decision, effect: Effect, seconds: float) -> bool:
        """Whether a limit will be reached once this step is counted."""
        after = BudgetMeter(self.budget, self.spent)
        after.charge(decision, effect, seconds)
        return after.exhausted() is not None

    def script_timeout(self) -> float | None:
        """Seconds that a script started now may take; ``None`` where nothing limits it."""
        left = self.remaining()
        since_charge = self._clock() - self._charged
        wall = None if left.seconds is None else left.seconds - since_charge
        limits = [limit for limit in (self.budget.script_seconds, wall, left.working_seconds) if limit is not None]
        return max(_SHORTEST_SCRIPT, min(limits)) if limits else None

    def _limits(self) -> list[tuple[EndedBy, float, float]]:
        """Each limit set: how the run ends at it, the limit, and what is used of it."""
        budget, spent = self.budget, self.spent
        limits = [
            (EndedBy.STEPS, budget.steps, spent.steps),
            (EndedBy.TIME, budget.seconds, spent.wall_seconds),
            (EndedBy.TIME, budget.working_seconds, spent.working_seconds),
            (EndedBy.TOKENS, budget.tokens, spent.tokens),
            (EndedBy.MONEY, budget.money, spent.cost),
            (EndedBy.TRAINING_RUNS, budget.training_runs, spent.training_runs),
        ]
        return [(why, limit, used) for why, limit, used in limits if limit is not None]
