"""The benchmark run as a Prefect flow: prepare, one subflow per step, evaluate.

Prefect matches a retried flow's subflows by call order. The flow therefore always calls its steps from
its own first one; those the journal knows return at once. States alone are compared, never persisted
results, so a lost result store cannot break a retry.

No postponed annotations here: Prefect builds the parameter form from the real types.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from prefect import State, flow, get_run_logger, task
from prefect.cache_policies import NO_CACHE
from prefect.runtime import flow_run
from prefect.settings import get_current_settings
from prefect.states import Completed

from environment.records import RunConfig, RunResult, run_name
from flows.errors import JournalMismatchError
from flows.names import RUN_FLOW, run_tag, run_tags, step_name
from flows.run.ending import evaluate_run
from flows.run.flow_runs import crash_abandoned, sign_flow_run, tag_flow_run
from flows.run.one_client import one_client
from flows.run.opening import open_session
from flows.run.page import RunPage
from flows.run.people import ask_person
from flows.run.session import RunSession
from flows.run.telling import decided_line, effect_line, result_line, step_line
from foundation.copies import ending_leftovers


class Steps:
    """The subflow of a step, bound to an open session, which Prefect neither copies nor stores."""

    def __init__(self, session: RunSession, page: RunPage) -> None:
        self.session = session
        self.page = page

    # One number of our own needs no check, for which Prefect builds a class at each call.
    @flow(name="agent-step", persist_result=True, result_serializer="json", validate_parameters=False)
    def agent_step(self, n: int) -> State[int]:
        """Decide, act, commit: one step of the agent as one transaction."""
        # No more stands here, because Prefect parses the source of a subflow each time that it is called.
        return self.take(n)

    def take(self, n: int) -> State[int]:
        """What a step does.

        Its parts are no tasks: three tasks cost a step more than all else that it does beside model and script
        (``tests.benchmarks.overhead``), and the journal knows when each of them ended.
        """
        session = self.session
        self.page.name_step(step_name(n))
        decision = session.decide(n)
        self.page.name_step(step_name(n, decision))
        reply = (
            None if session.is_executed(n) else ask_person(session.run.config.people, session.run.run_id, n, decision)
        )
        log = get_run_logger()
        log.info(decided_line(decision))
        effect = session.act(n, decision, reply)
        session.commit(n, decision)
        log.info("%s; %s", effect_line(effect), session.meter.remaining().line())
        return Completed(message=effect_line(effect), data=n)


@task(name="prepare_workspace", task_run_name="prepare the workspace", cache_policy=NO_CACHE, persist_result=False)
def prepare_workspace(config: RunConfig) -> RunSession:
    """Open the run: new, or at its last commit."""
    return open_session(config, flow_run_id=flow_run.root_flow_run_id)


@task(name="evaluate", task_run_name="grade and audit", cache_policy=NO_CACHE, persist_result=False)
def evaluate(session: RunSession) -> RunResult:
    """Grade the workspace, audit the claims, write the result."""
    return evaluate_run(session)


def name_of_run() -> str:
    """The flow run's name, from its parameters."""
    return run_name(RunConfig.model_validate(flow_run.parameters["config"]))


@flow(name=RUN_FLOW, flow_run_name=name_of_run, persist_result=True, result_serializer="json")
def benchmark_run(config: RunConfig) -> State[dict[str, Any]]:
    """Run one agent on one task with one seed, and grade it.

    Returns:
        The run's result, as in ``result.json``; the score stands in the state's message.
    """
    with ending_leftovers():
        sign_flow_run()
        return _run_to_its_end(config)


def _run_to_its_end(config: RunConfig) -> State[dict[str, Any]]:
    session = prepare_workspace(config)
    try:
        if session.lease.held_before:
            crash_abandoned(run_tag(session.run.run_id))
        tag_flow_run(*run_tags(session.run.config, session.run.run_id))
        with RunPage(session) as page:
            take_steps(session, page)
            result = evaluate(session)
            get_run_logger().info(result_line(result))
            # MLflow has everything then, and its page can be named.
            session.close()
            page.finish(result)
    finally:
        session.close()
    return Completed(message=result_line(result), data=result.model_dump(mode="json"))


def take_steps(session: RunSession, page: RunPage) -> None:
    """Call the steps in order until the run has ended; a run with a result takes no more of them."""
    if session.run.journal.result() is not None:
        return
    steps = Steps(session, page)
    first = session.run.journal.first_step_of(str(flow_run.id))
    log = get_run_logger()
    with _no_heartbeat_of_subflows(), one_client():
        for n in range(first, session.next_step):
            call_step(steps, n)
        while session.ended_by() is None:
            call_step(steps, session.next_step)
            page.update()
            done = session.run.journal.steps()[-1]
            log.info("step %02d · %s", done.n, step_line(done.decision, done.effect))


@contextmanager
def _no_heartbeat_of_subflows() -> Iterator[None]:
    # It would round every step up to a whole second. Settings of a block are a copy, which a signal to stop misses.
    flows = get_current_settings().flows
    before, flows.heartbeat_frequency = flows.heartbeat_frequency, None
    try:
        yield
    finally:
        flows.heartbeat_frequency = before


def call_step(steps: Steps, n: int) -> None:
    """Call step ``n``, raise what it raised, and check what Prefect says against the journal."""
    state = steps.agent_step(n, return_state=True)
    if not state.is_completed():
        state.result()
    if steps.session.run.journal.checkpoint(n) is None:
        raise JournalMismatchError(
            f"Prefect holds step {n} of run {steps.session.run.run_id} for done, but the journal has no commit of it.",
            hint=f"Continue from the journal with: mlab resume {steps.session.run.run_id}",
        )
