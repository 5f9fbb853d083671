"""What a person reads when a command fails, and the exit code that says why."""

from __future__ import annotations

import os
import traceback

from rich.console import Console
from rich.text import Text

from agent.errors import AgentNotFoundError, AgentSettingsError
from environment.errors import RunInterrupted, RunNotFoundError, SandboxUnavailableError
from flows.errors import UsageError
from tasks_catalog.errors import MlabError, TaskNotFoundError

FAILED, WRONG_USAGE, INTERRUPTED = 1, 2, 3
USAGE_ERRORS = (
    UsageError,
    TaskNotFoundError,
    AgentNotFoundError,
    AgentSettingsError,
    RunNotFoundError,
    SandboxUnavailableError,
)


def explain(error: MlabError) -> int:
    """Print ``error`` for a person and return the command's exit code.

    ``MLAB_TRACEBACK=1`` shows where it came from.
    """
    console = Console(stderr=True)
    if os.environ.get("MLAB_TRACEBACK"):
        console.print(Text("".join(traceback.format_exception(error))))
    console.print(Text(error.message, style="bold red"))
    if error.hint:
        console.print(Text(error.hint))
    if isinstance(error, RunInterrupted):
        return INTERRUPTED
    return WRONG_USAGE if isinstance(error, USAGE_ERRORS) else FAILED
