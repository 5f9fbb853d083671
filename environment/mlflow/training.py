"""Training runs in MLflow, each nested in its benchmark run, with as few calls as MLflow needs for one."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from environment.mlflow.database import local_folder, search_runs
from environment.mlflow.metrics import curves, milliseconds, points_of_the_run, system_metrics
from environment.mlflow.names import NOTE_TAG, TRAINING_TAG, file_path, params_of, tags_of, titles_of, training_name
from environment.records import KilledBy, TrainingRun
from environment.records.display import duration, script_ending
from environment.store import Store

if TYPE_CHECKING:
    from mlflow import MlflowClient
    from mlflow.entities import Run

_PARENT_TAG = "mlflow.parentRunId"
DIFF_PARAM = "script.diff"
"""The parameter that lets a comparison of training runs show how their scripts differ from the starter."""
_MAX_DIFF = 4_000


class NestedRuns:
    """The training runs of one benchmark run.

    MLflow is asked once which of them it has; nobody else writes them while this object is in use.

    Args:
        client: Where they are written.
        store: Where their output and artifacts are read from.
        run_id: Our id of the benchmark run.
        parent: The benchmark run in MLflow.
        tags: Tags of the benchmark run that each of them carries, too.
    """

    def __init__(
        self, client: MlflowClient, store: Store, run_id: str, parent: Run, tags: Mapping[str, object]
    ) -> None:
        self._client = client
        self._store = store
        self._run_id = run_id
        self._parent = str(parent.info.run_id)
        self._experiment = str(parent.info.experiment_id)
        self._tags = tags
        known = search_runs(client, self._experiment, _PARENT_TAG, self._parent)
        self._begun = {run.data.tags[TRAINING_TAG]: run for run in known}
        # The end is written last.
        self._complete = {key for key, run in self._begun.items() if run.info.status != "RUNNING"}

    def show(self, runs: Sequence[TrainingRun]) -> None:
        """Show those that MLflow does not have, and their last values as points of the benchmark run's curves."""
        missing = [run for run in runs if self._key(run) not in self._complete]
        self._client.log_batch(self._parent, metrics=[point for run in missing for point in points_of_the_run(run)])
        for run in missing:
            self._write(run)
            self._complete.add(self._key(run))

    def _key(self, run: TrainingRun) -> str:
        # Not its own id: a branch shows the steps it took over as its own.
        return f"{self._run_id}.{run.step}"

    def _write(self, run: TrainingRun) -> None:
        from mlflow.entities import Param

        child = self._begun.get(self._key(run)) or self._client.create_run(
            self._experiment,
            start_time=milliseconds(run.started),
            run_name=training_name(run),
            tags=tags_of(self._tags_of(run)),
        )
        run_id = child.info.run_id
        values = {**run.params, **({DIFF_PARAM: run.diff} if run.diff else {})}
        params = [Param(name, value) for name, value in params_of(values).items()]
        self._client.log_batch(run_id, metrics=[*curves(run), *system_metrics(run)], params=params)
        self._write_files(child, run)
        # MLflow shows no duration of a run that takes none.
        end = milliseconds(run.started) + max(1, round(run.seconds * 1_000))
        self._client.set_terminated(run_id, _status(run), end)

    def _tags_of(self, run: TrainingRun) -> dict[str, object]:
        return {
            TRAINING_TAG: self._key(run),
            _PARENT_TAG: self._parent,
            "mlflow.source.name": run.script,
            **self._tags,
            "mlab.step": run.step,
            "mlab.script": run.script,
            "mlab.script_sha256": run.script_sha256,
            "mlab.exit_code": run.exit_code,
            "mlab.killed_by": run.killed_by.value if run.killed_by else None,
            "mlab.metrics_dropped": run.metrics_dropped or None,
            NOTE_TAG: _note(run),
            **titles_of(run.metrics),
        }

    def _write_files(self, child: Run, run: TrainingRun) -> None:
        folder = local_folder(child.info.artifact_uri)
        if folder is not None:
            self._lay_files(folder, run)
            return
        with tempfile.TemporaryDirectory(prefix="mlab-") as name:
            self._lay_files(Path(name), run)
            self._client.log_artifacts(child.info.run_id, name)

    def _lay_files(self, folder: Path, run: TrainingRun) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "changes.diff").write_text(run.diff, encoding="utf-8", errors="replace")
        self._store.fetch_object(run.output, folder / "output.txt")
        for name, digest in run.artifacts.items():
            path = folder / "artifacts" / file_path(name)
            path.parent.mkdir(parents=True, exist_ok=True)
            self._store.fetch_object(digest, path)


def _note(run: TrainingRun) -> str:
    """What ran, and how it differs from the starter."""
    head = f"`{run.script}`, {script_ending(run)}, {duration(run.seconds)}"
    # A longer fence than any in the script's own text.
    fence = "`" * (1 + max((len(ticks) for ticks in re.findall("`+", run.diff)), default=2))
    return f"{head}\n\n{fence}diff\n{run.diff[:_MAX_DIFF]}\n{fence}" if run.diff else f"{head}, as the starter has it"


def _status(run: TrainingRun) -> str:
    if run.killed_by in (KilledBy.TIMEOUT, KilledBy.CANCELLED):
        return "KILLED"
    return "FINISHED" if run.succeeded else "FAILED"
