"""Asks an agent what to do; where its own code fails, the traceback is kept with the run."""

from __future__ import annotations

import traceback
from contextlib import suppress

from agent.adapters import decision_of
from agent.errors import GaveUpError
from agent.models.secrets import read_secrets
from agent.protocol import Agent, View
from environment.errors import StoreError
from environment.records import Decision
from flows.run.opened import OpenedRun
from foundation.errors import MlabError


def ask(agent: Agent, view: View, run: OpenedRun) -> Decision:
    """The agent's decision, also where it is to give up.

    Raises:
        AgentError: The agent returned something else.
        Exception: Whatever the agent's code raises, with a note on where its traceback lies.
    """
    try:
        return decision_of(agent.decide(view))
    except GaveUpError as error:
        return error.decision()
    except MlabError:
        raise
    except Exception as error:
        _keep_traceback(run, error)
        raise


def _keep_traceback(run: OpenedRun, error: Exception) -> None:
    text = read_secrets().redact("".join(traceback.format_exception(error)))
    with suppress(StoreError):
        run.store.put(run.journal.keys.agent_error, text.encode(errors="replace"))
        error.add_note(f"The traceback lies in {run.store.url}/{run.journal.keys.agent_error}")
