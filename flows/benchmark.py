"""The benchmark run as a Prefect flow: prepare, one subflow per step, evaluate.

Prefect matches a retried flow's subflows by call order. The flow therefore always calls its steps from
its own first one; those the journal knows return at once. States alone are compared, never persisted
results, so a lost result store cannot break a retry.

No postponed annotations here: Prefect builds the parameter form from the real types.
"""

from collections.abc import Callable
from typing import Any

from prefect import flow, task
from prefect.cache_policies import NO_CACHE
from prefect.runtime import flow_run
from prefect.settings import PREFECT_FLOWS_HEARTBEAT_FREQUENCY, temporary_settings

from environment.config import RunConfig
from environment.names import run_name
from environment.records import Decision, Effect, RunResult
from flows.artifacts import RunArtifacts
from flows.errors import JournalMismatchError
from flows.evaluate import evaluate_run
from flows.flow_runs import crash_abandoned, describe_flow_run
from flows.names import run_tag, step_name
from flows.open import open_session
from flows.people import ask_person
from flows.session import RunSession


class Steps:
    """The subflow of a step, bound to an open session, which Prefect neither copies nor stores."""

    def __init__(self, session: RunSession) -> None:
        self.session = session

    @flow(name="agent-step", flow_run_name="step {n:02d}", persist_result=True, result_serializer="json")
    def agent_step(self, n: int) -> int:
        """Decide, act, commit: one step of the agent as one transaction."""
        decision = decide(self, n)
        describe_flow_run(tag=run_tag(self.session.run_id), name=step_name(n, decision))
        reply = None if self.session.is_executed(n) else ask_person(self.session.config.people, n, decision)
        act(self, n, decision, reply)
        commit(self, n, decision)
        return n


@task(name="decide", cache_policy=NO_CACHE, persist_result=False)
def decide(steps: Steps, n: int) -> Decision:
    """Ask the agent, unless the journal already holds its decision."""
    return steps.session.decide(n)


@task(name="act", cache_policy=NO_CACHE, persist_result=False)
def act(steps: Steps, n: int, decision: Decision, reply: Effect | None) -> Effect:
    """Carry the decision out in the sandbox."""
    return steps.session.act(n, decision, reply)


@task(name="commit", cache_policy=NO_CACHE, persist_result=False)
def commit(steps: Steps, n: int, decision: Decision) -> None:
    """Write the checkpoint."""
    steps.session.commit(n, decision)


@task(name="prepare_workspace", cache_policy=NO_CACHE, persist_result=False)
def prepare_workspace(config: RunConfig) -> RunSession:
    """Open the run: new, or at its last commit."""
    return open_session(config, flow_run_id=flow_run.root_flow_run_id)


@task(name="evaluate", cache_policy=NO_CACHE, persist_result=False)
def evaluate(session: RunSession) -> RunResult:
    """Grade the workspace, audit the claims, write the result."""
    return evaluate_run(session)


def name_of_run() -> str:
    """The flow run's name, from its parameters."""
    return run_name(RunConfig.model_validate(flow_run.parameters["config"]))


@flow(name="benchmark-run", flow_run_name=name_of_run, persist_result=True, result_serializer="json")
def benchmark_run(config: RunConfig) -> dict[str, Any]:
    """Run one agent on one task with one seed, and grade it.

    Returns:
        The run's result, as in ``result.json``.
    """
    session = prepare_workspace(config)
    try:
        crash_abandoned(run_tag(session.run_id))
        describe_flow_run(tag=run_tag(session.run_id))
        artifacts = RunArtifacts(session)
        # The heartbeat of a subflow would round every step up to a whole second.
        with temporary_settings({PREFECT_FLOWS_HEARTBEAT_FREQUENCY: None}):
            take_steps(session, artifacts.update)
        result = evaluate(session)
        artifacts.finish(result)
    finally:
        session.close()
    return result.model_dump(mode="json")


def take_steps(session: RunSession, after_step: Callable[[], None]) -> None:
    """Call the steps in order until the run has ended."""
    steps = Steps(session)
    first = session.journal.first_step_of(str(flow_run.id))
    for n in range(first, session.next_step):
        call_step(steps, n)
    while session.ended_by() is None:
        call_step(steps, session.next_step)
        after_step()


def call_step(steps: Steps, n: int) -> None:
    """Call step ``n``, raise what it raised, and check what Prefect says against the journal."""
    state = steps.agent_step(n, return_state=True)
    if not state.is_completed():
        state.result()
    if steps.session.journal.checkpoint(n) is None:
        raise JournalMismatchError(
            f"Prefect holds step {n} of run {steps.session.run_id} for done, but the journal has no commit of it.",
            hint=f"Continue from the journal with: mlab resume {steps.session.run_id}",
        )
