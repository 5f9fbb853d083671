"""What a person reads when a command fails, and the exit code that says why."""

from __future__ import annotations

import os
import re
import traceback

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from agent.errors import AgentNotFoundError, AgentSettingsError
from environment.errors import RunInterrupted, RunNotFoundError, SandboxUnavailableError
from flows.errors import UsageError
from foundation.errors import MlabError
from tasks_catalog.library.errors import TaskNotFoundError

FAILED, WRONG_USAGE, INTERRUPTED = 1, 2, 3
COMMAND = re.compile(r": (?=mlab )")
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
    # In a pipe nothing is broken over lines; in a window a command that would be begins a line.
    whole = not console.is_terminal
    console.print(Text(error.message, style="bold red"), soft_wrap=whole)
    if error.hint:
        hint = error.hint if whole or cell_len(error.hint) <= console.width else COMMAND.sub(":\n", error.hint)
        console.print(Text(hint), soft_wrap=True)
    if isinstance(error, RunInterrupted):
        return INTERRUPTED
    return WRONG_USAGE if isinstance(error, USAGE_ERRORS) else FAILED
