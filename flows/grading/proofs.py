"""Proves a task against those who cheat: adversaries gain nothing on it, and broken submissions are refused."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from agent.protocol import AgentContext, View
from agent.registry import make_agent
from environment.acting import Environment
from environment.budgets import BudgetMeter
from environment.gateway.offered import offering
from environment.limits import script_limits
from environment.records import Budget, Checkpoint, Step
from environment.sandbox import Sandbox
from environment.store import Store
from environment.training.runs import TrainingRuns
from environment.validations import Validations
from environment.workspace.folder import Workspace, data_mount
from evaluation.broken_submissions import refusals
from evaluation.grading import GradeReport, grade
from evaluation.validation import validate
from evaluation.verify import VerificationError, run_script
from tasks_catalog.library.prepare import Prepared
from tasks_catalog.library.spec import Task, Variant

CHEATS = ("forger", "leaker")
"""Those that want points; the vandal wants the machine, which is the same for every task."""


def broken_submissions(task: Task, prepared: Prepared, sandbox: Sandbox) -> dict[str, str]:
    """Why each spoiled copy of the starter's submission is refused; an empty reason where it is scored."""
    with tempfile.TemporaryDirectory(prefix="mlab-proof-") as folder:
        workspace = Path(shutil.copytree(task.starter, Path(folder) / "workspace"))
        done = run_script(task, prepared, workspace, sandbox)
        if done.exit_code != 0:
            raise VerificationError(f"The starter of {task.name} fails (exit code {done.exit_code})")
        return refusals(task, prepared, workspace)


def scored_faults(reasons: Mapping[str, str]) -> Iterator[str]:
    """Broken submissions that are scored."""
    return (f"a submission with this fault is scored: {name}" for name, reason in reasons.items() if not reason)


def adversary_faults(task: Task, variant: Variant, prepared: Prepared, sandbox: Sandbox) -> Iterator[str]:
    """Adversaries whose score counts as a success."""
    for name in CHEATS:
        report = score_of(name, task, variant, prepared, sandbox)
        if report.success:
            yield f"the agent {name} improves by {report.improvement:.1%} without any work"


def score_of(agent: str, task: Task, variant: Variant, prepared: Prepared, sandbox: Sandbox) -> GradeReport:
    """What an agent without a model is scored on a task, outside any run."""
    with tempfile.TemporaryDirectory(prefix="mlab-proof-") as folder:
        with open_environment(task, variant, prepared, sandbox, Path(folder)) as (environment, workspace):
            play(agent, task, environment)
        return grade(task, variant, prepared, workspace.root, sandbox)


def play(
    name: str,
    task: Task,
    environment: Environment,
    *,
    context: AgentContext | None = None,
    budget: Budget | None = None,
) -> list[Step]:
    """Let an agent act to its final answer, or the end of a budget, without a journal.

    Args:
        name: The agent.
        task: The task.
        environment: Where it acts.
        context: What it is made from.
        budget: What it may use; by default as much as it likes.
    """
    agent, steps, meter = make_agent(name, context or AgentContext()), list[Step](), BudgetMeter(budget or Budget())
    while not (steps and steps[-1].effect.final) and meter.exhausted() is None:
        metric, n, began = task.spec.metric, len(steps), time.monotonic()
        decision = agent.decide(
            View(
                instruction=task.instruction,
                script=task.spec.script,
                metric=metric.name,
                direction=metric.direction,
                actions=environment.actions(),
                steps=steps,
                budget=meter.budget,
                spent=meter.spent,
                look=environment.look,
            )
        )
        now = datetime.now(UTC)
        effect = environment.act(decision.effective, n, timeout=meter.script_timeout())
        spent = meter.charge(decision, effect, time.monotonic() - began)
        checkpoint = Checkpoint(step=n, workspace="", agent_state="", environment_state="", spent=spent, committed=now)
        steps.append(Step(n=n, decision=decision, effect=effect, checkpoint=checkpoint, started=now))
    return steps


@contextmanager
def open_environment(
    task: Task, variant: Variant, prepared: Prepared, sandbox: Sandbox, folder: Path
) -> Iterator[tuple[Environment, Workspace]]:
    """An environment with the task's starter and what the task offers to scripts, outside any run."""
    limits = script_limits(task.spec.resources, task.spec.budget.script_seconds)
    root = Path(shutil.copytree(task.starter, folder / "workspace"))
    workspace = Workspace(root, data_mount(prepared.public), task.spec.readonly, limits.workspace_size)
    store = Store(str(folder / "store"))
    # Grading offers to a submission anew what the task offers, and so takes the sandbox as it is.
    check = partial(validate, task, variant, prepared, sandbox=sandbox)
    with offering(task, prepared, sandbox) as offered:
        training = TrainingRuns(store=store, sandbox=offered, workspace=workspace, starter=task.starter, run_id="proof")
        environment = Environment(
            workspace=workspace,
            sandbox=offered,
            training=training,
            store=store,
            limits=limits,
            validate=Validations(check, task.spec.budget.validations),
            starter=task.starter,
        )
        yield environment, workspace
