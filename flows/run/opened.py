"""What a run stands on, from its opening to its result."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from environment.journal.entries import Journal
from environment.limits import effective_budget, script_limits
from environment.recall import Recall
from environment.records import Budget, RunConfig
from environment.sandbox.base import Limits, Sandbox
from environment.store import Store
from flows.settings import Settings
from tasks_catalog.library.prepare import Prepared
from tasks_catalog.library.spec import Task


@dataclass(frozen=True)
class OpenedRun:
    """What is asked of a run, and what of this machine serves it."""

    settings: Settings
    store: Store
    journal: Journal
    config: RunConfig
    task: Task
    data: Prepared
    sandbox: Sandbox
    memory: Recall | None = None

    @property
    def run_id(self) -> str:
        """Its id."""
        return self.journal.run_id

    @cached_property
    def instruction(self) -> str:
        """What its agent is asked, and below it what may be recalled."""
        goal = self.task.instruction
        return goal + self.memory.section(goal) if self.memory else goal

    @property
    def budget(self) -> Budget:
        """What it may use: what was asked, and the task's own where nothing was."""
        return effective_budget(self.config.budget, self.task.spec.budget)

    @property
    def limits(self) -> Limits:
        """What each of its scripts may use."""
        budget = self.budget
        return script_limits(self.task.spec.resources, budget.script_seconds, budget.disk_mib)
