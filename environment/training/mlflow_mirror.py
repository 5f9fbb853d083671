"""Keeps MLflow up with a run while it goes on, without ever holding it up.

The journal is the truth and MLflow a view of it: what could not be shown now is shown later, from the store.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from environment.records import TrainingRun
from environment.store import Store

if TYPE_CHECKING:
    from environment.training.mlflow_view import MlflowView

_LOG = logging.getLogger(__name__)

_WAITS = (0.5, 2.0, 8.0)
"""Seconds before each further try."""


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
        self._uri = uri
        self._open: Callable[[], MlflowView] = partial(_open, uri, artifact_root, store, run_id, tags)
        self._run_id = run_id
        self._patience = patience
        self._work: queue.SimpleQueue[Callable[[MlflowView], None] | None] = queue.SimpleQueue()
        self._closing = threading.Event()
        self._complete = False
        self._thread: threading.Thread | None = None

    def record(self, run: TrainingRun) -> None:
        """Show a training run, soon."""
        self._submit(lambda view: view.training_run(run))

    def close(self) -> bool:
        """Show all that the store has of the run, and stop.

        Returns:
            Whether MLflow has everything. Where it is slow or gone, this returns after ``patience``
            seconds, with a warning; ``sync_run`` completes the run later.
        """
        self._submit(lambda view: view.complete())
        self._work.put(None)
        self._closing.set()
        if self._thread is not None:
            self._thread.join(self._patience)
        if not self._complete:
            _LOG.warning(
                "MLflow at %s does not show all of run %s yet; the run itself is safe in the store.",
                self._uri,
                self._run_id,
            )
        return self._complete

    def _submit(self, work: Callable[[MlflowView], None]) -> None:
        self._work.put(work)
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name=f"mlflow {self._run_id}", daemon=True)
            self._thread.start()

    def _run(self) -> None:
        view: MlflowView | None = None
        while (work := self._work.get()) is not None:
            self._complete = False
            for wait in (*_WAITS, None):
                try:
                    view = view or self._open()
                    work(view)
                except _failures() as error:
                    _LOG.debug("MLflow: %s", error)
                    view = None
                else:
                    self._complete = True
                    break
                # What is given up here is shown by the last piece of work, which shows everything.
                if wait is None or (self._closing.is_set() and not self._work.empty()):
                    break
                time.sleep(wait)


def sync_run(uri: str, artifact_root: Path, store: Store, run_id: str) -> None:
    """Show all that the store has of a run, now; what MLflow has already is left as it is.

    Raises:
        RunNotFoundError: No such run.
        mlflow.exceptions.MlflowException, OSError: MLflow cannot be reached or written.
    """
    _open(uri, artifact_root, store, run_id, None).complete()


def sync_runs(uri: str, artifact_root: Path, store: Store, run_ids: Iterable[str]) -> list[str]:
    """Show many runs; the ids of those that could not be shown, each with a warning."""
    failed = []
    for run_id in run_ids:
        try:
            sync_run(uri, artifact_root, store, run_id)
        except _failures() as error:
            _LOG.warning("Run %s is not shown in MLflow: %s", run_id, error)
            failed.append(run_id)
    return failed


def _open(uri: str, artifact_root: Path, store: Store, run_id: str, tags: Mapping[str, str] | None) -> MlflowView:
    from environment.training.mlflow_view import MlflowView

    return MlflowView(uri, artifact_root, store, run_id, tags)


def _failures() -> tuple[type[Exception], ...]:
    """What a slow, broken or absent MLflow raises, and a store that cannot be read just now."""
    import sqlite3

    from mlflow.exceptions import MlflowException
    from sqlalchemy.exc import SQLAlchemyError

    from tasks_catalog.errors import MlabError

    return (MlflowException, SQLAlchemyError, sqlite3.Error, OSError, MlabError)
