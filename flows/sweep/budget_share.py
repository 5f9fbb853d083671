"""The money of a whole sweep: nothing begins that it could not pay for."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from environment.records import RunConfig
from flows.errors import UsageError


class BudgetShare:
    """Money spent, money set aside for runs under way, and the cap on both together.

    A run begins only when its own limit fits in what is left, so that runs side by side can't pass the
    cap together. Like any run it may pass its own limit by the calls of its last step.

    Args:
        cap: US dollars; ``None`` for no cap.
        spent: What the sweep's runs have cost so far.
    """

    def __init__(self, cap: float | None, spent: float) -> None:
        self.cap = cap
        self.spent = spent
        self._reserved = 0.0
        self._changed = threading.Condition()

    @contextmanager
    def set_aside(self, config: RunConfig, paid_before: float) -> Iterator[bool]:
        """Hold a run's limit while it is under way; False where the money doesn't suffice.

        Waits while what others hold may yet be given back.

        Args:
            config: The run.
            paid_before: What it has cost already, and which is counted in ``spent``.
        """
        amount = max(0.0, needed(config) - paid_before)
        affordable = self._reserve(amount)
        try:
            yield affordable
        finally:
            if affordable:
                self._give_back(amount)

    def pay(self, cost: float) -> None:
        """Count what a run has cost."""
        with self._changed:
            self.spent += cost

    def _reserve(self, amount: float) -> bool:
        with self._changed:
            while self.cap is not None and self.spent + self._reserved + amount > self.cap:
                if self._reserved == 0:
                    return False
                self._changed.wait()
            self._reserved += amount
            return True

    def _give_back(self, amount: float) -> None:
        with self._changed:
            self._reserved -= amount
            self._changed.notify_all()


def needed(config: RunConfig) -> float:
    """The most a run may cost; 0 for one without a model."""
    return (config.budget.money or 0.0) if config.model else 0.0


def check_cap(configs: list[RunConfig], cap: float | None) -> None:
    """Make sure that a cap can be held.

    Raises:
        UsageError: A run with a model has no limit of its own.
    """
    unlimited = [config for config in configs if config.model and config.budget.money is None]
    if cap is not None and unlimited:
        raise UsageError(
            f"The sweep may cost ${cap:g}, but {len(unlimited)} of its runs have no money limit of their own.",
            hint="Set budget.money in the sweep file: a run begins only while its limit fits in what is left.",
        )
