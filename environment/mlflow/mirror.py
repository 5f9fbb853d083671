"""Keeps MLflow up with a run while it goes on, without ever holding it up.

The journal is the truth and MLflow a view of it: what could not be shown now is shown later, from the store.
"""

from __future__ import annotations

import logging
import math
import queue
import threading
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from environment.errors import RunNotFoundError, StoreError
from environment.mlflow.database import (
    NOTHING_ANSWERS,
    database_path,
    explained,
    is_of_this_version,
    open_client,
    refuses,
)
from environment.records import TrainingRun
from environment.store import WAITING, Store, waiting_key

if TYPE_CHECKING:
    from environment.mlflow.view import MlflowView

_LOG = logging.getLogger(__name__)

_WAITS = (0.5, 2.0, 8.0)
"""Seconds before each further try."""

_CATCH_UP = 10
"""Runs shown at once after their time: the end of a run is not to take minutes."""

_PAUSE = 1.0
"""Seconds in which training runs gather before they are shown together.

A step that ends has work of its own, which MLflow's, in the same process, would hold up; a second later the
next script runs, or the agent thinks.
"""


class MlflowMirror:
    """Shows one benchmark run in MLflow from a thread of its own.

    Nothing is imported or connected to before the first training run.

    Args:
        uri: MLflow store or server.
        artifact_root: Where artifacts go, unless a server decides it.
        store: The store the run lies in.
        run_id: The benchmark run.
        tags: Further tags of the benchmark run in MLflow.
        patience: Seconds ``close`` waits for what is under way.

    Attributes:
        why: Why MLflow does not have everything, where ``close`` says so.
    """

    def __init__(
        self,
        uri: str,
        artifact_root: Path,
        store: Store,
        run_id: str,
        *,
        tags: Mapping[str, str] | None = None,
        patience: float = 60.0,
    ) -> None:
        self.uri = uri
        self._open = partial(_open, uri, artifact_root, store, run_id, tags, datetime.now(UTC))
        self._artifact_root = artifact_root
        self._store = store
        self._run_id = run_id
        self._patience = patience
        self._recorded: queue.SimpleQueue[TrainingRun | None] = queue.SimpleQueue()
        self._closing = threading.Event()
        self._complete = False
        self.why = "it is slow or gone"
        self._view: MlflowView | None = None
        self._thread: threading.Thread | None = None

    @property
    def shown_as(self) -> str | None:
        """The run's page in MLflow's interface, once it is shown."""
        return self._view.page if self._view else None

    def record(self, run: TrainingRun) -> None:
        """Show a training run, soon."""
        self._submit(run)

    def close(self, at_most: float = math.inf) -> bool:
        """Show all that the store has of the run, and stop.

        Args:
            at_most: Seconds to wait where that is less than ``patience``.

        Returns:
            Whether MLflow has everything. Where it is slow this returns after ``patience`` seconds, where
            nothing listens at once, with a warning; the next run that MLflow shows whole completes it.
        """
        self._closing.set()
        self._submit(None)
        if self._thread is not None:
            self._thread.join(min(self._patience, at_most))
        if self._complete:
            self._catch_up()
        else:
            with suppress(StoreError):
                self._store.put(waiting_key(self._run_id), b"waits to be shown in MLflow")
            _LOG.warning(
                "MLflow at %s does not show all of run %s yet: %s; the run itself is safe in the store.",
                self.uri,
                self._run_id,
                self.why,
            )
        return self._complete

    def _catch_up(self) -> None:
        """Show some of the runs that MLflow was not there for, this one's earlier try among them."""
        with suppress(StoreError):
            waiting = self._store.children(WAITING)[:_CATCH_UP]
            failed = sync_runs(self.uri, self._artifact_root, self._store, set(waiting) - {self._run_id})
            for run_id in set(waiting) - set(failed):
                self._store.delete(waiting_key(run_id))

    def _submit(self, run: TrainingRun | None) -> None:
        self._recorded.put(run)
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name=f"mlflow {self._run_id}", daemon=True)
            self._thread.start()

    def _run(self) -> None:
        try:
            self._follow()
        except Exception as error:  # noqa: BLE001 - half-loaded libraries raise anything, and a run goes on without
            # So it is where the run was stopped while its own thread imported what MLflow needs as well.
            _LOG.debug("MLflow", exc_info=True)
            self.why = f"its library failed ({type(error).__name__}), or its loading was interrupted"

    def _follow(self) -> None:
        last = False
        while not last:
            runs, last = self._gathered()
            for wait in (*_WAITS, None):
                # Nobody is kept waiting for what is not there.
                if last and refuses(self.uri):
                    self.why = NOTHING_ANSWERS
                    break
                if self._show(None if last else runs):
                    break
                # What is given up here is shown in the end, when everything is.
                if wait is None or (self._closing.is_set() and not last):
                    break
                time.sleep(wait)

    def _show(self, runs: list[TrainingRun] | None) -> bool:
        """Show these training runs, or everything that the store has; whether that succeeded."""
        try:
            self._view = self._view or self._open()
            if runs is None:
                self._view.complete()
                self._complete = True
            else:
                self._view.training_runs(runs)
        except _failures() as error:
            _LOG.debug("MLflow: %s", error)
            self._view = None
            self.why = explained(self.uri, error)
            return False
        return True

    def _gathered(self) -> tuple[list[TrainingRun], bool]:
        """The next training runs, and whether the benchmark run is over."""
        found = [self._recorded.get()]
        self._closing.wait(_PAUSE)
        with suppress(queue.Empty):
            while True:
                found.append(self._recorded.get_nowait())
        runs = [run for run in found if run is not None]
        return runs, len(runs) < len(found)


def sync_run(uri: str, artifact_root: Path, store: Store, run_id: str) -> None:
    """Show all that the store has of a run, now; what MLflow has already is left as it is.

    Raises:
        RunNotFoundError: No such run.
        mlflow.exceptions.MlflowException, OSError: MLflow cannot be reached or written.
    """
    _open(uri, artifact_root, store, run_id).complete()


def sync_runs(uri: str, artifact_root: Path, store: Store, run_ids: Iterable[str]) -> list[str]:
    """Show many runs; the ids of those that could not be shown, each with a warning."""
    failed = []
    for run_id in run_ids:
        try:
            sync_run(uri, artifact_root, store, run_id)
        except RunNotFoundError:
            _LOG.debug("there is no run %s: it was removed, or never came to begin", run_id)
        except _failures() as error:
            _LOG.warning("Run %s is not shown in MLflow at %s: %s", run_id, uri, explained(uri, error))
            failed.append(run_id)
    return failed


def trouble(uri: str, patience: float = 20.0) -> str | None:
    """Why runs cannot be shown there now, or ``None``; a database that no run has made yet is no trouble.

    Args:
        uri: MLflow store or server.
        patience: Seconds to wait for an answer.
    """
    path = database_path(uri)
    if path is not None and (not path.exists() or is_of_this_version(path)):
        return None
    said = [f"does not answer within {patience:.0f} s"]

    def ask() -> None:
        try:
            open_client(uri).search_experiments(max_results=1)
            said.clear()
        except _failures() as error:
            said[:] = [explained(uri, error)]

    thread = threading.Thread(target=ask, name="mlflow trouble", daemon=True)
    thread.start()
    thread.join(patience)
    return said[0] if said else None


def _open(
    uri: str,
    artifact_root: Path,
    store: Store,
    run_id: str,
    tags: Mapping[str, str] | None = None,
    began: datetime | None = None,
) -> MlflowView:
    from environment.mlflow.view import MlflowView

    return MlflowView(uri, artifact_root, store, run_id, tags, began)


def _failures() -> tuple[type[Exception], ...]:
    """What MLflow raises where it is slow, broken, gone or never was, and a store that cannot be read just now."""
    import sqlite3

    from mlflow.exceptions import MlflowException
    from sqlalchemy.exc import SQLAlchemyError

    from foundation.errors import MlabError

    return (MlflowException, SQLAlchemyError, sqlite3.Error, OSError, ImportError, ValueError, MlabError)
