"""Opens a run on this machine: a new one, or one to go on with."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from agent.protocol import Agent
from environment.acting import Environment
from environment.budgets import BudgetMeter
from environment.errors import RunNotFoundError
from environment.journal.entries import Journal
from environment.journal.lease import RunLease
from environment.literature import open_literature
from environment.mlflow.mirror import MlflowMirror
from environment.mlflow.names import FLOW_PAGE_TAG, FLOW_RUN_TAG
from environment.records import RunConfig
from environment.sandbox import WORKSPACE, writable_folder
from environment.sandbox.lasting import LastingTmp
from environment.snapshots.trees import Snapshots
from environment.snapshots.walk import scratch_folder
from environment.store import Store
from environment.training.runs import TrainingRuns
from environment.validations import Validations
from environment.workspace.folder import Workspace, data_mount
from environment.workspace.scratch import scratch_in
from evaluation.validation import validate
from flows.data import data_of
from flows.names import new_run_id
from flows.run.cards import lease_cards
from flows.run.checking import agent_context, taken_over
from flows.run.finding import check_branch
from flows.run.lock import check_lock, lock_of
from flows.run.memory import keep_memory, memory_of
from flows.run.models import offer_models
from flows.run.needs import check_needs
from flows.run.observer import current_observer
from flows.run.opened import OpenedRun
from flows.run.session import RunSession
from flows.services.server import page_of
from flows.settings import Settings
from foundation.processes import usable_cores
from tasks_catalog.library.spec import Task

if TYPE_CHECKING:
    from flows.run.guard import Guard


def open_session(config: RunConfig, flow_run_id: str | None) -> RunSession:
    """Open the run of ``config``; where the store knows it, at its last commit.

    Args:
        config: What is asked; of a run that the store knows, only the id counts, and whether to grade its steps.
        flow_run_id: Names the run where the config does not, so that a retry finds it again.

    Raises:
        MlabError: Anything that keeps it from starting, said in words.
    """
    settings = Settings()
    store = Store(settings.store_url)
    journal = Journal(store, config.run_id or new_run_id(config, flow_run_id))
    config = _as_known(journal, config)
    if config.branch is not None and journal.lock() is None:
        check_branch(store, config.branch)
    task, agent = taken_over(config, settings, store, journal)
    data = data_of(task, config.variant, settings)
    with ExitStack() as stack:
        stack.enter_context(scratch_in(settings.layout.scratch))
        lease = stack.enter_context(RunLease(store, journal.run_id, flow_run_id))
        cards = lease_cards(
            config, task, settings, journal.run_id, before=journal.lock(), notice=current_observer().notice
        )
        stack.enter_context(cards)
        sandbox = settings.open_sandbox(config.sandbox, journal.run_id, cards.cards)
        memory = memory_of(config, task, data, store, journal)
        run = OpenedRun(settings, store, journal, config, task, data, sandbox, memory)
        check_needs(run)
        _register(run)
        session = _assemble(run, agent, lease, _mirror(run, flow_run_id), stack)
        session.on_close.push(stack.pop_all())
    session.observer.prepared(run.run_id, config, session.meter.budget, sandbox.name)
    return session


def _as_known(journal: Journal, asked: RunConfig) -> RunConfig:
    """The config that the store has; grading the steps afterwards changes nothing of a run, and may be asked later."""
    try:
        known = journal.config()
    except RunNotFoundError:
        return asked
    return known.model_copy(update={"intermediate": known.intermediate or asked.intermediate})


def _register(run: OpenedRun) -> None:
    """Write a new run into the store, or check that a known one goes on under the same conditions."""
    journal, config = run.journal, run.config
    before = journal.lock()
    now = lock_of(run)
    if before is not None:
        check_lock(journal.run_id, before, now)
        return
    if journal.result() is not None:
        return
    if config.branch is not None:
        journal.branch_from(Journal(run.store, config.branch.run_id), config.branch.step)
    journal.write_config(config.model_copy(update={"run_id": journal.run_id}))
    keep_memory(run)
    journal.write_lock(now)


def _mirror(run: OpenedRun, flow_run_id: str | None) -> MlflowMirror:
    settings = run.settings
    tags = {FLOW_RUN_TAG: flow_run_id, FLOW_PAGE_TAG: page_of(flow_run_id)} if flow_run_id else None
    return MlflowMirror(settings.mlflow_uri, settings.layout.mlflow_artifacts, run.store, run.journal.run_id, tags=tags)


def _assemble(run: OpenedRun, agent: Agent, lease: RunLease, mirror: MlflowMirror, on_close: ExitStack) -> RunSession:
    task, journal, observer, snapshots = run.task, run.journal, current_observer(), Snapshots(run.store)
    # Taken before anything is checked: it writes anew what the store has lost of the starter's files.
    starter = snapshots.take(task.starter)
    journal.hold()
    journal.forget_unusable(snapshots)
    steps = journal.steps()
    size = run.limits.workspace_size
    if size is not None:
        size = max(size, snapshots.size(steps[-1].checkpoint.workspace if steps else starter))
    workspace = Workspace(
        on_close.enter_context(writable_folder(run.sandbox, "mlab-workspace-", size)) / WORKSPACE.strip("/"),
        data_mount(run.data.public),
        task.spec.readonly,
        run.limits.workspace_size,
    )
    meter = BudgetMeter(run.budget, steps[-1].checkpoint.spent if steps else None)
    context = agent_context(run.config, task, run.store, journal.recorder())
    sandbox, gateway = offer_models(run, context, meter, on_close)
    tmp = LastingTmp(sandbox, on_close.enter_context(scratch_folder("mlab-tmp-")), run.limits)
    training = TrainingRuns(
        store=run.store,
        sandbox=tmp,
        workspace=workspace,
        starter=task.starter,
        run_id=run.run_id,
        on_output=observer.output,
        on_sample=observer.sampled,
    )
    return RunSession(
        run=run,
        snapshots=snapshots,
        workspace=workspace,
        environment=_environment(run, workspace, training, tmp),
        agent=agent,
        meter=meter,
        mirror=mirror,
        observer=observer,
        initial_workspace=starter,
        lease=lease,
        guard=_guard(run.config, task),
        gateway=gateway,
    )


def _guard(config: RunConfig, task: Task) -> Guard | None:
    if not config.guard:
        return None
    # It brings all that claims are read and judged with.
    from flows.run.guard import guard_of

    return guard_of(config, task)


def _environment(run: OpenedRun, workspace: Workspace, training: TrainingRuns, tmp: LastingTmp) -> Environment:
    config = run.config
    # The flow pauses for a person before the action gets here (flows.run.people); this only has it offered.
    ask = (lambda _: config.people.default_answer) if config.people.help else None
    return Environment(
        workspace=workspace,
        sandbox=tmp,
        lasting=tmp,
        training=training,
        store=run.store,
        limits=run.limits,
        profile=config.profile,
        ask=ask,
        validate=_format_check(run),
        literature=open_literature(run.settings.literature_feed) if config.literature else None,
        recall=run.memory,
        starter=run.task.starter,
        reruns=config.interrupted_scripts == "rerun",
        scripts_at_once=min(config.scripts_at_once, usable_cores()),
    )


def _format_check(run: OpenedRun) -> Validations:
    def check(folder: Path) -> None:
        validate(run.task, run.config.variant, run.data, folder, run.sandbox)

    return Validations(check, run.task.spec.budget.validations)
