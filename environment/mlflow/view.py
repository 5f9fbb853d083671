"""Writes benchmark and training runs into MLflow; each write can be repeated and duplicates nothing."""

from __future__ import annotations

import getpass
import json
import tempfile
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from environment.errors import NotInStoreError
from environment.journal.entries import Journal
from environment.journal.tables import read_grades, read_tables
from environment.mlflow.changes import TABLE, Change, changes_of, markdown, table
from environment.mlflow.database import is_server, open_client, search_runs
from environment.mlflow.metrics import curve_of_grades, figures_of, milliseconds
from environment.mlflow.names import (
    COMPLETE_TAG,
    FLOW_PAGE_TAG,
    NOTE_TAG,
    RUN_TAG,
    benchmark_name,
    experiment_name,
    experiment_tags,
    flat,
    folder_name,
    is_former_note,
    model_name,
    params_of,
    tags_of,
)
from environment.mlflow.traces import StepTraces
from environment.mlflow.training import NestedRuns
from environment.records import (
    RunConfig,
    RunLock,
    RunResult,
    RunStatus,
    Step,
    TrainingRun,
    contestant_name,
    task_name,
)
from environment.records.display import number, percent
from environment.store import RunKeys, Store

if TYPE_CHECKING:
    from mlflow.entities import Run

_TABLES = ("trajectory", "evidence", "claims", "grades")
_DIGEST = 36  # MLflow's limit
_SHOWN_CHANGES = 10
_LONGEST_NOTE = 5_000
_STATUS = {RunStatus.COMPLETED: "FINISHED", RunStatus.INFRASTRUCTURE: "KILLED"}


class MlflowView:
    """One benchmark run as MLflow shows it.

    Args:
        uri: Store or server.
        artifact_root: Where artifacts go, unless a server decides it.
        store: Our store, which all is read from.
        run_id: The benchmark run.
        tags: Further tags of the benchmark run, such as the ids of its Prefect flow run.
        began: When it began, where nothing is on record of it yet.
    """

    def __init__(
        self,
        uri: str,
        artifact_root: Path,
        store: Store,
        run_id: str,
        tags: Mapping[str, str] | None = None,
        began: datetime | None = None,
    ) -> None:
        self._client = open_client(uri)
        self._uri = uri
        self._artifact_root = None if is_server(uri) else artifact_root.absolute().as_uri()
        self._store = store
        self._run_id = run_id
        self._tags = dict(tags or {})
        self._journal = Journal(store, run_id)
        self._config = self._journal.config()
        self._experiment = self._make_experiment(experiment_name(self._config))
        run = self._find_run() or self._create_run(began)
        self._experiment = str(run.info.experiment_id)
        self._flow_page = run.data.tags.get(FLOW_PAGE_TAG)
        self._parent = str(run.info.run_id)
        self._nested = NestedRuns(self._client, store, run_id, run, _tags_of(self._config))

    @property
    def page(self) -> str:
        """Its page below the address of MLflow's interface."""
        return f"experiments/{self._experiment}/runs/{self._parent}"

    def training_runs(self, runs: Sequence[TrainingRun]) -> None:
        """Show training runs below the benchmark run, and their last values as points of its own curves."""
        self._nested.show(runs)

    def complete(self) -> None:
        """Show all that the store has of the run, whatever was shown before."""
        journal = Journal(self._store, self._run_id)
        steps = journal.steps()
        self._nested.show([step.effect.training_run for step in steps if step.effect.training_run is not None])
        result = journal.result()
        if result is None:
            self._client.set_terminated(self._parent, "KILLED", _end_of(steps))
        else:
            self._write_result(result, steps, journal.lock())

    def _make_experiment(self, name: str) -> str:
        from mlflow.exceptions import MlflowException

        location = f"{self._artifact_root}/{folder_name(name)}" if self._artifact_root else None
        tags = experiment_tags(self._config)
        experiment = self._client.get_experiment_by_name(name)
        if experiment is None:
            try:
                return str(self._client.create_experiment(name, location, tags))
            except MlflowException:
                experiment = self._client.get_experiment_by_name(name)
                if experiment is None:  # not that another process was faster
                    raise
        if experiment.lifecycle_stage == "deleted":
            self._client.restore_experiment(experiment.experiment_id)
        if is_former_note(experiment.tags.get(NOTE_TAG, ""), tags[NOTE_TAG]):
            self._client.set_experiment_tag(experiment.experiment_id, NOTE_TAG, tags[NOTE_TAG])
        return str(experiment.experiment_id)

    def _find_run(self) -> Run | None:
        """The run, where MLflow has it: in its experiment, or in the one that was once named by the task alone."""
        former = self._client.get_experiment_by_name(task_name(self._config))
        for experiment in (self._experiment, *([str(former.experiment_id)] if former else [])):
            known = next(iter(search_runs(self._client, experiment, RUN_TAG, self._run_id)), None)
            if known is not None:
                if COMPLETE_TAG not in known.data.tags:
                    self._client.update_run(known.info.run_id, status="RUNNING")
                return known
        return None

    def _create_run(self, began: datetime | None) -> Run:
        config = self._config
        decided = self._journal.decided(0)
        started = decided.started if decided else began
        run = self._client.create_run(
            self._experiment,
            start_time=milliseconds(started) if started else None,
            run_name=benchmark_name(config),
            tags=tags_of(
                {
                    RUN_TAG: self._run_id,
                    **_tags_of(config),
                    **self._tags,
                    NOTE_TAG: _note(config, self._tags.get(FLOW_PAGE_TAG)),
                }
            ),
        )
        self._write_conditions(run.info.run_id, config, self._journal.lock())
        return run

    def _write_conditions(self, run: str, config: RunConfig, lock: RunLock | None) -> None:
        """Parameters; as inputs, the agent with its model, and the data by its digest."""
        from mlflow.entities import Dataset, DatasetInput, InputTag, LoggedModelInput, Param

        values = (
            {**flat(config), **{f"lock.{name}": value for name, value in flat(lock).items()}} if lock else flat(config)
        )
        self._client.log_batch(run, params=[Param(name, value) for name, value in params_of(values).items()])
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

    def _write_result(self, result: RunResult, steps: Sequence[Step], lock: RunLock | None) -> None:
        if lock is not None:
            self._write_conditions(self._parent, self._config, lock)
        end = _end_of(steps)
        ran = [step.effect.training_run for step in steps if step.effect.training_run is not None]
        changes = changes_of(ran, result.metric, result.direction)
        grades = read_grades(self._store, self._run_id)
        metrics = [*figures_of(result, end or 0), *curve_of_grades(grades, end or 0)]
        self._client.log_batch(self._parent, metrics=metrics)
        self._log_tables(table(changes))
        self._client.set_tag(self._parent, "mlflow.loggedArtifacts", json.dumps([{"path": TABLE, "type": "table"}]))
        self._client.set_tag(self._parent, NOTE_TAG, _note(self._config, self._flow_page, result, changes))
        StepTraces(self._uri, self._experiment, self._parent, self._run_id).log(
            steps, read_tables(self._store, [self._run_id], "claims"), self._journal.recorder().by_step()
        )
        self._client.set_tag(self._parent, "mlab.ended_by", result.ended_by.value if result.ended_by else "")
        self._client.set_tag(self._parent, COMPLETE_TAG, "true")
        status = _STATUS.get(result.status, "FAILED")
        self._client.set_terminated(self._parent, status, end)

    def _log_tables(self, changes: str) -> None:
        keys = RunKeys(run_id=self._run_id)
        files = {"result.json": keys.result, **{f"{name}.parquet": keys.table(name) for name in _TABLES}}
        with tempfile.TemporaryDirectory(prefix="mlab-") as name:
            for file, key in files.items():
                try:
                    Path(name, file).write_bytes(self._store.get(key))
                except NotInStoreError:
                    continue
            Path(name, TABLE).write_text(changes, encoding="utf-8")
            self._client.log_artifacts(self._parent, name)


def _tags_of(config: RunConfig) -> dict[str, object]:
    return {
        "mlflow.user": _user(),
        "mlab.task": task_name(config),
        "mlab.variant": config.variant.value,
        "mlab.agent": config.agent,
        "mlab.model": config.model,
        "mlab.seed": config.seed,
        "mlab.submit": config.submit,
        "mlab.tags": ", ".join(config.tags) or None,
    }


def _note(
    config: RunConfig, flow_page: str | None, result: RunResult | None = None, changes: Sequence[Change] = ()
) -> str:
    """The description of a run: what came of it, who did what, where else it is shown, and which change helped.

    The page shows three lines of it, unless it is asked for more.
    """
    said = [f"**{contestant_name(config)}** on **{task_name(config)}**, {config.data} data, seed {config.seed}"]
    said += [f"[Flow run in Prefect]({flow_page})"] if flow_page else []
    if result is not None:
        gain = f", {percent(result.improvement, signed=True)} against the baseline"
        said.insert(0, f"{result.metric} {number(result.score)}{gain if result.improvement is not None else ''}")
    helped = markdown(changes, _SHOWN_CHANGES) if changes else ""
    return "\n\n".join(filter(None, (" · ".join(said), helped)))[:_LONGEST_NOTE]


def _user() -> str | None:
    """Who runs it; a container's user may have no name."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return None


def _end_of(steps: Sequence[Step]) -> int | None:
    return milliseconds(steps[-1].checkpoint.committed) if steps else None
