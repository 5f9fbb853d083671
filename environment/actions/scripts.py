"""Actions that run something in the sandbox: scripts, as training runs, and shell commands."""

from __future__ import annotations

import shlex
from dataclasses import replace
from typing import Annotated

from pydantic import BeforeValidator, Field, PositiveFloat

from environment.actions.arguments import LONGEST_COMMAND, check_arguments
from environment.actions.background import CHECK_SCRIPT, STOP_SCRIPT
from environment.actions.definition import ActionContext, ActionDefinition, Reply
from environment.actions.execution import describe
from environment.actions.spec import ActionInput
from environment.errors import ActionError, RefusedActionError
from environment.sandbox.base import Command
from environment.training.background import Background, Beside, Plan
from foundation.text import shown

RUN_COMMAND_LINE = "Run Command Line"
_HEAD = 200
_BESIDE = (
    "With wait: false it runs in the background until it ends, Stop Script ends it, or the run does; Check Script "
    "follows it. One script runs at a time, unless the run allows more."
)
_LASTS = (
    "/tmp (which is HOME) lasts from one command to the next, but is no part of what is kept of a run; a process left "
    "running ends with its command."
)


def _split(arguments: object) -> object:
    if not isinstance(arguments, str):
        return arguments
    if len(arguments) > LONGEST_COMMAND:
        raise ValueError(f"should have at most {LONGEST_COMMAND:,} characters")
    return shlex.split(arguments)


class ExecuteScriptInput(ActionInput):
    """Arguments of Execute Script."""

    script_name: str = Field(description="path of a Python script")
    arguments: Annotated[tuple[str, ...], BeforeValidator(_split)] = Field(
        default=(), description="command-line arguments, as a list or as one line"
    )
    timeout: PositiveFloat | None = Field(
        default=None, description="seconds after which the script is stopped; never more than the run allows"
    )
    wait: bool = Field(default=True, description="false: run it in the background")


class RunShellCommandInput(ActionInput):
    """Arguments of Run Shell Command."""

    command: str = Field(description="a command line for sh, run in the workspace")
    timeout: PositiveFloat | None = Field(
        default=None, description="seconds after which the command is stopped; never more than the run allows"
    )


def execute_script(context: ActionContext, arguments: ExecuteScriptInput) -> Reply:
    """Run a script as a training run."""
    name = arguments.script_name
    if not context.workspace.exists(name):
        raise ActionError(f"The file {shown(name)} does not exist.")
    check_arguments("The list of arguments", arguments.arguments)
    limits = context.command_limits(arguments.timeout)
    script = context.workspace.name(name)
    _refuse_notebook(script, context.workspace.read(name))
    _refuse_more(context.background)
    if not arguments.wait:
        return _begin(context, Plan(script=script, args=arguments.arguments, step=context.step, limits=limits))
    # Beside other scripts, only the files that it opens itself are its results.
    beside = Beside() if context.background.scripts else None
    run, execution = context.training.execute(script, arguments.arguments, context.step, limits, beside)
    return describe(shown(script), execution, context, limits, training_run=run)


def _refuse_more(background: Background) -> None:
    """So many scripts at a time have the machine, and a step has one training run.

    Raises:
        RefusedActionError: As many run in the background as may, or have ended unseen.
    """
    if not background.is_full:
        return
    first = background.scripts[0]
    if background.at_once > 1:
        what = f"{len(background.scripts)} scripts run in the background or have ended there, which is as many as may"
    else:
        stands = "is running in the background" if first.is_running else "has ended in the background"
        what = f"{shown(first.plan.script)} {stands}"
    raise RefusedActionError(
        f"{what}; nothing was run.", hint=f"Look at one of them first, with {CHECK_SCRIPT} or {STOP_SCRIPT}."
    )


def _begin(context: ActionContext, plan: Plan) -> Reply:
    if not context.profile.offers(CHECK_SCRIPT):
        raise RefusedActionError(
            "There are no scripts in the background here; nothing was run.", hint="Leave wait out."
        )
    context.background.start(plan)
    return Reply(
        f"{shown(plan.script)} runs in the background. {CHECK_SCRIPT} shows what it prints, {STOP_SCRIPT} ends it; "
        "with the run it ends, too.",
        ran_code=True,
    )


def _refuse_notebook(script: str, source: bytes) -> None:
    """Refuse a notebook, which Python reads as one dictionary and does nothing with.

    Raises:
        RefusedActionError: It is one; with what works instead.
    """
    head = source[:_HEAD].lstrip()
    if not script.endswith(".ipynb") and not (
        head.startswith(b"{") and b'"cells"' in source and b'"nbformat"' in source
    ):
        return
    target = f"{script.removesuffix('.ipynb')}.py"
    taken_out = "'\\n\\n'.join(''.join(c['source']) for c in json.load(open(n))['cells'] if c['cell_type'] == 'code')"
    raise RefusedActionError(
        f"{shown(script)} is a notebook, and Execute Script runs Python scripts; nothing was run.",
        hint=f"Write its code into {shown(target)}, for instance with Run Shell Command: "
        f'python -c "import json, sys; n = sys.argv[1]; print({taken_out})" '
        f"{shlex.quote(script)} > {shlex.quote(target)}",
    )


def run_shell_command(context: ActionContext, arguments: RunShellCommandInput) -> Reply:
    """Run a command line."""
    check_arguments("The command", [arguments.command])
    limits = context.command_limits(arguments.timeout)
    execution = context.sandbox.run(
        Command(
            ["sh", "-c", arguments.command],
            workspace=context.workspace.root,
            limits=limits,
            readonly=context.workspace.readonly_mounts(),
        )
    )
    return describe("The command", execution, context, limits)


def run_command_line(context: ActionContext, arguments: RunShellCommandInput) -> Reply:
    """Run another agent's command line, and record the scripts that it starts."""
    check_arguments("The command", [arguments.command])
    limits = context.command_limits(arguments.timeout)
    execution, found = context.training.watch(["sh", "-c", arguments.command], context.step, limits)
    return replace(describe("The command", execution, context, limits), found=found)


EXECUTE_SCRIPT = ActionDefinition(
    name="Execute Script",
    description=f"Runs a Python script in the workspace and records it as a training run. {_BESIDE} {_LASTS}",
    returns="What it printed, as it came, and how it ended.",
    input=ExecuteScriptInput,
    handler=execute_script,
)

RUN_SHELL_COMMAND = ActionDefinition(
    name="Run Shell Command",
    description="Runs a shell command in the workspace, for looking around; nothing it trains is recorded. " + _LASTS,
    returns="What it printed, as it came, and how it ended.",
    input=RunShellCommandInput,
    handler=run_shell_command,
)

RUN_COMMAND_LINE_ACTION = ActionDefinition(
    name=RUN_COMMAND_LINE,
    description="Runs another agent's command line in the workspace; Python scripts that it starts are training runs.",
    returns="What it printed, as it came, and how it ended.",
    input=RunShellCommandInput,
    handler=run_command_line,
)
