"""Grades what the store holds, without the agent."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from environment.journal.entries import Journal
from environment.journal.lease import RunLease
from environment.journal.tables import write_grades
from environment.records import StepGrade
from environment.snapshots.trees import Snapshots
from environment.store import Store
from evaluation.exams import secret_of
from evaluation.grading import GradeReport
from evaluation.intermediate import Grading, grade_steps, with_best
from evaluation.submission import submitted_step, with_other
from flows.data import data_of
from flows.errors import UsageError
from flows.names import task_of
from flows.settings import Settings


def grade_checkpoint(store: Store, journal: Journal, settings: Settings, *, step: int | None = None) -> GradeReport:
    """Grade the workspace as it stood after one step; needs no agent.

    Args:
        store: Where the run lies.
        journal: The run's.
        settings: This machine's.
        step: The step; by default the one that the run submitted.

    Raises:
        UsageError: The run has no such step.
        RunBusyError: It has not ended, and another process works it.
        CorruptObjectError: It has lost steps.
    """
    with _undisturbed(store, journal):
        return _grade_step(store, journal, settings, step)


def _grade_step(store: Store, journal: Journal, settings: Settings, step: int | None) -> GradeReport:
    journal.check_whole()
    steps = journal.steps()
    grading = _grading(store, journal, settings)
    if step is None:
        step = submitted_step(grading.task, store, steps, journal.config().submit)
    if not -len(steps) <= step < len(steps):
        raise _nothing_to_grade(journal)
    with tempfile.TemporaryDirectory(prefix="mlab-grade-") as folder:
        workspace = Path(folder) / "workspace"
        Snapshots(store).restore(steps[step].checkpoint.workspace, workspace)
        return grading.grade(workspace)


def grade_checkpoints(
    store: Store, journal: Journal, settings: Settings, *, progress: Callable[[int], None] = lambda _: None
) -> list[StepGrade]:
    """Grade every step, keep the grades with the run, and its best step in its result.

    Raises:
        UsageError: The run has no steps.
        RunBusyError: It has not ended, and another process works it.
        CorruptObjectError: It has lost some.
    """
    with _undisturbed(store, journal):
        journal.check_whole()
        steps = journal.steps()
        if not steps:
            raise _nothing_to_grade(journal)
        result = journal.result()
        grades = grade_steps(_grading(store, journal, settings), steps, final=result, progress=progress)
        write_grades(store, journal.run_id, grades)
        if result is not None:
            journal.write_result(with_other(with_best(result, grades), grades))
    return grades


def _undisturbed(store: Store, journal: Journal) -> AbstractContextManager[object]:
    """Keeps a run that has not ended from going on while it is graded."""
    return nullcontext() if journal.result() is not None else RunLease(store, journal.run_id)


def _grading(store: Store, journal: Journal, settings: Settings) -> Grading:
    config = journal.config()
    task = task_of(config)
    data = data_of(task, config.variant, settings)
    sandbox = settings.open_sandbox(config.sandbox, f"grade-{journal.run_id}")
    return Grading(task, config.variant, data, secret_of(task, store, journal.run_id), store, sandbox)


def _nothing_to_grade(journal: Journal) -> UsageError:
    return UsageError(f"Run {journal.run_id} has {len(journal.steps())} committed steps; there is nothing to grade.")
