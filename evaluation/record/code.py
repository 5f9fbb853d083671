"""What is known of a run's code: what was written, shown and printed."""

from __future__ import annotations

from collections.abc import Iterable

from evaluation.record.events import Event
from evaluation.record.kinds import EventKind

_SEEN = 10_000
"""Characters of either end of an output that are kept for looking up words."""
_COMMAND = 400
"""Characters of an action in which the options of a command stand."""


def code_of(events: Iterable[Event]) -> str:
    """Code, commands and outputs in lower case; of long outputs the two ends, of failed edits nothing."""
    parts = []
    for event in events:
        if event.writes:
            parts.append(event.added)
        is_instruction = event.kind is EventKind.EDIT and event.diffed  # asked for; the difference shows what was done
        if event.succeeded and not is_instruction:
            parts.append(event.command[:_COMMAND])
        is_applied = event.succeeded or event.kind is not EventKind.EDIT
        if event.kind in (EventKind.READ, EventKind.EDIT, EventKind.RUN) and is_applied and not event.is_missing:
            seen = event.observation
            parts.append(seen if len(seen) <= 2 * _SEEN else f"{seen[:_SEEN]}\n{seen[-_SEEN:]}")
    return "\n".join(parts).lower()
