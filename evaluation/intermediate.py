"""Grades the workspace as it stood after each step, once the run is over, and finds the step that was best."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from environment.records import BestStep, RunResult, Step, StepGrade
from environment.sandbox.base import Sandbox
from environment.snapshots.manifest import Kind, walk
from environment.snapshots.trees import Snapshots
from environment.store import Store
from evaluation.artifacts import is_submitted
from evaluation.competence import SUCCESS, success_at
from evaluation.grading import GradeReport, GradingError, grade
from tasks_catalog.library.prepare import Prepared
from tasks_catalog.library.spec import Direction, Task, Variant


@dataclass(frozen=True)
class Grading:
    """What grading needs of a run besides its steps; ``secret`` as ``evaluation.exams`` has it."""

    task: Task
    variant: Variant
    data: Prepared
    secret: bytes | None
    store: Store
    sandbox: Sandbox

    def grade(self, workspace: Path) -> GradeReport:
        """Score a workspace.

        Raises:
            GradingError: The grader failed.
            SandboxError: The sandbox failed.
        """
        return grade(self.task, self.variant, self.data, workspace, self.sandbox, self.secret)


def grade_steps(
    grading: Grading,
    steps: Sequence[Step],
    *,
    final: RunResult | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> list[StepGrade]:
    """Grade every step; equal submissions once.

    A grader that fails on one step says nothing of the others: its step has no score, and says why.

    Args:
        grading: The task, its data, and where to grade.
        steps: The trajectory.
        final: The run's result, whose scores hold for equal submissions as well, so that the same timing is not
            measured twice with two results.
        progress: Told which step is graded next.

    Raises:
        StoreError: A workspace is not in the store.
        SandboxError: The sandbox failed.
    """
    keys = [submission_digest(grading, step.checkpoint.workspace) for step in steps]
    known = _of_result(final, keys) if final is not None and steps else {}
    snapshots = Snapshots(grading.store)
    with tempfile.TemporaryDirectory(prefix="mlab-grade-") as folder:
        workspace = Path(folder) / "workspace"
        for n, (step, key) in enumerate(zip(steps, keys, strict=True)):
            if key not in known:
                progress(n)
                snapshots.restore(step.checkpoint.workspace, workspace)
                known[key] = grade_workspace(grading, n, workspace)
    return [known[key].model_copy(update={"step": n}) for n, key in enumerate(keys)]


def best_step(grades: Sequence[StepGrade], direction: Direction, noise_threshold: float | None) -> BestStep | None:
    """The step with the best score, or ``None`` where none has one.

    Timings are compared by their improvement: each was measured beside a baseline of its own session.
    """
    scored = [(grade, grade.score) for grade in grades if grade.score is not None]
    if not scored:
        return None
    sign = 1 if direction is Direction.MAXIMIZE else -1
    best, score = max(scored, key=lambda one: sign * one[1] if one[0].improvement is None else one[0].improvement)
    gained = best.improvement
    return BestStep(
        step=best.step,
        score=score,
        improvement=gained,
        normalised=best.normalised,
        success=gained is not None and gained > SUCCESS,
        success_beyond_noise=gained is not None and noise_threshold is not None and gained > noise_threshold,
        success_at=success_at(gained),
    )


def with_best(result: RunResult, grades: Sequence[StepGrade]) -> RunResult:
    """The result with its best step."""
    if result.direction is None:
        return result
    return result.model_copy(update={"best": best_step(grades, result.direction, result.noise_threshold)})


def submission_digest(grading: Grading, workspace: str) -> str:
    """A digest of the files that would be submitted from a stored workspace: equal for equal submissions."""
    patterns = grading.task.spec.artifacts
    entries = [
        (path, entry.kind, entry.mode, entry.content)
        for path, entry in walk(grading.store, workspace)
        if entry.kind is not Kind.FOLDER and is_submitted(path, patterns)
    ]
    return hashlib.sha256(repr(sorted(entries)).encode("utf-8", "surrogateescape")).hexdigest()


def grade_workspace(grading: Grading, n: int, workspace: Path) -> StepGrade:
    """The grade of the workspace after step ``n``; a grader that fails leaves no score, and the reason."""
    try:
        report = grading.grade(workspace)
    except GradingError as error:
        return StepGrade(step=n, graded_at=n, invalid=error.message)
    return step_grade(n, n, report, report.invalid)


def step_grade(n: int, graded_at: int, found: GradeReport | RunResult, invalid: str | None) -> StepGrade:
    """The grade of step ``n`` out of a whole report."""
    return StepGrade(
        step=n,
        graded_at=graded_at,
        score=found.score,
        improvement=found.improvement,
        normalised=found.normalised,
        invalid=invalid,
    )


def _of_result(result: RunResult, keys: Sequence[str]) -> dict[str, StepGrade]:
    """What the result says of submissions already, by their digests."""
    made = result.submission
    submitted = keys[-1 if made is None or made.step is None else made.step]
    other = made.other if made is not None else None
    known = {} if other is None else {keys[other.step]: other}
    if result.score is not None or result.invalid_submission is not None:
        first = keys.index(submitted)
        known[submitted] = step_grade(first, first, result, result.invalid_submission)
    return known
