"""Grades what the store holds, without the agent."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from environment.journal.entries import Journal
from environment.journal.tables import write_grades
from environment.records import StepGrade
from environment.snapshots.trees import Snapshots
from environment.store import Store
from evaluation.exams import secret_of
from evaluation.grading import GradeReport, grade
from evaluation.intermediate import Grading, grade_steps, with_best
from flows.data import data_of
from flows.errors import UsageError
from flows.names import task_of
from flows.settings import Settings


def grade_checkpoint(store: Store, journal: Journal, settings: Settings, *, step: int) -> GradeReport:
    """Grade the workspace as it stood after one step; needs no agent.

    Raises:
        UsageError: The run has no such step.
        CorruptObjectError: It has lost steps.
    """
    journal.check_whole()
    steps = journal.steps()
    if not -len(steps) <= step < len(steps):
        raise _nothing_to_grade(journal)
    grading = _grading(store, journal, settings)
    with tempfile.TemporaryDirectory(prefix="mlab-grade-") as folder:
        workspace = Path(folder) / "workspace"
        Snapshots(store).restore(steps[step].checkpoint.workspace, workspace)
        return grade(grading.task, grading.variant, grading.data, workspace, grading.sandbox, grading.secret)


def grade_checkpoints(
    store: Store, journal: Journal, settings: Settings, *, progress: Callable[[int], None] = lambda _: None
) -> list[StepGrade]:
    """Grade every step, keep the grades with the run, and its best step in its result.

    Raises:
        UsageError: The run has no steps.
        CorruptObjectError: It has lost some.
    """
    journal.check_whole()
    steps = journal.steps()
    if not steps:
        raise _nothing_to_grade(journal)
    result = journal.result()
    grades = grade_steps(_grading(store, journal, settings), steps, final=result, progress=progress)
    write_grades(store, journal.run_id, grades)
    if result is not None:
        journal.write_result(with_best(result, grades))
    return grades


def _grading(store: Store, journal: Journal, settings: Settings) -> Grading:
    config = journal.config()
    task = task_of(config)
    data = data_of(task, config.variant, settings)
    sandbox = settings.open_sandbox(config.sandbox, f"grade-{journal.run_id}")
    return Grading(task, config.variant, data, secret_of(task, store, journal.run_id), store, sandbox)


def _nothing_to_grade(journal: Journal) -> UsageError:
    return UsageError(f"Run {journal.run_id} has {len(journal.steps())} committed steps; there is nothing to grade.")
