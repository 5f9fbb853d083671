"""What a person reads when a command fails, and the exit code that says why."""

from __future__ import annotations

import os
import re
import traceback

from rich.cells import cell_len
from rich.text import Text

from agent.errors import AgentNotFoundError, AgentSettingsError
from agent.models.errors import BadKeyError
from environment.errors import (
    GpuUnavailableError,
    RunBusyError,
    RunInterrupted,
    RunNotFoundError,
    SandboxUnavailableError,
    UnknownStoreError,
)
from flows.cli.app import INTERRUPTED
from flows.consoles import plain_console
from flows.errors import FlowError, UsageError
from flows.limits import meaning_limit
from foundation.disk import meaning_full
from foundation.errors import MlabError
from foundation.faults import with_place
from foundation.text import shown
from tasks_catalog.library.errors import (
    BrokenTaskError,
    MissingExtraError,
    NoCredentialsError,
    RefusedImportError,
    TaskNotFoundError,
)

FAILED, WRONG_USAGE = 1, 2
COMMAND = re.compile(r": (?=mlab )")
USAGE_ERRORS = (
    UsageError,
    TaskNotFoundError,
    BrokenTaskError,
    MissingExtraError,
    NoCredentialsError,
    RefusedImportError,
    AgentNotFoundError,
    AgentSettingsError,
    BadKeyError,
    RunBusyError,
    RunNotFoundError,
    UnknownStoreError,
    SandboxUnavailableError,
    GpuUnavailableError,
)


def is_interruption(error: BaseException) -> bool:
    """Whether a signal to stop is what an error comes from: libraries put it into errors of their own, or into text."""
    if isinstance(error, KeyboardInterrupt) or str(error).endswith(KeyboardInterrupt.__name__):
        return True
    origin = error.__cause__ or error.__context__
    return origin is not None and is_interruption(origin)


def in_words(error: Exception) -> MlabError:
    """What a person reads of an error that nothing in this project speaks of."""
    if full := meaning_full(error):
        return full
    if limited := meaning_limit(error):
        return limited
    if isinstance(error, OSError) and error.strerror:
        where = f": {shown(os.fsdecode(error.filename))}" if isinstance(error.filename, str | bytes) else ""
        return FlowError(f"{error.strerror}{where}", hint="MLAB_TRACEBACK=1 shows what was being done.")
    return FlowError(
        f"This is a fault of mlab itself: {with_place(error)}",
        hint="MLAB_TRACEBACK=1 shows the whole traceback; please report it with the command.",
    )


def warn(error: MlabError) -> None:
    """Tell a person, in one line, of what does not stop the command."""
    plain_console(stderr=True).print(Text(error.sentence, style="red"), soft_wrap=True)


def say(words: str) -> None:
    """Say on standard error what is no failure."""
    plain_console(stderr=True).print(Text(words, style="yellow"), soft_wrap=True)


def explain(error: MlabError) -> int:
    """Print ``error`` for a person and return the command's exit code.

    ``MLAB_TRACEBACK=1`` shows where it came from.
    """
    console = plain_console(stderr=True)
    if os.environ.get("MLAB_TRACEBACK"):
        console.print(Text("".join(traceback.format_exception(error))))
    # In a pipe nothing is broken over lines; in a window a command that would be begins a line.
    whole = not console.is_terminal
    console.print(Text(error.message, style="bold red"), soft_wrap=whole)
    if error.hint:
        hint = error.hint
        hint = hint if whole or cell_len(hint) <= console.width else COMMAND.sub(":\n", hint)
        console.print(Text(hint), soft_wrap=True)
    if isinstance(error, USAGE_ERRORS):
        for note in getattr(error, "__notes__", ()):
            console.print(Text(note), soft_wrap=True)
    if isinstance(error, RunInterrupted):
        return INTERRUPTED
    return WRONG_USAGE if isinstance(error, USAGE_ERRORS) else FAILED
