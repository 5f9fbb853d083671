"""Finds runs of the store by what a person typed, and the steps to branch off."""

from __future__ import annotations

from environment.errors import RunNotFoundError
from environment.journal.entries import Journal
from environment.journal.runs import run_folders
from environment.records import Branch
from environment.records.display import counted
from environment.store import Store
from flows.errors import UsageError
from foundation.text import meant


def find_run(store: Store, typed: str) -> str:
    """The id of the one run that is called so, or begins so.

    Raises:
        RunNotFoundError: None does.
        UsageError: Several do.
    """
    runs = run_folders(store)
    if typed in runs:
        return typed
    found = [run_id for run_id in runs if run_id.startswith(typed)]
    if not found:
        hint = f"{meant(typed, runs)}mlab show lists the runs of the store."
        raise RunNotFoundError(f"No run is called {typed!r}.", hint=hint)
    if len(found) > 1:
        raise UsageError(f"{typed!r} could be any of {len(found)} runs.", hint="\n".join(found[:10]))
    return found[0]


def check_branch(store: Store, branch: Branch) -> None:
    """Make sure that the step to branch off is there, before anything of the new run is written.

    Raises:
        UsageError: It is not.
    """
    origin = Journal(store, branch.run_id)
    if origin.checkpoint(branch.step) is None:
        raise UsageError(
            f"Run {branch.run_id} has no step {branch.step} to branch off.",
            hint=f"It has {counted(len(origin.steps()), 'committed step')}, numbered from 0.",
        )
