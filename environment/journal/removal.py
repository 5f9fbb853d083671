"""Removes runs from a store, and of what they share with others only what nobody needs any more."""

from __future__ import annotations

from collections.abc import Collection

from environment.journal.damage import RunCheck
from environment.journal.entries import Journal
from environment.journal.runs import is_under_way, run_folders
from environment.store import RunKeys, Store, object_key
from foundation.records import Record


class Removed(Record):
    """What was removed.

    Attributes:
        runs: Their ids.
        objects: Contents that no other run names.
        kept_for: Runs under way: while there are any, no content is removed, since they may be about to name it.
    """

    runs: tuple[str, ...]
    objects: int
    kept_for: tuple[str, ...]


def remove(store: Store, run_ids: Collection[str]) -> Removed:
    """Remove runs that nobody holds; a run is gone with its config, before anything else of it.

    Raises:
        RunNotFoundError: One is not there.
    """
    look = RunCheck(store, set())
    others = [run_id for run_id in run_folders(store) if run_id not in run_ids]
    under_way = tuple(run_id for run_id in others if is_under_way(store, run_id))
    spare: set[str] = set()
    if not under_way:
        spare = {digest for run_id in run_ids for digest in look.objects_of(Journal(store, run_id))}
        for run_id in others:
            spare -= look.objects_of(Journal(store, run_id))
    for run_id in run_ids:
        keys = RunKeys(run_id=run_id)
        store.delete(keys.config)
        store.delete(keys.prefix)
    for digest in spare:
        store.delete(object_key(digest))
    return Removed(runs=tuple(run_ids), objects=len(spare), kept_for=under_way)
