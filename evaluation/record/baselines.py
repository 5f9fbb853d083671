"""Which runs measured the baseline: scripts that nobody had changed."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

from evaluation.record.events import Event
from evaluation.record.kinds import EventKind

_SCORER = re.compile(r"eval|score|valid|check|test", re.IGNORECASE)
"""A script that measures what other files hold; that it is unchanged says nothing."""


def of_unchanged(events: Iterable[Event], measured: Collection[str]) -> Iterator[Event]:
    """The events, among those of some ids, that measured before any edit, or by a script that none had changed."""
    modified: set[str] = set()
    ran: set[str] = set()
    edited = False
    for event in events:
        if event.rewrites:
            modified.update(event.files)
            edited = True
        if event.id not in measured:
            continue
        named = any("baseline" in name.lower() for name in event.files)
        name = event.files[0] if event.files and event.kind is EventKind.RUN else ""
        untouched = bool(name) and name not in ran and not modified.intersection(event.files)
        untouched = untouched and not _SCORER.search(name)
        ran.add(name)
        if not edited or untouched or (named and not modified.intersection(event.files)):
            yield event
