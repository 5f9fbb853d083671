"""Writes benchmark and training runs into MLflow; each write can be repeated and duplicates nothing."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from environment.config import RunConfig, RunLock
from environment.errors import NotInStoreError
from environment.journal import Journal
from environment.layout import RunKeys
from environment.names import run_name, task_name
from environment.records import KilledBy, RunResult, RunStatus, Step, TrainingRun
from environment.store import Store
from environment.tables import read_grades, read_tables
from environment.training.mlflow_database import is_server, open_client
from environment.training.mlflow_metrics import curve_of_grades, curves, figures_of, milliseconds, points_of_the_run
from environment.training.mlflow_names import (
    COMPLETE_TAG,
    RUN_TAG,
    TRAINING_TAG,
    flat,
    metric_key,
    model_name,
    params_of,
    tags_of,
    training_name,
)
from environment.training.mlflow_traces import StepTraces

if TYPE_CHECKING:
    from mlflow.entities import Metric, Run

_Item = TypeVar("_Item")

_BATCH = 1_000
_TABLES = ("trajectory", "evidence", "claims", "grades")
_DIGEST = 36  # MLflow's limit


class MlflowView:
    """One benchmark run as MLflow shows it.

    Args:
        uri: Store or server.
        artifact_root: Where artifacts go, unless a server decides it.
        store: Our store, which all is read from.
        run_id: The benchmark run.
        tags: Further tags of the benchmark run, such as the ids of its Prefect flow run.
    """

    def __init__(
        self, uri: str, artifact_root: Path, store: Store, run_id: str, tags: Mapping[str, str] | None = None
    ) -> None:
        self._client = open_client(uri)
        self._uri = uri
        self._artifact_root = None if is_server(uri) else artifact_root.absolute().as_uri()
        self._store = store
        self._run_id = run_id
        self._tags = dict(tags or {})
        self._journal = Journal(store, run_id)
        self._config = self._journal.config()
        self._experiment = self._find_experiment(task_name(self._config))
        self._parent = self._find_parent()

    def training_run(self, run: TrainingRun) -> None:
        """Show a training run below the benchmark run, and its last values as a point of the run's own curves."""
        known = self._children().get(self._key(run))
        if known is None or COMPLETE_TAG not in known.data.tags:
            self._write_training_run(run, known)

    def complete(self) -> None:
        """Show all that the store has of the run, whatever was shown before."""
        journal = Journal(self._store, self._run_id)
        children = self._children()
        steps = journal.steps()
        for step in steps:
            run = step.effect.training_run
            if run is not None:
                known = children.get(self._key(run))
                if known is None or COMPLETE_TAG not in known.data.tags:
                    self._write_training_run(run, known)
        result = journal.result()
        if result is None:
            self._client.set_terminated(self._parent, "KILLED", _end_of(steps))
        else:
            self._write_result(result, steps, journal.lock())

    def _key(self, run: TrainingRun) -> str:
        # Not its own id: a branch shows the steps it took over as its own.
        return f"{self._run_id}.{run.step}"

    def _find_experiment(self, name: str) -> str:
        from mlflow.exceptions import MlflowException

        location = f"{self._artifact_root}/{metric_key(name)}" if self._artifact_root else None
        experiment = self._client.get_experiment_by_name(name)
        if experiment is None:
            try:
                return str(self._client.create_experiment(name, artifact_location=location))
            except MlflowException:
                experiment = self._client.get_experiment_by_name(name)
                if experiment is None:  # not that another process was faster
                    raise
        if experiment.lifecycle_stage == "deleted":
            self._client.restore_experiment(experiment.experiment_id)
        return str(experiment.experiment_id)

    def _find_parent(self) -> str:
        known = self._search(RUN_TAG, self._run_id)
        if known:
            if COMPLETE_TAG not in known[0].data.tags:
                self._client.update_run(known[0].info.run_id, status="RUNNING")
            return str(known[0].info.run_id)
        config = self._config
        decided = self._journal.decided(0)
        run = self._client.create_run(
            self._experiment,
            start_time=milliseconds(decided.started) if decided else None,
            run_name=run_name(config),
            tags=tags_of({RUN_TAG: self._run_id, **_tags_of(config), **self._tags}),
        )
        self._write_conditions(run.info.run_id, config, self._journal.lock())
        return str(run.info.run_id)

    def _write_conditions(self, run: str, config: RunConfig, lock: RunLock | None) -> None:
        """Parameters; as inputs, the agent with its model, and the data by its digest."""
        from mlflow.entities import Dataset, DatasetInput, InputTag, LoggedModelInput, Param

        values = (
            {**flat(config), **{f"lock.{name}": value for name, value in flat(lock).items()}} if lock else flat(config)
        )
        for batch in _batches(list(params_of(values).items()), 100):
            self._client.log_batch(run, params=[Param(name, value) for name, value in batch])
        self._client.log_inputs(run, models=[LoggedModelInput(self._find_agent(config))])
        if lock is not None:
            name = f"{task_name(config)} ({config.variant.value})"
            data = Dataset(name, lock.data_digest[:_DIGEST], "local", f'{{"uri": "mlab://{task_name(config)}"}}')
            self._client.log_inputs(run, datasets=[DatasetInput(data, [InputTag("mlflow.data.context", "training")])])

    def _find_agent(self, config: RunConfig) -> str:
        """The id of the agent, with its model, as a logged model that its runs in the experiment share."""
        name = model_name(config)
        oldest_first = [{"field_name": "creation_timestamp", "ascending": True}]
        known = self._client.search_logged_models([self._experiment], f"name = '{name}'", order_by=oldest_first)
        if known:
            return str(known[0].model_id)
        tags = tags_of({"mlab.agent": config.agent, "mlab.model": config.model})
        model = self._client.create_logged_model(self._experiment, name=name, tags=tags, model_type="agent")
        self._client.finalize_logged_model(model.model_id, "READY")
        return str(model.model_id)

    def _children(self) -> dict[str, Run]:
        return {run.data.tags[TRAINING_TAG]: run for run in self._search("mlflow.parentRunId", self._parent)}

    def _search(self, tag: str, value: str) -> list[Run]:
        found: list[Run] = []
        token = None
        while True:
            page = self._client.search_runs(
                [self._experiment], f"tags.`{tag}` = '{value}'", max_results=1_000, page_token=token
            )
            found += page
            token = page.token
            if not token:
                return found

    def _write_training_run(self, run: TrainingRun, known: Run | None) -> None:
        from mlflow.entities import Param

        child = known or self._client.create_run(
            self._experiment,
            start_time=milliseconds(run.started),
            run_name=training_name(run),
            tags=tags_of(self._training_tags(run)),
        )
        child_id = child.info.run_id
        for batch in _batches(list(params_of(run.params).items()), 100):
            self._client.log_batch(child_id, params=[Param(name, value) for name, value in batch])
        self._log_metrics(child_id, curves(run))
        self._log_metrics(self._parent, points_of_the_run(run))
        self._log_files(child_id, run)
        self._client.set_tag(child_id, COMPLETE_TAG, "true")
        self._client.set_terminated(child_id, _status(run), milliseconds(run.started) + round(run.seconds * 1_000))

    def _training_tags(self, run: TrainingRun) -> dict[str, object]:
        return {
            TRAINING_TAG: self._key(run),
            "mlflow.parentRunId": self._parent,
            "mlflow.source.name": run.script,
            **_tags_of(self._config),
            "mlab.step": run.step,
            "mlab.script": run.script,
            "mlab.script_sha256": run.script_sha256,
            "mlab.exit_code": run.exit_code,
            "mlab.killed_by": run.killed_by.value if run.killed_by else None,
            "mlab.metrics_dropped": run.metrics_dropped or None,
        }

    def _log_metrics(self, run: str, metrics: Sequence[Metric]) -> None:
        for batch in _batches(metrics, _BATCH):
            self._client.log_batch(run, metrics=batch)

    def _log_files(self, child: str, run: TrainingRun) -> None:
        with tempfile.TemporaryDirectory(prefix="mlab-") as name:
            folder = Path(name)
            (folder / "changes.diff").write_text(run.diff, encoding="utf-8", errors="replace")
            self._fetch(run.output, folder / "output.txt")
            for path, digest in run.artifacts.items():
                self._fetch(digest, folder / "artifacts" / path)
            self._client.log_artifacts(child, name)

    def _fetch(self, digest: str, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._store.fetch_object(digest, path)

    def _write_result(self, result: RunResult, steps: Sequence[Step], lock: RunLock | None) -> None:
        if lock is not None:
            self._write_conditions(self._parent, self._config, lock)
        end = _end_of(steps)
        self._log_metrics(self._parent, figures_of(result, end or 0))
        self._log_metrics(self._parent, curve_of_grades(read_grades(self._store, self._run_id), end or 0))
        self._log_tables()
        StepTraces(self._uri, self._experiment, self._parent, self._run_id).log(
            steps, read_tables(self._store, [self._run_id], "claims"), self._journal.recorder().by_step()
        )
        self._client.set_tag(self._parent, "mlab.ended_by", result.ended_by.value if result.ended_by else "")
        self._client.set_tag(self._parent, COMPLETE_TAG, "true")
        status = "FINISHED" if result.status is RunStatus.COMPLETED else "FAILED"
        self._client.set_terminated(self._parent, status, end)

    def _log_tables(self) -> None:
        keys = RunKeys(run_id=self._run_id)
        files = {"result.json": keys.result, **{f"{name}.parquet": keys.table(name) for name in _TABLES}}
        with tempfile.TemporaryDirectory(prefix="mlab-") as name:
            for file, key in files.items():
                try:
                    Path(name, file).write_bytes(self._store.get(key))
                except NotInStoreError:
                    continue
            self._client.log_artifacts(self._parent, name)


def _tags_of(config: RunConfig) -> dict[str, object]:
    return {
        "mlab.task": task_name(config),
        "mlab.variant": config.variant.value,
        "mlab.agent": config.agent,
        "mlab.model": config.model,
        "mlab.seed": config.seed,
        "mlab.tags": ", ".join(config.tags) or None,
    }


def _status(run: TrainingRun) -> str:
    if run.killed_by in (KilledBy.TIMEOUT, KilledBy.CANCELLED):
        return "KILLED"
    return "FINISHED" if run.succeeded else "FAILED"


def _end_of(steps: Sequence[Step]) -> int | None:
    return milliseconds(steps[-1].checkpoint.committed) if steps else None


def _batches(items: Sequence[_Item], size: int) -> Iterable[Sequence[_Item]]:
    return (items[start : start + size] for start in range(0, len(items), size))
