"""Runs a submission on inputs its author has not seen, and times it from outside."""

from __future__ import annotations

import filecmp
import shutil
from pathlib import Path

from environment.limits import script_limits
from environment.sandbox.base import WORKSPACE, Command, Execution, Limits, Mount, Sandbox
from environment.snapshots.walk import delete_tree
from environment.workspace.folder import DATA
from evaluation.artifacts import collect
from evaluation.crashes import ending_of
from foundation.sizes import GiB
from tasks_catalog.library.errors import InvalidSubmissionError
from tasks_catalog.library.spec import Task, TrialSpec
from tasks_catalog.library.trials import TrialRun, Who, write_runs

INPUTS = "/inputs"
OUTPUT_KEPT = 2_000
OUTPUT_BYTES = GiB
"""All outputs of one run together; what is submitted may be far smaller than what it computes."""


def run_trial(
    task: Task,
    trial: TrialSpec,
    public: Path,
    exam: Path,
    artifacts: Path,
    scratch: Path,
    target: Path,
    sandbox: Sandbox,
) -> None:
    """Run every repetition of one trial, and leave ``runs.json`` and the outputs in ``target``.

    Each run starts in a fresh workspace: the starter's files, and over them the submitted ones where it
    is the submission's turn. Where the starter is run as well, the two take turns at going first, so
    that a machine that grows slower or faster favours neither. A submission that is the starter, byte for
    byte, is not timed against itself: its runs are the starter's. The first failure ends the trial.

    Args:
        task: The task.
        trial: What is run.
        public: What the agent was given as ``data/``.
        exam: The hidden side, of which the trial's inputs alone are shown.
        artifacts: The submitted files.
        scratch: An empty folder for the workspaces.
        target: The folder to fill.
        sandbox: Where it runs.
    """
    target.mkdir(parents=True)
    runs: list[TrialRun] = []
    limits = script_limits(task.spec.resources, trial.timeout)
    is_starter = trial.against_starter and _is_starter(artifacts, task.starter)
    sides: list[Who] = ["starter"] if is_starter else ["submission"]
    if trial.against_starter and not is_starter:
        sides.append("starter")
    for repetition in range(trial.repetitions):
        for who in sides if repetition % 2 == 0 else reversed(sides):
            workspace = scratch / f"{who}-{repetition}"
            shutil.copytree(task.starter, workspace)
            if who == "submission":
                shutil.copytree(artifacts, workspace, dirs_exist_ok=True)
            done = _execute(trial, limits, public, exam, workspace, repetition, sandbox)
            problem = ending_of(done, artifacts, limits) or _keep(workspace, trial, target / who / str(repetition))
            delete_tree(workspace)
            run = TrialRun(who=who, repetition=repetition, seconds=done.seconds, problem=problem, used=done.used)
            if who == "starter":
                run = run.model_copy(update={"output": done.output[-OUTPUT_KEPT:].decode(errors="replace")})
            runs.append(run)
            if problem:
                write_runs(target, runs)
                return
    if is_starter:
        shutil.copytree(target / "starter", target / "submission")
        runs += [run.model_copy(update={"who": "submission"}) for run in runs]
    write_runs(target, runs)


def _is_starter(artifacts: Path, starter: Path) -> bool:
    """Whether every submitted file is the starter's own."""
    names = [path.relative_to(artifacts) for path in artifacts.rglob("*") if not path.is_dir()]
    same, _, _ = filecmp.cmpfiles(artifacts, starter, [str(name) for name in names], shallow=False)
    return len(same) == len(names)


def _execute(
    trial: TrialSpec, limits: Limits, public: Path, exam: Path, workspace: Path, repetition: int, sandbox: Sandbox
) -> Execution:
    patterns = [pattern.format(repetition=repetition) for pattern in trial.inputs]
    inputs = sorted({path for pattern in patterns for path in exam.glob(pattern)})
    return sandbox.run(
        Command(
            [part.format(inputs=INPUTS, repetition=repetition) for part in trial.command],
            workspace=workspace,
            readonly=[
                Mount(source=public, target=f"{WORKSPACE}/{DATA}"),
                *(Mount(source=path, target=f"{INPUTS}/{path.name}") for path in inputs),
            ],
            limits=limits,
            packages=trial.packages,
        )
    )


def _keep(workspace: Path, trial: TrialSpec, target: Path) -> str:
    """Save the outputs of a run; returns what is wrong with them."""
    try:
        collect(workspace, trial.outputs, target, max_bytes=OUTPUT_BYTES)
    except InvalidSubmissionError as error:
        return f"left no usable output: {error.message}"
    return ""
