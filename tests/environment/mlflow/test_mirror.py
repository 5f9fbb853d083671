"""MLflow as a view of the journal: complete, repeatable, and never in the way."""

from __future__ import annotations

import json
import socket
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Thread
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

import pytest
from mlflow.exceptions import MlflowException

from environment.gpus.card import CardSample, CardUse
from environment.journal.entries import Journal
from environment.journal.tables import write_tables
from environment.mlflow.database import open_client, refuses
from environment.mlflow.metrics import system_metrics
from environment.mlflow.mirror import MlflowMirror, sync_run, sync_runs, trouble
from environment.records import MetricPoint, RunConfig, TrainingRun
from environment.store import WAITING, Store
from tests.benchmarks.report import fill
from tests.environment.gpus.fake_driver import card
from tests.environment.training.journalled import finish_run, training_run, write_run
from tests.evaluation.report.samples import sample_run

if TYPE_CHECKING:
    from mlflow import MlflowClient
    from mlflow.entities import Run

RUN_ID = "house-price-tuner-0-abcd"
HOSTILE = "=1+1 \ud800 \0 \x1b[31m </script> ../.. \u202e %00 \n"


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


def test_every_training_run_is_nested_with_its_name_and_status(shown: Shown, finished: Journal) -> None:
    children = shown.children(shown.parent(finished.run_id))
    statuses = {name: run.info.status for name, run in children.items()}
    assert statuses == {
        "step 00 · train.py · LR 0.2": "FAILED",
        "step 01 · train.py · LR 0.2": "KILLED",
        "step 02 · train.py · LR 0.2": "FINISHED",
    }
    assert children["step 01 · train.py · LR 0.2"].data.tags["mlab.killed_by"] == "timeout"
    assert children["step 02 · train.py · LR 0.2"].data.params == {"LR": "0.2", "script.diff": "-LR = 0.1\n+LR = 0.2"}


def test_every_metric_is_there_by_epoch(shown: Shown, finished: Journal) -> None:
    child = shown.children(shown.parent(finished.run_id))["step 02 · train.py · LR 0.2"]
    history = shown.client.get_metric_history(child.info.run_id, "loss")
    assert [(point.step, point.value) for point in history] == [(1, 0.5), (2, 0.133)]
    assert child.data.metrics["validation/mae"] == 8


def test_script_changes_output_and_artifacts_are_kept(shown: Shown, finished: Journal) -> None:
    child = shown.children(shown.parent(finished.run_id))["step 02 · train.py · LR 0.2"]
    files = {file.path for file in shown.client.list_artifacts(child.info.run_id)}
    assert files == {"artifacts", "changes.diff", "output.txt"}
    folder = Path(str(child.info.artifact_uri).removeprefix("file://"))
    assert "val_mae: 8" in (folder / "output.txt").read_text()
    assert (folder / "artifacts" / "plots" / "loss.txt").read_text() == "a plot"


def test_the_benchmark_run_answers_the_usual_questions(shown: Shown, finished: Journal) -> None:
    parent = shown.parent(finished.run_id)
    assert parent.info.run_name == "tuner · seed 0 · house-price"
    assert parent.info.status == "FINISHED"
    assert parent.data.tags["prefect.flow_run_id"] == "f1"
    assert parent.data.params["agent"] == "tuner"
    assert parent.data.metrics["score"] == 8
    assert parent.data.metrics["claims/unsupported_rate"] == 0.25
    assert "cost" not in parent.data.metrics
    assert parent.inputs is not None
    assert parent.inputs.dataset_inputs[0].dataset.name == "house-price (mini)"
    inputs = shown.client.get_run(parent.info.run_id).inputs
    assert inputs is not None
    (agent,) = inputs.model_inputs
    assert shown.client.get_logged_model(agent.model_id).name == "tuner"
    curve = shown.client.get_metric_history(parent.info.run_id, "training/validation/mae")
    assert [(point.step, point.value) for point in curve] == [(0, 10), (1, 9), (2, 8)]
    files = {file.path for file in shown.client.list_artifacts(parent.info.run_id)}
    assert files == {"changes.json", "claims.parquet", "evidence.parquet", "result.json", "trajectory.parquet"}


def test_which_change_helped_is_a_table_and_stands_in_the_description(shown: Shown, finished: Journal) -> None:
    parent = shown.parent(finished.run_id)
    folder = Path(str(parent.info.artifact_uri).removeprefix("file://"))
    found = json.loads((folder / "changes.json").read_text())
    rows = [dict(zip(found["columns"], row, strict=True)) for row in found["data"]]
    assert [(row["step"], row["value"], row["came"]) for row in rows] == [
        (0, 10, "failed"),
        (1, 9, "failed"),
        (2, 8, "better"),
    ]
    assert rows[0]["change"] == "LR 0.2"
    assert json.loads(parent.data.tags["mlflow.loggedArtifacts"]) == [{"path": "changes.json", "type": "table"}]
    experiment = shown.client.get_experiment(parent.info.experiment_id)
    assert experiment.tags["mlflow.note.content"].startswith("MAE, lower is better: Predict house prices in Ames")
    note = parent.data.tags["mlflow.note.content"]
    assert "**tuner** on **house-price**, mini data, seed 0" in note
    assert "[Flow run in Prefect](http://prefect/runs/flow-run/f1)" in note
    assert "| 2 | +1 −1 lines | validation mae 8 | +11.1 % |" in note


def test_a_training_run_says_how_it_differs_from_the_starter(shown: Shown, finished: Journal) -> None:
    child = shown.children(shown.parent(finished.run_id))["step 02 · train.py · LR 0.2"]
    assert "```diff\n-LR = 0.1\n+LR = 0.2\n```" in child.data.tags["mlflow.note.content"]
    assert child.data.tags["mlflow.user"]


def test_a_run_that_fails_before_its_first_step_has_begun_when_it_did(shown: Shown) -> None:
    journal = Journal(shown.store, "house-price-tuner-0-none")
    journal.write_config(RunConfig(task="house-price", agent="tuner", run_id=journal.run_id))
    before = time.time()
    mirror = MlflowMirror(shown.uri, shown.artifacts, shown.store, journal.run_id, patience=600)
    time.sleep(1)
    assert mirror.close()
    info = shown.parent(journal.run_id).info
    assert info.start_time is not None
    assert info.end_time is not None
    assert info.start_time / 1_000 - before < 1
    assert info.end_time - info.start_time >= 1_000


def test_a_run_shown_under_a_former_name_stays_there(shown: Shown) -> None:
    journal = write_run(shown.store, "house-price-tuner-0-former", 1)
    experiment = shown.client.create_experiment("house-price", artifact_location=shown.artifacts.as_uri())
    shown.client.create_run(experiment, tags={"mlab.run_id": journal.run_id})
    shown.sync(journal.run_id)
    found = shown.client.search_runs([experiment])
    assert {run.data.tags.get("mlab.run_id") or run.data.tags["mlab.step"] for run in found} == {journal.run_id, "0"}
    assert all(run.data.tags.get("mlab.run_id") != journal.run_id for run in shown.runs())


def test_verdicts_are_feedback_on_the_trace_of_their_step(shown: Shown, finished: Journal) -> None:
    from mlflow.entities import Feedback
    from mlflow.tracing.client import TracingClient

    parent = shown.parent(finished.run_id)
    traces = TracingClient(shown.uri).search_traces([parent.info.experiment_id], include_spans=True)
    mine = {trace.info.tags["mlab.step"]: trace for trace in traces if trace.info.tags["mlab.run_id"] == RUN_ID}
    assert set(mine) == {"0", "1", "2"}
    (verdict,) = mine["1"].info.assessments
    assert isinstance(verdict, Feedback)
    assert (verdict.name, verdict.value) == ("claim: result", "unsupported")
    assert "The error is 1.0 now." in str(verdict.rationale)
    assert [span.name for span in mine["1"].data.spans] == ["step 01", "main · fake", "Execute Script"]
    assert (mine["1"].info.token_usage or {})["total_tokens"] == 10
    call = mine["1"].data.spans[1]
    assert (call.inputs, call.outputs) == (["prompt 1"], {"content": "answer 1"})


def test_showing_it_again_adds_nothing(shown: Shown, finished: Journal) -> None:
    from mlflow.tracing.client import TracingClient

    def everything() -> object:
        runs = {run.info.run_id: (run.info.status, run.data.metrics, run.data.tags) for run in shown.runs()}
        child = shown.children(shown.parent(finished.run_id))["step 02 · train.py · LR 0.2"]
        experiment = child.info.experiment_id
        verdicts = [len(t.info.assessments) for t in TracingClient(shown.uri).search_traces([experiment])]
        return runs, len(shown.client.get_metric_history(child.info.run_id, "loss")), sorted(verdicts)

    before = everything()
    shown.sync(finished.run_id)
    assert everything() == before


def test_what_a_crash_left_half_written_is_completed(shown: Shown) -> None:
    run_id = "house-price-tuner-0-torn"
    journal = write_run(shown.store, run_id, 2)
    shown.sync(run_id)
    parent = shown.parent(run_id)
    assert parent.info.status == "KILLED"
    torn = shown.children(parent)["step 01 · train.py · LR 0.2"]
    shown.client.update_run(torn.info.run_id, status="RUNNING")
    finish_run(shown.store, journal)

    shown.sync(run_id)

    assert shown.parent(run_id).info.status == "FINISHED"
    children = shown.children(parent)
    assert len(children) == 2
    assert children["step 01 · train.py · LR 0.2"].info.status == "KILLED"
    assert len(shown.client.get_metric_history(torn.info.run_id, "loss")) == 2


def test_a_dead_mlflow_costs_the_run_nothing_and_is_made_up_for(shown: Shown, caplog: pytest.LogCaptureFixture) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        dead = f"http://127.0.0.1:{server.getsockname()[1]}"
    run_id = "house-price-tuner-0-dead"
    journal = write_run(shown.store, run_id, 1)
    mirror = MlflowMirror(dead, shown.artifacts, shown.store, run_id, patience=1)
    _timed_record(mirror, shown.store, run_id)
    finish_run(shown.store, journal)
    assert not mirror.close()
    assert "safe in the store" in caplog.text

    next_id = "house-price-tuner-0-next"
    following = write_run(shown.store, next_id, 1)
    finish_run(shown.store, following)
    assert MlflowMirror(shown.uri, shown.artifacts, shown.store, next_id, patience=600).close()
    assert len(shown.children(shown.parent(run_id))) == 1
    assert shown.store.children(WAITING) == []


@pytest.fixture
def silent_server() -> Iterator[str]:
    """Takes every connection and never answers."""
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        kept: list[socket.socket] = []

        def accept() -> None:
            while True:
                try:
                    kept.append(server.accept()[0])
                except OSError:
                    return

        Thread(target=accept, daemon=True).start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}"
        for connection in kept:
            connection.close()


def test_a_silent_mlflow_holds_nothing_up(shown: Shown, silent_server: str) -> None:
    run_id = "house-price-tuner-0-slow"
    write_run(shown.store, run_id, 1)
    mirror = MlflowMirror(silent_server, shown.artifacts, shown.store, run_id, patience=1)
    _timed_record(mirror, shown.store, run_id)
    start = time.monotonic()
    assert not mirror.close()
    assert time.monotonic() - start < 10


@pytest.mark.usefixtures("finished")
def test_a_database_that_somebody_locks_is_not_waited_for_at_a_stop(shown: Shown, tmp_path: Path) -> None:
    store, run_id = Store(str(tmp_path / "store")), "house-price-tuner-0-locked"
    write_run(store, run_id, 1)
    mirror = MlflowMirror(shown.uri, shown.artifacts, store, run_id, patience=600)
    with closing(sqlite3.connect(shown.uri.removeprefix("sqlite:///"))) as lock:
        lock.execute("BEGIN EXCLUSIVE")
        start = time.monotonic()
        assert not mirror.close(at_most=1)
        assert time.monotonic() - start < 10
    assert store.children(WAITING) == [run_id]


def _timed_record(mirror: MlflowMirror, store: Store, run_id: str) -> None:
    run = training_run(store, run_id, 0)
    start = time.monotonic()
    mirror.record(run)
    assert time.monotonic() - start < 1


@pytest.mark.slow
@pytest.mark.timeout(1_200)
@pytest.mark.usefixtures("finished")
def test_where_nothing_listens_a_run_waits_for_nothing(shown: Shown) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        uri = f"http://127.0.0.1:{taken.getsockname()[1]}"
        assert not refuses(uri)
    assert refuses(uri)
    mirror = MlflowMirror(uri, shown.artifacts, shown.store, RUN_ID)
    began = time.monotonic()
    assert not mirror.close()
    assert time.monotonic() - began < 10
    assert mirror.why == "nothing answers there"
    assert RUN_ID in shown.store.children(WAITING)


class HalfLoaded(ModuleType):
    """A module whose import was cut by a signal, as numpy is then."""

    def __getattr__(self, name: str) -> None:
        if not name.startswith("__"):
            raise RecursionError(name)


def test_a_library_that_a_stop_left_half_loaded_leaves_the_run_for_later(
    shown: Shown, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(str(tmp_path / "store"))
    run = training_run(store, RUN_ID, 0)
    view = "environment.mlflow.view"
    monkeypatch.setitem(sys.modules, view, HalfLoaded(view))
    mirror = MlflowMirror(shown.uri, shown.artifacts, store, RUN_ID)
    mirror.record(run)
    assert not mirror.close()
    assert "its loading was interrupted" in mirror.why
    assert store.children(WAITING) == [RUN_ID]


@pytest.mark.parametrize(
    ("uri", "said"),
    [
        ("nonsense://x", "unsupported URI"),
        ("http://[", ""),
        ("sqlite:////dev/null", ""),
        ("mysql+nothing://x", ""),
        ("http://127.0.0.1:1", "nothing answers there"),
    ],
)
def test_a_store_that_cannot_be_is_told(uri: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLFLOW_HTTP_REQUEST_MAX_RETRIES", "1")
    found = trouble(uri)
    assert found is not None
    assert said in found
    assert "\n" not in found


def test_who_asks_a_broken_database_is_told_and_nobody_else(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mlflow.db"
    client = open_client(f"sqlite:///{path}")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("ALTER TABLE experiments RENAME TO gone")
    with pytest.raises(MlflowException, match="no such table"):
        client.search_experiments(max_results=1)
    assert capfd.readouterr().err == ""


def test_a_database_that_no_run_has_made_yet_is_no_trouble(tmp_path: Path, shown: Shown) -> None:
    assert trouble(f"sqlite:///{tmp_path / 'new.db'}") is None
    assert not (tmp_path / "new.db").exists()
    assert trouble(shown.uri) is None


@pytest.mark.slow
def test_eight_processes_share_a_fresh_database_and_lose_nothing(tmp_path: Path) -> None:
    ids = [f"house-price-tuner-{n}" for n in range(8)]
    command = [sys.executable, "-m", "tests.environment.training.journalled", str(tmp_path)]
    processes = [
        subprocess.Popen([*command, run_id], cwd=Path(__file__).parents[3], stderr=subprocess.PIPE) for run_id in ids
    ]
    errors = [process.communicate(timeout=1_000)[1].decode() for process in processes]
    assert [process.returncode for process in processes] == [0] * 8, errors
    shown = Shown(Store(str(tmp_path / "store")), f"sqlite:///{tmp_path}/mlflow/mlflow.db", tmp_path / "artifacts")
    runs = shown.runs()
    parents = {run.info.run_id: run.data.tags["mlab.run_id"] for run in runs if "mlab.run_id" in run.data.tags}
    assert sorted(parents.values()) == ids
    nested = Counter(run.data.tags["mlflow.parentRunId"] for run in runs if "mlflow.parentRunId" in run.data.tags)
    assert nested == dict.fromkeys(parents, 3)
    assert all(run.data.metrics["validation/mae"] for run in runs if "mlflow.parentRunId" in run.data.tags)


def test_what_cards_did_is_shown_under_mlflows_own_names(shown: Shown) -> None:
    samples = (CardSample(seconds=0.5, utilisation=40, memory_mib=2_048), CardSample(seconds=1, power_watts=300))
    uses = tuple(CardUse(card=card(n), samples=samples) for n in range(2))
    run = training_run(shown.store, RUN_ID, 0).model_copy(update={"gpus": uses})
    points = [(point.key, point.value, point.step) for point in system_metrics(run)]
    assert points[:4] == [
        ("system/gpu_0_utilization_percentage", 40, 0),
        ("system/gpu_0_memory_usage_megabytes", pytest.approx(2_147.483648), 0),
        ("system/gpu_0_memory_usage_percentage", 25, 0),
        ("system/gpu_0_power_usage_watts", 300, 1),
    ]
    assert [name.replace("gpu_1", "gpu_0") for name, _, _ in points[4:]] == [name for name, _, _ in points[:4]]


def test_a_damaged_run_is_named_and_the_next_one_shown(shown: Shown, finished: Journal) -> None:
    torn = write_run(shown.store, "house-price-torn-0-abcd", 1)
    shown.store.put(torn.keys.config, b"{}")
    claims = torn.keys.table("claims")
    shown.store.put(claims, b"PAR1")
    assert sync_runs(shown.uri, shown.artifacts, shown.store, [torn.run_id, finished.run_id]) == [torn.run_id]
    shown.store.delete(torn.keys.prefix)


def test_any_text_of_an_agent_or_a_script_is_shown(shown: Shown, tmp_path: Path) -> None:
    sample = sample_run(0, steps=3, text=HOSTILE)
    run = TrainingRun.model_validate(
        training_run(shown.store, sample.result.run_id, 0).model_dump()
        | {
            "script": HOSTILE,
            "args": (HOSTILE, "x" * 10_000),
            "diff": HOSTILE,
            "params": {HOSTILE: HOSTILE, "long": "ü" * 10_000},
            "artifacts": {
                f"{HOSTILE}/{HOSTILE}": shown.store.put_object(b"x"),
                "ü" * 300: shown.store.put_object(b"y"),
            },
            "metrics": (
                MetricPoint(name=HOSTILE, value=float("inf"), step=2**63, epoch=1e300),
                MetricPoint(name="loss", value=float("nan"), step=-(2**70), epoch=float("inf")),
            ),
        }
    )
    steps = [
        step.model_copy(update={"effect": step.effect.model_copy(update={"training_run": None if step.n else run})})
        for step in sample.steps
    ]
    config = RunConfig(task=f"{'ü' * 300}/%2e{HOSTILE}", agent=f"x:{HOSTILE}", model=HOSTILE)
    (tmp_path / "workspace").mkdir()
    fill(shown.store, sample.model_copy(update={"steps": tuple(steps), "config": config}), tmp_path / "workspace")
    write_tables(shown.store, sample.result.run_id, steps, sample.claims)
    shown.sync(sample.result.run_id)


def test_a_database_of_another_schema_is_told_and_filled_once_it_can_be(tmp_path: Path) -> None:
    shown = Shown(Store(str(tmp_path / "store")), f"sqlite:///{tmp_path}/mlflow.db", tmp_path / "artifacts")
    open_client(f"sqlite:///{tmp_path}/made.db")  # MLflow keeps a database that it has opened once
    assert trouble(f"sqlite:///{tmp_path}/made.db") is None
    with (
        closing(sqlite3.connect(tmp_path / "made.db")) as made,
        closing(sqlite3.connect(tmp_path / "mlflow.db")) as copy,
    ):
        made.backup(copy)

    def stamp(version: str) -> str:
        with closing(sqlite3.connect(tmp_path / "mlflow.db")) as connection, connection:
            before = str(connection.execute("SELECT version_num FROM alembic_version").fetchone()[0])
            connection.execute("UPDATE alembic_version SET version_num = ?", (version,))
        return before

    current = stamp("451aebb31d03")
    journal = write_run(shown.store, RUN_ID, 1)
    mirror = MlflowMirror(shown.uri, shown.artifacts, shown.store, RUN_ID, patience=600)
    finish_run(shown.store, journal)
    assert not mirror.close()
    assert f"(451aebb31d03); keep a copy of it, then run mlflow db upgrade {shown.uri}" in mirror.why
    assert str(tmp_path / "mlflow.db") in mirror.why
    assert trouble(shown.uri) == mirror.why

    stamp(current)
    later = MlflowMirror(shown.uri, shown.artifacts, shown.store, RUN_ID, patience=600)
    assert later.close()
    assert shown.parent(RUN_ID).info.status == "FINISHED"
