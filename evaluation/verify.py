"""Measures a task's figures: the starter's over several seeds, and the reference solution's."""

from __future__ import annotations

import shutil
import statistics
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from environment.gateway.offered import offering
from environment.limits import script_limits
from environment.sandbox.base import WORKSPACE, Command, Execution, Mount, Sandbox
from environment.workspace.folder import DATA
from evaluation.competence import noise_aware_threshold, success
from evaluation.grading import GradeReport, GradingError, grade
from foundation.errors import MlabError
from foundation.records import Record
from foundation.sizes import MiB
from tasks_catalog.library.leaks import find_leaks
from tasks_catalog.library.prepare import Prepared
from tasks_catalog.library.spec import Figure, Task, Variant

SEEDS = 8
REFERENCE_SEEDS = 3
OUTPUT_SHOWN = 2_000


class VerificationError(MlabError):
    """A task's starter or solution does not run, or gives no valid submission."""


class Verification(Record):
    """The figures measured, and what is wrong with the task or has moved against ``task.toml``.

    A task without a solution, which those of other benchmarks come without, has no reference.
    """

    task: str
    variant: Variant
    baseline: Figure
    reference: Figure | None
    threshold: float
    faults: tuple[str, ...]


def verify(
    task: Task,
    variant: Variant,
    prepared: Prepared,
    sandbox: Sandbox,
    *,
    seeds: int = SEEDS,
    progress: Callable[[str], None] = lambda _: None,
) -> Verification:
    """Measure the starter and the solution, and hold both and the data against what a task must be.

    Args:
        task: The task.
        variant: Which of its data.
        prepared: That data.
        sandbox: Where scripts and graders run.
        seeds: How many seeds of the starter, and at most 3 of the solution, whose scatter nothing depends
            on; the scripts read theirs from the variable SEED.
        progress: Told what was just measured.

    Raises:
        VerificationError: A script fails or submits nothing valid.
        GradingError: The grader fails.
    """
    if task.spec.holes:
        raise VerificationError(
            f"The starter of {task.name} has holes to fill and no figures of its own",
            hint=f"It shares those of {task.spec.based_on}; verify that instead.",
        )
    command = f"mlab tasks verify {task.name} --variant {variant.value}"
    measured: dict[str, Figure] = {}
    typical: float | None = None
    sides = [("baseline", False, seeds)]
    if task.solution.is_dir():
        sides.append(("reference", True, min(seeds, REFERENCE_SEEDS)))
    for side, solution, count in sides:
        runs = []
        for seed in range(count):
            runs.append(run_starter(task, variant, prepared, sandbox, seed=seed, solution=solution))
            progress(f"{side}, seed {seed}: {runs[-1][0].score:g} in {runs[-1][1].seconds:.1f} s")
        if task.spec.timed and typical is None:
            typical = statistics.median(report.baseline for report, _ in runs if report.baseline is not None)
        measured[side] = _figure(runs, command, typical)
    baseline, reference = measured["baseline"], measured.get("reference")
    threshold = noise_aware_threshold(baseline)
    return Verification(
        task=task.name,
        variant=variant,
        baseline=baseline,
        reference=reference,
        threshold=threshold,
        faults=tuple(_faults(task, variant, prepared, baseline, reference, threshold)),
    )


def run_starter(
    task: Task, variant: Variant, prepared: Prepared, sandbox: Sandbox, *, seed: int = 0, solution: bool = False
) -> tuple[GradeReport, Execution]:
    """Run the starter, or the solution laid over it, in a fresh workspace and grade what it leaves.

    Raises:
        VerificationError: It fails or submits nothing valid.
    """
    who = "solution" if solution else "starter"
    with tempfile.TemporaryDirectory(prefix="mlab-verify-") as folder:
        workspace = Path(folder) / "workspace"
        shutil.copytree(task.starter, workspace)
        if solution:
            shutil.copytree(task.solution, workspace, dirs_exist_ok=True)
        done = run_script(task, prepared, workspace, sandbox, seed=seed)
        printed = done.output[-OUTPUT_SHOWN:].decode(errors="replace")
        if done.exit_code != 0:
            raise VerificationError(f"The {who} of {task.name} fails (exit code {done.exit_code})", hint=printed)
        report = grade(task, variant, prepared, workspace, sandbox)
    if report.score is None:
        raise VerificationError(f"The {who} of {task.name} submits nothing valid: {report.invalid}", hint=printed)
    return report, done


def run_script(task: Task, prepared: Prepared, workspace: Path, sandbox: Sandbox, *, seed: int = 0) -> Execution:
    """Run the task's script in a workspace, under the task's own limits."""
    with offering(task, prepared, sandbox) as offered:
        return offered.run(
            Command(
                ["python", "-u", task.spec.script],
                workspace=workspace,
                readonly=[Mount(source=prepared.public, target=f"{WORKSPACE}/{DATA}")],
                limits=script_limits(task.spec.resources, task.spec.budget.script_seconds),
                env={"SEED": str(seed)},
            )
        )


def _figure(runs: Sequence[tuple[GradeReport, Execution]], command: str, typical: float | None) -> Figure:
    """Mean and spread of the scores; timings as a share of their session's baseline, times the typical one."""
    reports, executions = zip(*runs, strict=True)
    scores = [report.score * (typical / report.baseline if typical else 1.0) for report in reports]
    memory = [done.peak_memory for done in executions if done.peak_memory is not None]
    return Figure(
        mean=statistics.fmean(scores),
        std=statistics.stdev(scores) if len(scores) > 1 else 0.0,
        seeds=len(scores),
        seconds=statistics.median(done.seconds for done in executions),
        memory_mib=max(memory) / MiB if memory else None,
        how=command,
    )


def _faults(
    task: Task, variant: Variant, prepared: Prepared, baseline: Figure, reference: Figure | None, threshold: float
) -> Iterable[str]:
    yield from find_leaks(prepared.public, prepared.private)
    if task.spec.trials and not task.spec.drawn:
        yield "the submission runs on inputs that lie prepared; draw them at the grade (drawn = true, draw(job))"
    direction, spec = task.spec.metric.direction, task.spec.variants[variant]
    if reference is None:
        yield "there is no solution/: nothing shows that the starter can be beaten"
    elif not success(reference.mean, baseline.mean, direction):
        yield f"the solution ({reference.mean:g}) beats the starter ({baseline.mean:g}) by no more than 10 %"
    elif not success(reference.mean, baseline.mean, direction, threshold):
        yield f"the solution ({reference.mean:g}) does not stand out of the starter's scatter ({threshold:.1%})"
    for name, stated, found in (("baseline", spec.baseline, baseline), ("reference", spec.reference, reference)):
        if found is None:
            continue
        if stated is None:
            yield f"task.toml states no {name}; measured {found.mean:g} ± {found.std:g}"
        elif abs(found.mean - stated.mean) > 3 * max(stated.std, found.std, 0.01 * abs(stated.mean)):
            yield f"the {name} moved from {stated.mean:g} ± {stated.std:g} to {found.mean:g} ± {found.std:g}"


__all__ = ["GradingError", "Verification", "VerificationError", "run_script", "run_starter", "verify"]
