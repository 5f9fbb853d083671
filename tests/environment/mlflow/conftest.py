"""A run and the MLflow that shows it, made once for the tests of a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from environment.journal.entries import Journal
from environment.mlflow.mirror import MlflowMirror, sync_run
from environment.store import Store
from tests.environment.training.journalled import finish_run, training_run, write_run

if TYPE_CHECKING:
    from mlflow import MlflowClient
    from mlflow.entities import Run

RUN_ID = "house-price-tuner-0-abcd"


class Shown(NamedTuple):
    """A store, and the MLflow that shows it."""

    store: Store
    uri: str
    artifacts: Path

    @property
    def client(self) -> MlflowClient:
        from mlflow import MlflowClient

        return MlflowClient(self.uri)

    def runs(self) -> list[Run]:
        experiment = self.client.get_experiment_by_name("mlab/house-price (mini)")
        assert experiment is not None
        return list(self.client.search_runs([experiment.experiment_id]))

    def parent(self, run_id: str) -> Run:
        return next(run for run in self.runs() if run.data.tags.get("mlab.run_id") == run_id)

    def children(self, parent: Run) -> dict[str, Run]:
        found = [run for run in self.runs() if run.data.tags.get("mlflow.parentRunId") == parent.info.run_id]
        return {run.info.run_name: run for run in found}

    def sync(self, run_id: str) -> None:
        sync_run(self.uri, self.artifacts, self.store, run_id)


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Shown:
    """One database for all tests of this file: making one takes seconds."""
    root = tmp_path_factory.mktemp("mlflow")
    return Shown(Store(str(root / "store")), f"sqlite:///{root}/mlflow/mlflow.db", root / "artifacts")


@pytest.fixture(scope="module")
def finished(shown: Shown) -> Journal:
    """A run shown while it went on."""
    journal = write_run(shown.store, RUN_ID, 3)
    mirror = MlflowMirror(
        shown.uri,
        shown.artifacts,
        shown.store,
        RUN_ID,
        tags={"prefect.flow_run_id": "f1", "mlab.flow_run_page": "http://prefect/runs/flow-run/f1"},
        patience=600,
    )
    mirror.record(training_run(shown.store, RUN_ID, 0))
    mirror.record(training_run(shown.store, RUN_ID, 1))
    finish_run(shown.store, journal)
    assert mirror.close()
    return journal
