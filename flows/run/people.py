"""People in the loop: a request for help, or the approval of an action, pauses the step in Prefect.

No postponed annotations here: Prefect builds the form from the real types.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer
from typing import TypeVar
from uuid import UUID

from prefect import pause_flow_run
from prefect.client.orchestration import get_client
from prefect.input import RunInput
from prefect.runtime import flow_run
from pydantic import JsonValue

from environment.actions.people import REQUEST_HELP
from environment.records import Action, Decision, Effect, Observation, Outcome, People
from environment.records.display import duration
from flows.names import action_label, run_tag
from flows.run.flow_runs import tag_flow_run
from flows.run.observer import current_observer
from flows.text import one_line

POLL_SECONDS = 2
GRACE_SECONDS = 120
"""How much longer Prefect waits than we do: the default must answer before Prefect fails the step."""


class Help(RunInput):
    """The form behind a request for help."""

    answer: str = ""


class Approval(RunInput):
    """The form behind an action that a person must approve."""

    approved: bool = True
    comment: str = ""


Form = TypeVar("Form", bound=RunInput)


def ask_person(people: People, run_id: str, n: int, decision: Decision) -> Effect | None:
    """The effect of an action that a person answers or refuses; ``None`` lets the environment act.

    The step's flow run is paused until someone answers in Prefect's interface, through its API or with
    ``mlab answer``. When nobody does in time, the configured default answers in the same way.
    """
    action = decision.effective
    helps, approves = people.help and action.name == REQUEST_HELP, action.name in people.approve
    if helps or approves:
        tag_flow_run(run_tag(run_id))  # by which ``mlab answer`` finds it
        current_observer().notice(_asked(people, run_id, n, action))
    if helps:
        return _help(people, n, action)
    if approves:
        return _approval(people, n, action)
    return None


def _asked(people: People, run_id: str, n: int, action: Action) -> str:
    wanted, how = f"for approval of {action_label(action)}", f'mlab answer {run_id}, or --refuse "why"'
    if action.name == REQUEST_HELP:
        wanted, how = f"for help: {one_line(str(action.args.get('request', '')))}", f'mlab answer {run_id} "…"'
    return f"Step {n} waits up to {duration(people.timeout)} {wanted}\nAnswer with: {how}"


def answer(flow_run_id: UUID, form: dict[str, JsonValue]) -> None:
    """Resume a paused step with ``form`` as a person's input."""
    with get_client(sync_client=True) as client:
        client.resume_flow_run(flow_run_id, run_input=form)


def _help(people: People, n: int, action: Action) -> Effect:
    started = time.monotonic()
    description = f"The agent asks for help:\n\n{action.args.get('request', '')}"
    form = _wait(
        Help.with_initial_data(description=description), people.timeout, f"help-{n}", {"answer": people.default_answer}
    )
    return _waited(Observation(text=form.answer), started)


def _approval(people: People, n: int, action: Action) -> Effect | None:
    started = time.monotonic()
    form = _wait(
        Approval.with_initial_data(description=f"The agent wants to carry out **{action_label(action)}**."),
        people.timeout,
        f"approve-{n}",
        {"approved": people.default_approval, "comment": "Nobody answered in time."},
    )
    if form.approved:
        return None
    refusal = f"A person must approve {action.name}, and it was refused. {form.comment}".strip()
    return _waited(Observation(text=refusal, outcome=Outcome.REFUSED), started)


def _wait(form: type[Form], timeout: float, key: str, default: dict[str, JsonValue]) -> Form:
    with _answered_after(timeout, default):
        return pause_flow_run(
            wait_for_input=form, timeout=int(timeout) + GRACE_SECONDS, poll_interval=POLL_SECONDS, key=key
        )


@contextmanager
def _answered_after(seconds: float, default: dict[str, JsonValue]) -> Iterator[None]:
    timer = Timer(seconds, answer, (UUID(str(flow_run.id)), default))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _waited(observation: Observation, started: float) -> Effect:
    seconds = time.monotonic() - started
    return Effect(observation=observation, seconds=seconds, waited_seconds=seconds)
