"""How a command ended, in words for the agent: ordinary failure, signal, time, memory and output told apart."""

from __future__ import annotations

import signal

from environment.actions.definition import ActionContext, Reply
from environment.metrics.lines import readable_output
from environment.records import KilledBy, Outcome, TrainingRun
from environment.sandbox.base import Execution, Limits
from foundation.sizes import MiB


def describe(
    what: str,
    execution: Execution,
    context: ActionContext,
    limits: Limits,
    *,
    training_run: TrainingRun | None = None,
) -> Reply:
    """The reply to a command: its output as it came, and how it ended."""
    output = output_of(execution)
    ending = ending_of(what, execution, limits)
    heading = context.profile.executed
    if heading is None:
        text = f"{ending} Output:\n{output}"
    else:
        text = f"{heading}\n{output}" + ("" if execution.exit_code == 0 else f"\n{ending}")
    notes = [f"Refused by the sandbox: {attempt}" for attempt in execution.refused]
    return Reply(
        "\n".join([text, *notes]),
        outcome=outcome_of(execution),
        training_run=training_run,
        refused=execution.refused,
        killed_by=execution.killed_by,
        ran_code=True,
    )


def output_of(execution: Execution) -> str:
    """What a command printed, as a person at a terminal would read it."""
    return readable_output(execution.output.decode("utf-8", "replace")).strip("\n") or "(no output)"


def outcome_of(execution: Execution) -> Outcome:
    """Whether a command succeeded, failed by itself, or was stopped."""
    if execution.killed_by is not None:
        return Outcome.KILLED
    return Outcome.OK if execution.exit_code == 0 else Outcome.FAILED


def ending_of(what: str, execution: Execution, limits: Limits) -> str:
    """One sentence on how a command ended; without its time, so that a run repeated reads the same."""
    if execution.killed_by is not None:
        return f"{what} was stopped: {_reason(execution.killed_by, limits)}."
    code = execution.exit_code
    if code is not None and code < 0:
        return f"{what} was ended by {_signal_name(-code)}."
    return f"{what} ended with exit code {code}."


def _reason(killed_by: KilledBy, limits: Limits) -> str:
    match killed_by:
        case KilledBy.TIMEOUT:
            return f"it ran longer than its limit of {limits.timeout:g} s" if limits.timeout else "it ran too long"
        case KilledBy.MEMORY:
            return f"it used more memory than its limit{_mebibytes(limits.memory)}"
        case KilledBy.OUTPUT:
            return f"it printed more than its limit{_mebibytes(limits.output)}"
        case KilledBy.WORKSPACE:
            return f"the workspace grew beyond its limit{_mebibytes(limits.workspace_size)}"
        case KilledBy.CANCELLED:
            return "the run was cancelled"


def _mebibytes(size: int | None) -> str:
    return f" of {size / MiB:,.0f} MiB" if size else ""


def _signal_name(number: int) -> str:
    try:
        return f"{signal.Signals(number).name} ({signal.strsignal(number)})"
    except ValueError:
        return f"signal {number}"
