"""Finds runs of the store by what a person typed."""

from __future__ import annotations

from environment.errors import RunNotFoundError
from environment.runs import list_runs
from environment.store import Store
from flows.errors import UsageError


def find_run(store: Store, typed: str) -> str:
    """The id of the one run that is called so, or begins so.

    Raises:
        RunNotFoundError: None does.
        UsageError: Several do.
    """
    runs = list_runs(store)
    if typed in runs:
        return typed
    found = [run_id for run_id in runs if run_id.startswith(typed)]
    if not found:
        raise RunNotFoundError(f"No run is called {typed!r}.", hint="mlab show lists the runs of the store.")
    if len(found) > 1:
        raise UsageError(f"{typed!r} could be any of {len(found)} runs.", hint="\n".join(found[:10]))
    return found[0]
