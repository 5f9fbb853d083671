"""What is known of a run's code: what was written, shown and printed."""

from __future__ import annotations

from collections.abc import Iterable

from evaluation.record.events import Event


def code_of(events: Iterable[Event]) -> str:
    """Code, commands and outputs in lower case, event by event."""
    return "\n".join(event.code for event in events if event.code)
