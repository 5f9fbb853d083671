"""Checks the form of a submission while the agent still works, and tells nothing of the hidden side."""

from __future__ import annotations

import tempfile
from pathlib import Path

from environment.sandbox.base import Sandbox
from evaluation.artifacts import collect
from evaluation.exams import practice_of
from evaluation.grading import GradingError, answer_of
from foundation.sizes import MiB
from tasks_catalog.library.errors import InvalidSubmissionError
from tasks_catalog.library.prepare import Prepared
from tasks_catalog.library.spec import Task, Variant

NOT_CHECKED = "The check itself failed on this submission: something in it is out of all bounds."


def validate(task: Task, variant: Variant, prepared: Prepared, workspace: Path, sandbox: Sandbox) -> None:
    """Check what would be submitted, as the grade does, but on inputs of its own.

    A submitted program runs once for each trial, on inputs made of public data. Answers in files are held
    against answers dealt out anew at random. Where a task gives neither, only the files are looked at.

    Raises:
        InvalidSubmissionError: It would not be scored; the reason holds nothing of the hidden side.
        SandboxError: The sandbox failed.
    """
    with tempfile.TemporaryDirectory(prefix="mlab-validate-") as folder:
        scratch = Path(folder)
        practice = practice_of(task, variant, prepared, scratch / "exam")
        if practice is None:
            size = task.spec.resources.submission_mib * MiB
            collect(workspace, task.spec.artifacts, scratch / "artifacts", max_bytes=size)
            return
        try:
            answer = answer_of(_once(task), prepared, practice, workspace, scratch, sandbox)
        except GradingError as error:
            # Why, the traceback of the grader says, and perhaps with values.
            raise InvalidSubmissionError(NOT_CHECKED) from error
    if answer.invalid is not None:
        raise InvalidSubmissionError(answer.invalid)


def _once(task: Task) -> Task:
    """The task with one repetition of each trial, which is enough to see whether a program runs."""
    trials = tuple(trial.model_copy(update={"repetitions": 1}) for trial in task.spec.trials)
    return task.model_copy(update={"spec": task.spec.model_copy(update={"trials": trials})})
