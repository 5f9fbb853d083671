"""Which runs of the store a command is about."""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple

from environment.journal.entries import Journal
from environment.journal.runs import RunSummary, summaries
from environment.records import agent_name, task_name
from environment.store import Store
from flows.errors import UsageError
from flows.names import SWEEP_TAG
from flows.run.finding import find_run
from flows.sweep.kept import kept_sweeps
from foundation.text import known_names


class Choice(NamedTuple):
    """Runs by their ids, or by what they have in common; neither means all."""

    runs: tuple[str, ...]
    sweep: str | None = None
    task: str | None = None
    agent: str | None = None
    since: datetime | None = None

    @property
    def of_all(self) -> bool:
        """Whether nothing was said."""
        return not any(self)

    @property
    def folder(self) -> str:
        """A folder's name that says what was chosen, so that a report of some runs is not put in place of all runs'."""
        said = [f"{name}-{value}" for name, value in zip(self._fields[1:], self[1:], strict=True) if value]
        return re.sub(r"[^\w.-]+", "-", "-".join(said)) or ("all" if self.of_all else "some")

    def ids(self, store: Store, *, made_by_it: bool = False) -> list[str]:
        """The ids of the chosen runs, in the order of their names or as given.

        Args:
            store: Where they are.
            made_by_it: Of a sweep only what it made itself, without what it found done by another: that is not its
                to remove.

        Raises:
            UsageError: A run that is named is not there, or none fits.
        """
        named = [find_run(store, run) for run in self.runs]
        if not any(self[1:]):
            return named or [run.run_id for run in summaries(store)]
        counted = frozenset() if made_by_it else self._counted(store)
        found = [run.run_id for run in summaries(store) if self._fits(run, store, counted)]
        chosen = [run_id for run_id in found if run_id in named] if named else found
        if not chosen:
            raise UsageError("No run of the store fits all that was asked for.", hint=self._hint(store))
        return chosen

    def _hint(self, store: Store) -> str:
        tags = [tag for run in summaries(store) if run.config is not None for tag in run.config.tags]
        sweeps = {tag.removeprefix(SWEEP_TAG) for tag in tags if tag.startswith(SWEEP_TAG)}
        sweeps.update(sweep.spec.name for sweep in kept_sweeps(store))
        if self.sweep is not None and self.sweep not in sweeps:
            return known_names(self.sweep, sorted(sweeps), intro="Sweeps") if sweeps else "No run is of a sweep."
        return "mlab show lists the runs."

    def _counted(self, store: Store) -> frozenset[str]:
        """What the sweep counts as its own, also where another had made it before."""
        return frozenset(
            run_id for sweep in kept_sweeps(store) if sweep.spec.name == self.sweep for run_id in sweep.runs
        )

    def _fits(self, run: RunSummary, store: Store, counted: Collection[str]) -> bool:
        config = run.config
        if config is None:
            return False
        wanted = (
            (self.sweep, run.run_id in counted or f"{SWEEP_TAG}{self.sweep}" in config.tags),
            (self.task, task_name(config) == self.task),
            (self.agent, self.agent in (config.agent, agent_name(config))),
        )
        return all(fits for asked, fits in wanted if asked is not None) and self._is_recent(run, store)

    def _is_recent(self, run: RunSummary, store: Store) -> bool:
        if self.since is None:
            return True
        first = Journal(store, run.run_id).decided(0)
        return first is not None and first.started >= self.since.astimezone()
