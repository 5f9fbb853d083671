"""Scores a submission in a sandbox of its own, after the agent's has ended."""

from __future__ import annotations

import tempfile
from pathlib import Path
from time import monotonic

from pydantic import Field, ValidationError

import foundation
import tasks_catalog
from environment.errors import SandboxUnavailableError
from environment.gateway.offered import offering
from environment.records import Graded, KilledBy
from environment.sandbox import writable_folder
from environment.sandbox.base import WORKSPACE, Command, Execution, Limits, Mount, Sandbox
from environment.sandbox.limit_hit import limit_hit
from environment.sandbox.python_view import python_view
from environment.sandbox.usage import disk_usage
from environment.snapshots.walk import scratch_folder
from evaluation.artifacts import collect
from evaluation.competence import improvement, noise_aware_threshold, normalised, success, success_at
from evaluation.exams import exam_of
from evaluation.trials import run_trial
from foundation.errors import MlabError
from foundation.sizes import GiB, MiB
from tasks_catalog.library.errors import InvalidSubmissionError
from tasks_catalog.library.grade import Grade
from tasks_catalog.library.grader import Answer
from tasks_catalog.library.prepare import Prepared
from tasks_catalog.library.spec import Direction, Figure, Task, Variant

GRADER_CODE = (foundation, tasks_catalog)
"""What a grader may import of ours."""

GRADER_SECONDS = 600.0
GRADER_MEMORY = 8 * GiB
GRADER = ("python", "-P", "-m", "tasks_catalog.library.grader")
LOOK_FOR_LIBRARIES = ("python", "-P", "-m", "tasks_catalog.library.imports")
GRADER_VARIABLES = {"PYTHONPATH": "/grader", "PYTHONDONTWRITEBYTECODE": "1"}
ANSWER = "answer.json"
OUTPUT_SHOWN = 2_000


class GradingError(MlabError):
    """The grader itself failed: an infrastructure error, and no score of the submission."""


class GradeReport(Graded):
    """What one grading found.

    Attributes:
        task: The task.
        variant: Which of its data.
        invalid: Why the submission could not be scored.
        details: Further measures by name.
        seconds: Wall time of the grading.
    """

    task: str
    variant: Variant
    invalid: str | None = None
    details: dict[str, float] = Field(default_factory=dict)
    seconds: float = 0.0


def grade(
    task: Task, variant: Variant, prepared: Prepared, artifacts: Path, sandbox: Sandbox, secret: bytes | None = None
) -> GradeReport:
    """Score what lies in a workspace.

    Takes the declared artifacts and nothing else, makes the runs that the task orders, and then runs the
    task's ``grade.py`` with the artifacts, the runs and the private data, all read-only.

    Args:
        task: The task.
        variant: Which of its data.
        prepared: That data.
        artifacts: The workspace, or a folder with the submitted files.
        sandbox: Where the submission and the grader run, each in a fresh one.
        secret: What the hidden inputs are drawn from: that of the run, so that grading again repeats them;
            outside of any run a new one.

    Returns:
        The report; a bad submission is a report with ``invalid`` set.

    Raises:
        GradingError: The grader failed, which says nothing about the submission.
        SandboxError: The sandbox failed.
    """
    started = monotonic()
    with tempfile.TemporaryDirectory(prefix="mlab-grade-") as scratch:
        exam = exam_of(task, variant, prepared, secret, Path(scratch) / "exam")
        answer = answer_of(task, prepared, exam, artifacts, Path(scratch), sandbox)
    return _report(task, variant, answer, monotonic() - started)


def answer_of(task: Task, prepared: Prepared, exam: Path, workspace: Path, scratch: Path, sandbox: Sandbox) -> Answer:
    """What the task's grader makes of a workspace and of one hidden side.

    Args:
        task: The task.
        prepared: Its data: what the agent was given as ``data/``, and what the task offers to its scripts.
        exam: The hidden side: for trials and the grader.
        workspace: Where the submitted files lie.
        scratch: A folder for what comes up on the way.
        sandbox: Where the submission and the grader run.
    """
    scratch.chmod(0o755)  # the sandbox may read it as another user
    submitted, trials = scratch / "artifacts", scratch / "trials"
    try:
        collect(workspace, task.spec.artifacts, submitted, max_bytes=task.spec.resources.submission_mib * MiB)
    except InvalidSubmissionError as error:
        return Answer(invalid=error.message)
    trials.mkdir()
    for trial in task.spec.trials:
        # A fresh workspace holds the starter's files and the submitted ones, and may grow by its limit.
        size = disk_usage([task.starter, submitted]) + task.spec.resources.workspace_mib * MiB
        with (
            writable_folder(sandbox, f"mlab-{trial.name}-", size) as workspaces,
            offering(task, prepared, sandbox) as offered,
        ):
            run_trial(task, trial, prepared.public, exam, submitted, workspaces, trials / trial.name, offered)
    return _run_grader(task, exam, submitted, trials, scratch / "answer", sandbox)


def own_packages() -> list[Mount]:
    """What a grader may import of ours, as a sandbox shows it."""
    return [Mount(source=Path(package.__path__[0]), target=f"/grader/{package.__name__}") for package in GRADER_CODE]


def _grader_mounts(task: Task) -> list[Mount]:
    return [*own_packages(), Mount(source=task.grade_script.parent, target="/task")]


def try_grader(task: Task, sandbox: Sandbox) -> None:
    """Look for the grader's libraries where it would grade, and for the packages of the trials.

    Raises:
        SandboxUnavailableError: Some are missing there; the hint is what Python said.
        SandboxError: The sandbox fails, or lacks a package that a trial may use.
    """
    for trial in task.spec.trials:
        python_view(trial.packages)
    with scratch_folder("mlab-probe-") as folder:
        done = sandbox.run(
            Command(
                [*LOOK_FOR_LIBRARIES, "/task/grade.py"],
                workspace=folder,
                readonly=_grader_mounts(task),
                limits=Limits(timeout=GRADER_SECONDS, memory=GRADER_MEMORY),
                env=GRADER_VARIABLES,
            )
        )
    if done.exit_code != 0:
        said = done.output[-OUTPUT_SHOWN:].decode(errors="replace").strip()
        raise SandboxUnavailableError(
            f"The grader of {task.name} could not start in the sandbox {sandbox.name}: "
            f"{said.splitlines()[-1] if said else 'it says nothing'}",
            hint="mlab doctor says what this Python shows to sandboxes.",
        )


def _run_grader(task: Task, exam: Path, submitted: Path, trials: Path, folder: Path, sandbox: Sandbox) -> Answer:
    folder.mkdir()
    limits = Limits(timeout=GRADER_SECONDS, memory=GRADER_MEMORY)
    done = sandbox.run(
        Command(
            [*GRADER, "/task/grade.py", "/artifacts", "/private", "/trials", f"{WORKSPACE}/{ANSWER}"],
            workspace=folder,
            readonly=[
                *_grader_mounts(task),
                Mount(source=submitted, target="/artifacts"),
                Mount(source=exam, target="/private"),
                Mount(source=trials, target="/trials"),
            ],
            limits=limits,
            env=GRADER_VARIABLES,
        )
    )
    printed = done.output[-OUTPUT_SHOWN:].decode(errors="replace").strip()
    if done.killed_by is not None:
        ended = (
            f"was killed: {limit_hit(done.killed_by, limits, workspace='the folder that it writes its answer into')}"
        )
    elif done.exit_code != 0:
        ended = f"failed with exit code {done.exit_code}"
    elif _ended_itself(folder):
        ended = "left no answer"
    else:
        ended = None
    if ended and not task.spec.hardened and _cannot_end(done, folder):
        return Answer(invalid=f"the grader, which is not ours, {ended}"[:OUTPUT_SHOWN])
    if ended:
        raise GradingError(f"The grader of {task.name} {ended}", hint=printed)
    try:
        return Answer.model_validate_json((folder / ANSWER).read_bytes())
    except (OSError, ValidationError) as error:
        raise GradingError(f"The grader of {task.name} left no answer: {error}", hint=printed) from error


def _cannot_end(done: Execution, folder: Path) -> bool:
    """Whether a grader ran out of what it may use, or ended below Python: of others', the submission's doing."""
    return _ended_itself(folder) if done.killed_by is None else done.killed_by is not KilledBy.CANCELLED


def _ended_itself(folder: Path) -> bool:
    """Whether what the grader ran ended the program, before that could say anything."""
    answer = folder / ANSWER
    return answer.is_file() and answer.stat().st_size == 0


def _report(task: Task, variant: Variant, answer: Answer, seconds: float) -> GradeReport:
    metric, figures = task.spec.metric, task.spec.variants[variant]
    reference = figures.reference.mean if figures.reference else None
    report = GradeReport(
        task=task.name,
        variant=variant,
        metric=metric.name,
        direction=metric.direction,
        baseline=figures.baseline.mean if figures.baseline else None,
        reference=reference,
        noise_threshold=noise_aware_threshold(figures.baseline) if figures.baseline else None,
        success_at=success_at(None),
        invalid=answer.invalid,
        seconds=seconds,
    )
    return report if answer.grade is None else report.model_copy(update=_compared_fields(task, variant, answer.grade))


def _compared_fields(task: Task, variant: Variant, found: Grade) -> dict[str, object]:
    """The fields of the report that follow from the score."""
    direction, figures = task.spec.metric.direction, task.spec.variants[variant]
    known = figures.baseline.mean if figures.baseline else None
    baseline = known if found.baseline is None else found.baseline
    fields: dict[str, object] = {"score": found.score, "baseline": baseline, "details": found.details}
    if baseline is None:
        return fields
    reference = figures.reference.mean if figures.reference else None
    if reference is not None and found.baseline is not None and known:
        # A timing's reference was measured on another machine: it is as much faster here as the starter is.
        reference *= baseline / known
    return fields | relative_to_baseline(found.score, baseline, reference, direction, figures.baseline)


def relative_to_baseline(
    score: float, baseline: float, reference: float | None, direction: Direction, starter: Figure | None
) -> dict[str, object]:
    """The fields of a report that follow from a score and what it is compared with.

    Args:
        score: The score.
        baseline: What success is measured from.
        reference: Where the normalised score is 1.
        direction: Which way the metric is better.
        starter: The starter's figure, for its scatter.
    """
    gained = improvement(score, baseline, direction)
    threshold = noise_aware_threshold(starter) if starter else None
    return {
        "reference": reference,
        "improvement": gained,
        "normalised": None if reference is None else normalised(score, baseline, reference, direction),
        "success": success(score, baseline, direction),
        "success_at": success_at(gained),
        "noise_threshold": threshold,
        "success_beyond_noise": threshold is not None and success(score, baseline, direction, threshold),
    }
