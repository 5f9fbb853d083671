"""Which events' code has run well since it was written, found once for all places of a run."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Sequence

from evaluation.record.events import Event
from evaluation.record.kinds import EventKind


class Proven:
    """Asked at a place in a run: no script counts whose every run before it failed.

    Args:
        events: All events of the run, in order.
        measured: The ids of those that measured something.
    """

    def __init__(self, events: Sequence[Event], measured: Collection[str]) -> None:
        self._ran_well = 0
        """What is no edit and went well, one bit each."""
        self._edits: defaultdict[str, int] = defaultdict(int)
        """The edits of each file, one bit each."""
        self._runs: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        """Where each file was run, "" for all files, with the place of the last run until then that went well."""
        for n, event in enumerate(events):
            worked = event.succeeded or event.id in measured
            if event.kind is EventKind.EDIT:
                self._edits[event.files[0] if event.files else ""] |= 1 << n
            elif worked:
                self._ran_well |= 1 << n
            if event.kind in (EventKind.RUN, EventKind.SCORE):
                for name in ("", *event.files):
                    runs = self._runs[name]
                    runs.append((n, n if worked else runs[-1][1] if runs else -1))

    def before(self, place: int) -> int:
        """The events before a place whose code is proven there, one bit each."""
        proven = self._ran_well & _first(place)
        for name, edits in self._edits.items():
            proven |= edits & _first(self._last(name, place))
        return proven

    def _last(self, name: str, place: int) -> int:
        """The last run of a file before a place that went well, of all files where it was not run; 0 without one."""
        for each in (name, ""):
            runs = self._runs.get(each, ())
            count = bisect_left(runs, (place, -1))
            if count:
                return max(0, runs[count - 1][1])
        return 0


def _first(count: int) -> int:
    return (1 << count) - 1
