"""Calls an agent's own code; where that fails, the traceback is kept with the run."""

from __future__ import annotations

import json
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from pydantic import JsonValue

from agent.adapters import decision_of
from agent.errors import AgentFaultError, GaveUpError
from agent.models.secrets import read_secrets
from agent.protocol import Agent, View
from environment.errors import StoreError
from environment.records import Decision
from flows.run.opened import OpenedRun
from foundation.copies import ending_copies
from foundation.errors import MlabError
from foundation.faults import is_fault, with_place
from foundation.streams import own_streams
from foundation.text import encodable


def ask(agent: Agent, view: View, run: OpenedRun) -> Decision:
    """The agent's decision, also where it is to give up.

    Raises:
        AgentError: The agent returned something else, or wanted to end the process.
        Exception: Whatever the agent's code raises, with a note on where its traceback lies.
    """
    try:
        with _mistakes_kept("decide", run):
            return decision_of(agent.decide(view))
    except GaveUpError as error:
        return error.decision()


def state_of(agent: Agent, run: OpenedRun) -> bytes:
    """What the agent remembers, as JSON.

    Raises:
        AgentFaultError: It returned something else, or wanted to end the process.
        Exception: Whatever the agent's code raises, as in ``ask``.
    """
    with _mistakes_kept("state", run):
        state = agent.state()
    try:
        # In the order the owner gave: it may speak of its settings in that order.
        return json.dumps(state).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise AgentFaultError(
            f"state() of {run.config.agent} must return JSON: {error}",
            hint="Return dicts with text as keys, lists, text, numbers, booleans and None.",
        ) from error


def restore(agent: Agent, state: JsonValue, run: OpenedRun) -> None:
    """Give the agent back what it remembered.

    Raises:
        AgentFaultError: It wanted to end the process.
        Exception: Whatever the agent's code raises, as in ``ask``.
    """
    with _mistakes_kept("restore", run):
        agent.restore(state)


@contextmanager
def _mistakes_kept(method: str, run: OpenedRun) -> Iterator[None]:
    try:
        with ending_copies(), own_streams():
            yield
    except MlabError:
        raise
    except BaseException as error:
        # One that is no Exception, too: let through, it would end the command, or a whole sweep, without a word.
        if not is_fault(error):
            raise
        told = _told(method, error, run)
        _keep_traceback(run, error, told)
        if told is error:
            raise
        raise told from None  # with the error itself behind it, the text would be sent all the same


def _told(method: str, error: BaseException, run: OpenedRun) -> Exception:
    """The error, or one that says the same where Prefect would end more for it, or could not be sent what it says."""
    if not isinstance(error, Exception):
        wanted = "wanted to end the process" if isinstance(error, SystemExit) else "raised what is no Exception"
        return AgentFaultError(f"{method}() of {run.config.agent} {wanted}: {with_place(error)}")
    texts = "".join(traceback.format_exception(error))
    return error if encodable(texts) == texts else AgentFaultError(with_place(error))


def _keep_traceback(run: OpenedRun, error: BaseException, told: Exception) -> None:
    text = read_secrets().redact("".join(traceback.format_exception(error)))
    with suppress(StoreError):
        run.store.put(run.journal.keys.agent_error, text.encode(errors="backslashreplace"))
        told.add_note(f"The traceback lies in {run.store.url}/{run.journal.keys.agent_error}")
