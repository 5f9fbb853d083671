"""Grades what the store holds, without the agent."""

from __future__ import annotations

import tempfile
from pathlib import Path

from environment.journal import Journal
from environment.sandbox import open_sandbox
from environment.snapshots import Snapshots
from environment.store import Store
from evaluation.grading import GradeReport, grade
from flows.errors import UsageError
from flows.settings import Settings
from tasks_catalog.catalog import load_task
from tasks_catalog.prepare import prepare


def grade_checkpoint(store: Store, journal: Journal, settings: Settings, *, step: int) -> GradeReport:
    """Grade the workspace as it stood after one step; needs no agent.

    Raises:
        UsageError: The run has no such step.
    """
    config, steps = journal.config(), journal.steps()
    if not -len(steps) <= step < len(steps):
        raise UsageError(f"Run {journal.run_id} has {len(steps)} committed steps; there is nothing to grade.")
    task, layout = load_task(config.task), settings.layout
    data = prepare(task, config.variant, layout.task_data(task.name, config.variant), layout.downloads)
    sandbox = open_sandbox(config.sandbox, label=f"grade-{journal.run_id}", image=settings.sandbox_image)
    with tempfile.TemporaryDirectory(prefix="mlab-grade-") as folder:
        workspace = Path(folder) / "workspace"
        Snapshots(store).restore(steps[step].checkpoint.workspace, workspace)
        return grade(task, config.variant, data, workspace, sandbox)
