"""Which workspace is handed in for the grade: the last one, or that of the step that was best on validation data."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from environment.metrics.validated import best_first, validated_steps
from environment.records import BEST_VALIDATED, RunResult, Step, StepGrade, Submission, SubmitRule, Validated
from environment.snapshots.manifest import Kind, walk
from environment.snapshots.trees import Snapshots
from environment.store import Store
from evaluation.grading import GradeReport
from evaluation.intermediate import Grading, grade_workspace, step_grade, submission_digest
from tasks_catalog.library.spec import Task


def hand_in(grading: Grading, steps: Sequence[Step], rule: SubmitRule, last: Path) -> tuple[GradeReport, Submission]:
    """Grade what the rule names; where the rule chooses, what stood last besides, so that the choice can be judged.

    Args:
        grading: The task, its data, and where to grade.
        steps: The trajectory.
        rule: Which workspace counts.
        last: The workspace as it stands after the last step.

    Raises:
        GradingError: The grader failed on what is handed in.
        StoreError: A workspace is not in the store.
        SandboxError: The sandbox failed.
    """
    chosen, end = best_validated(grading.task, grading.store, steps), len(steps) - 1 if steps else None
    if rule != BEST_VALIDATED or chosen is None or end is None:
        return grading.grade(last), Submission(rule=rule, step=end, best_validated=chosen)
    made = Submission(rule=rule, step=chosen.step, best_validated=chosen)
    workspaces = [steps[n].checkpoint.workspace for n in (chosen.step, end)]
    if len({submission_digest(grading, workspace) for workspace in workspaces}) == 1:
        report = grading.grade(last)
        return report, made.model_copy(update={"other": step_grade(end, chosen.step, report, report.invalid)})
    with tempfile.TemporaryDirectory(prefix="mlab-grade-") as folder:
        workspace = Path(folder) / "workspace"
        Snapshots(grading.store).restore(workspaces[0], workspace)
        report = grading.grade(workspace)
    return report, made.model_copy(update={"other": grade_workspace(grading, end, last)})


def best_validated(task: Task, store: Store, steps: Sequence[Step]) -> Validated | None:
    """The step with the best validation value; of equal ones the earlier.

    Only the task's own metric counts, on validation data, as a training run computed it: never a test figure, and
    never what the agent says. A step that left none of the declared files is passed over: there is nothing to grade.
    """
    metric = task.spec.metric
    found = best_first(validated_steps(steps, metric.name), metric.direction)
    return next((one for one in found if _is_complete(task, store, steps[one.step].checkpoint.workspace)), None)


def submitted_step(task: Task, store: Store, steps: Sequence[Step], rule: SubmitRule) -> int:
    """The step whose workspace a rule submits; -1 is the last one."""
    chosen = best_validated(task, store, steps) if rule == BEST_VALIDATED else None
    return -1 if chosen is None else chosen.step


def with_other(result: RunResult, grades: Sequence[StepGrade]) -> RunResult:
    """The result with the grade of what the other rule submits, once every step was graded."""
    made = result.submission
    if made is None or made.other is not None or made.best_validated is None:
        return result
    other = grades[made.best_validated.step]
    return result.model_copy(update={"submission": made.model_copy(update={"other": other})})


def _is_complete(task: Task, store: Store, workspace: str) -> bool:
    """Whether a stored workspace holds a file for each that the task declares."""
    files = [path for path, entry in walk(store, workspace) if entry.kind is Kind.FILE]
    return all(any(fnmatchcase(path, pattern) for path in files) for pattern in task.spec.artifacts)
