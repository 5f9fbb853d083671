"""How a command ended, in words for the agent: ordinary failure, signal, time, memory and output told apart."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator

from environment.actions.definition import ActionContext, Reply
from environment.metrics.lines import readable_output
from environment.records import Outcome, TrainingRun
from environment.sandbox.base import Execution, Limits
from environment.sandbox.limit_hit import limit_hit, of_mebibytes
from foundation.sizes import MiB
from foundation.text import shown, text_of

_MOST_NAMES = 10
_SHARED_MEMORY = re.compile(rb"insufficient shared memory|\bBus error\b|No space left on device: '/dev/shm")
_NO_SPACE = re.compile(rb"No space left on device")


def describe(
    what: str,
    execution: Execution,
    context: ActionContext,
    limits: Limits,
    *,
    training_run: TrainingRun | None = None,
) -> Reply:
    """The reply to a command: its output as it came, and how it ended."""
    output = printed(execution.output)
    ending = ending_of(what, execution, limits)
    heading = context.profile.executed
    if heading is None:
        text = f"{ending} Output:\n{output}"
    else:
        text = f"{heading}\n{output}" + ("" if execution.exit_code == 0 else f"\n{ending}")
    return Reply(
        "\n".join([text, *notes_on(execution, limits)]),
        outcome=outcome_of(execution),
        training_run=training_run,
        refused=execution.refused,
        killed_by=execution.killed_by,
        ran_code=True,
    )


def notes_on(execution: Execution, limits: Limits) -> Iterator[str]:
    """What the agent could not know from the output: what was refused, what ended with the command, what was full."""
    yield from (f"Refused by the sandbox: {attempt}" for attempt in execution.refused)
    if left := execution.left_running:
        names = ", ".join(shown(name, 40) for name in dict.fromkeys(left[:_MOST_NAMES]))
        yield (
            f"Note: what it left running ({names}) was ended with it; no process runs on between two actions. Run what "
            "you need to its end within one action."
        )
    size = limits.tmp_size / MiB
    if execution.exit_code == -signal.SIGBUS or _SHARED_MEMORY.search(execution.output):
        yield (
            f"Note: a bus error mostly means that shared memory (/dev/shm) was full: it holds {size:,.0f} MiB. Load "
            "data with no worker processes (num_workers=0) or fewer of them, or share less between processes."
        )
    elif _NO_SPACE.search(execution.output):
        yield f"Note: a disk was full: /tmp and /dev/shm hold {size:,.0f} MiB each{_room(limits)}."


def _room(limits: Limits) -> str:
    return f", the workspace{of_mebibytes(limits.workspace_size)}" if limits.workspace_size else ""


def printed(output: bytes) -> str:
    """What a command printed, as a person at a terminal would read it."""
    return readable_output(text_of(output)).strip("\n") or "(no output)"


def outcome_of(execution: Execution) -> Outcome:
    """Whether a command succeeded, failed by itself, or was stopped."""
    if execution.killed_by is not None:
        return Outcome.KILLED
    return Outcome.OK if execution.exit_code == 0 else Outcome.FAILED


def ending_of(what: str, execution: Execution, limits: Limits) -> str:
    """One sentence on how a command ended; without its time, so that a run repeated reads the same."""
    if execution.killed_by is not None:
        return f"{what} was stopped: {limit_hit(execution.killed_by, limits)}."
    code = execution.exit_code
    if code is not None and code < 0:
        return f"{what} was ended by {_signal_name(-code)}."
    return f"{what} ended with exit code {code}."


def _signal_name(number: int) -> str:
    try:
        return f"{signal.Signals(number).name} ({signal.strsignal(number)})"
    except ValueError:
        return f"signal {number}"
