"""``mlab rm``."""

from __future__ import annotations

import sys

import typer

from environment.journal.removal import remove
from environment.journal.runs import is_under_way
from environment.records.display import counted
from environment.store import Store
from flows.cli.commands.choice import Choice
from flows.consoles import plain_console
from flows.errors import UsageError
from flows.settings import Settings

_LISTED = 20


def remove_runs(choice: Choice, *, sure: bool) -> None:
    """Remove runs for good, after a yes.

    Raises:
        UsageError: None is named, one is under way, or nobody is there to say yes.
    """
    if choice.of_all:
        raise UsageError("Which runs?", hint="Name them, or give --sweep, --task or --agent.")
    store, console = Store(Settings().store_url), plain_console()
    chosen = choice.ids(store, made_by_it=True)
    busy = [run_id for run_id in chosen if is_under_way(store, run_id)]
    if busy:
        raise UsageError(f"Under way: {', '.join(busy)}.", hint="Stop them first; nothing was removed.")
    for run_id in chosen[:_LISTED]:
        console.print(run_id, soft_wrap=True)
    if len(chosen) > _LISTED:
        console.print(f"and {len(chosen) - _LISTED:,} more")
    if not sure:
        _ask(f"Remove {counted(len(chosen), 'run')} from the store for good?")
    removed = remove(store, chosen)
    console.print(f"Removed {counted(len(removed.runs), 'run')} and {counted(removed.objects, 'file')} of theirs.")
    if removed.kept_for:
        console.print(f"Files stay while runs are under way ({', '.join(removed.kept_for)}).")


def _ask(question: str) -> None:
    try:
        typer.confirm(question, abort=True)
    except typer.Abort:
        if sys.stdin.isatty():
            raise
        raise UsageError("Nobody said yes; nothing was removed.", hint="--yes removes without asking.") from None
