"""MLflow is never in the way: absent, slow, broken or locked, it costs a run nothing and is made up for later."""

from __future__ import annotations

import logging
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

import pytest
from mlflow.exceptions import MlflowException

from environment.journal.entries import Journal
from environment.mlflow.database import open_client, refuses
from environment.mlflow.mirror import MlflowMirror, sync_runs, trouble
from environment.store import WAITING, RunKeys, Store
from tests.environment.mlflow.conftest import RUN_ID, Shown
from tests.environment.training.journalled import finish_run, training_run, write_run


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


def test_nothing_is_said_of_a_run_that_is_not_there(
    shown: Shown, finished: Journal, caplog: pytest.LogCaptureFixture
) -> None:
    shown.store.put(RunKeys(run_id="imported-half").decided(0), b"{}")
    assert sync_runs(shown.uri, shown.artifacts, shown.store, ["imported-half", finished.run_id]) == []
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


def test_a_damaged_run_is_named_and_the_next_one_shown(shown: Shown, finished: Journal) -> None:
    torn = write_run(shown.store, "house-price-torn-0-abcd", 1)
    shown.store.put(torn.keys.config, b"{}")
    claims = torn.keys.table("claims")
    shown.store.put(claims, b"PAR1")
    assert sync_runs(shown.uri, shown.artifacts, shown.store, [torn.run_id, finished.run_id]) == [torn.run_id]
    shown.store.delete(torn.keys.prefix)


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
