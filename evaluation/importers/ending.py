"""How a logged run ended and how long it took, in the record's fields."""

from __future__ import annotations

import re
from datetime import datetime
from typing import TypedDict

from environment.records import EndedBy, RunStatus
from evaluation.importers.parsing import moment
from evaluation.record.log import LogStep

_CONTEXT = re.compile(
    r"context[ _-]?(?:window|length|limit|overflow)|exit_context|prompt is too long|maximum context", re.IGNORECASE
)
_OF_AGENT = re.compile(
    r"stuck|InLoop|loop detected|forfeit|exit_format|format ?error|malformed|exit_command_timeout|AgentTimeout"
    r"|(?:invalid|no|unknown|hallucinated) (?:tool|action|function|command)|NonZeroAgentExitCode"
    r"|function ?call(?:validation|conversion|notexists)",
    re.IGNORECASE,
)
"""Errors by which harnesses give up on an agent: it repeats itself, or writes what they cannot read."""


class Ending(TypedDict):
    """How a run ended."""

    status: RunStatus
    ended_by: EndedBy | None
    error: str | None


class Span(TypedDict):
    """How long a run took, and when its log was last written to."""

    seconds: float | None
    written: datetime | None


def completed(by: EndedBy | None = None) -> Ending:
    """It came to its end, or to a limit."""
    return {"status": RunStatus.COMPLETED, "ended_by": by, "error": None}


def broken_off(error: str) -> Ending:
    """An error ended it: the agent's own, a context that is full, or else the harness's or its provider's.

    What the harness or the provider of the model broke on counts in no rate: it says nothing of the agent.

    Args:
        error: The log's words, with the kind of the error where it tells it.
    """
    if _CONTEXT.search(error):
        return {"status": RunStatus.COMPLETED, "ended_by": EndedBy.TOKENS, "error": error}
    status = RunStatus.FAILED if _OF_AGENT.search(error) else RunStatus.INFRASTRUCTURE
    return {"status": status, "ended_by": EndedBy.ERROR, "error": error}


INTERRUPTED: Ending = {"status": RunStatus.INTERRUPTED, "ended_by": None, "error": None}
"""Somebody stopped it, or the log breaks off."""


def by_last_step(steps: tuple[LogStep, ...], *, is_over: bool = False) -> Ending:
    """What the last step shows: words are an answer, and after a call or before any step there would have been more.

    Args:
        steps: All steps.
        is_over: The log says that the run is over.
    """
    if steps and not steps[-1].exchanges:
        return completed(EndedBy.FINAL_ANSWER)
    return completed() if is_over else INTERRUPTED


def span(first: object, last: object, seconds: float | None = None) -> Span:
    """The time between two moments, unless the log itself tells the seconds."""
    begun, written = moment(first), moment(last)
    if seconds is None and begun and written and begun < written:
        seconds = (written - begun).total_seconds()
    return {"seconds": seconds, "written": written}
