"""The action that asks a person."""

from __future__ import annotations

import time

from pydantic import Field

from environment.actions.definition import ActionContext, ActionDefinition, Reply
from environment.actions.spec import ActionInput
from environment.errors import RefusedActionError

REQUEST_HELP = "Request Help"


class RequestHelpInput(ActionInput):
    """Arguments of Request Help."""

    request: str = Field(description="the question, with all that is needed to answer it")


def request_help(context: ActionContext, arguments: RequestHelpInput) -> Reply:
    """Ask, and wait for the answer."""
    if context.ask is None:
        raise RefusedActionError("Nobody is there to answer in this run; decide by yourself.")
    started = time.monotonic()
    answer = context.ask(arguments.request)
    return Reply(answer, waited_seconds=time.monotonic() - started)


REQUEST_HELP_ACTION = ActionDefinition(
    name=REQUEST_HELP,
    description="Asks a person; waiting for the answer uses none of the working time.",
    returns="The answer.",
    input=RequestHelpInput,
    handler=request_help,
)
