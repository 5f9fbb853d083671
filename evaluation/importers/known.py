"""Logs that a store holds already under another path."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property

from environment.journal.runs import summaries
from environment.records import UNKNOWN
from environment.records.config import IMPORTED
from environment.store import RunKeys, Store
from evaluation.importers.records import run_id_of
from evaluation.record.log import RunLog

_Figures = tuple[str, str, str | None, int, float, float | None]


class KnownLogs:
    """The logs that were imported into a store, by what they hold.

    Args:
        store: The store; its runs are read when the first new log is asked about.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def as_known(self, log: RunLog) -> RunLog:
        """The log under the name by which the store holds the same content; a new one under its own."""
        if not log.steps or self._store.exists(RunKeys(run_id=run_id_of(log)).config):
            return log
        names = self._by_figures[_figures(log)]
        for run_id, source in names.items():
            twin = log.model_copy(update={"source": source})
            if run_id_of(twin) == run_id:
                return twin
        names[run_id_of(log)] = log.source
        return log

    @cached_property
    def _by_figures(self) -> defaultdict[_Figures, dict[str, str]]:
        """What the logs of each run are called, by figures that equal logs have in common."""
        found: defaultdict[_Figures, dict[str, str]] = defaultdict(dict)
        for run in summaries(self._store):
            config, result = run.config, run.result
            if config is not None and result is not None and config.tags[:1] == (IMPORTED,) and len(config.tags) > 1:
                figures = (result.task, result.agent, result.model, result.tokens, result.seconds, result.cost)
                found[figures][run.run_id] = config.tags[1]
        return found


def _figures(log: RunLog) -> _Figures:
    return (log.task or UNKNOWN, log.agent or UNKNOWN, log.model, log.tokens or 0, log.seconds or 0.0, log.cost)
