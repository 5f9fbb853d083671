"""What is left of a run's budget."""

from __future__ import annotations

from typing import TypeVar

from environment.records.config import Budget
from environment.records.display import counted, duration
from environment.records.run import Spent
from foundation.records import Record

_Amount = TypeVar("_Amount", int, float)


class Remaining(Record):
    """What is left of each limit; ``None`` where there is no limit. Never below zero."""

    steps: int | None = None
    seconds: float | None = None
    working_seconds: float | None = None
    tokens: int | None = None
    money: float | None = None
    training_runs: int | None = None

    def line(self) -> str:
        """One line for the agent and for people: "12 steps, 3 h 20 min, $1.20 left"."""
        said = self.amounts()
        return f"{said} left" if said else "no limit"

    def amounts(self) -> str:
        """Each limit: "12 steps, 3 h 20 min, $1.20"; "" where there is none."""
        parts = [
            self.steps is not None and counted(self.steps, "step"),
            self.seconds is not None and duration(self.seconds),
            self.working_seconds is not None and f"{duration(self.working_seconds)} of working time",
            self.tokens is not None and counted(self.tokens, "token"),
            self.money is not None and f"${self.money:.2f}",
            self.training_runs is not None and counted(self.training_runs, "training run"),
        ]
        return ", ".join(part for part in parts if part)


def remaining(budget: Budget, spent: Spent) -> Remaining:
    """What is left of a budget."""
    return Remaining(
        steps=_left(budget.steps, spent.steps),
        seconds=_left(budget.seconds, spent.wall_seconds),
        working_seconds=_left(budget.working_seconds, spent.working_seconds),
        tokens=_left(budget.tokens, spent.tokens),
        money=_left(budget.money, spent.cost),
        training_runs=_left(budget.training_runs, spent.training_runs),
    )


def _left(limit: _Amount | None, used: _Amount) -> _Amount | None:
    return None if limit is None else max(limit - used, 0)
