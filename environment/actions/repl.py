"""The action that runs Python commands which share their variables."""

from __future__ import annotations

from pydantic import Field

from environment.actions.definition import ActionContext, ActionDefinition, Reply
from environment.actions.execution import describe, outcome_of, printed
from environment.actions.spec import ActionInput


class PythonReplInput(ActionInput):
    """Arguments of Python REPL."""

    command: str = Field(description="Python statements; the value of a last expression is printed")


def python_repl(context: ActionContext, arguments: PythonReplInput) -> Reply:
    """Run a command with the variables of the earlier ones."""
    limits = context.command_limits()
    execution = context.repl.run(arguments.command, limits)
    if execution.killed_by is None and execution.exit_code in (0, 1):
        return Reply(printed(execution.output), outcome_of(execution), refused=execution.refused, ran_code=True)
    return describe("The command", execution, context, limits)


PYTHON_REPL = ActionDefinition(
    name="Python REPL",
    description="Runs Python commands in the workspace; variables are kept from one command to the next.",
    returns="What was printed, or the error.",
    input=PythonReplInput,
    handler=python_repl,
)
