"""What the store keeps of a sweep: its file, and which runs it counts as its own, whoever made them."""

from __future__ import annotations

from collections.abc import Iterator

from environment.errors import CorruptObjectError, NotInStoreError
from environment.store import SWEEPS, Store
from flows.sweep.spec import SweepSpec
from foundation.records import Record

_ENDING = ".json"


class SweepRecord(Record):
    """One sweep: the rest is in its runs."""

    spec: SweepSpec
    runs: tuple[str, ...]


def kept_sweeps(store: Store) -> Iterator[SweepRecord]:
    """All sweeps that the store knows and that can be read."""
    for name in store.children(SWEEPS):
        if not name.endswith(_ENDING):
            continue
        try:
            yield store.get_record(f"{SWEEPS}{name}", SweepRecord)
        except (NotInStoreError, CorruptObjectError):
            continue
