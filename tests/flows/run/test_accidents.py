"""A full disk, a server that is killed and comes back, an absent MLflow: the run ends as if undisturbed."""

from __future__ import annotations

import os
import signal
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from environment.mlflow.database import open_client
from environment.mlflow.mirror import sync_runs
from environment.store import Store
from flows.services.addresses import free_port
from flows.services.password import credentials
from flows.services.server import prefect_service
from flows.settings import Settings
from tests.evaluation.importers.logs import write_compact
from tests.flows.command import TUNER, mlab, mlab_json, start, trajectory
from tests.flows.conftest import Finished
from tests.flows.forked import Forked
from tests.small_disk import small_disk_at

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

ROOM = 150_000
"""Bytes left on the disk: enough to begin a run, too few to end it."""


@pytest.fixture
def small_disk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    with small_disk_at(tmp_path / "disk", getattr(request, "param", "4m")) as disk:
        yield disk


def use_home(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run in a home of its own, with its own server."""
    monkeypatch.setenv("MLAB_HOME", str(home))
    for name in ("PREFECT_API_URL", "PREFECT_HOME", "MLAB_STORE", "MLFLOW_TRACKING_URI"):
        monkeypatch.delenv(name, raising=False)


def started(home: Path, *options: str, steps: int = 1) -> Forked:
    """A run that has committed so many steps."""
    process = start(*TUNER, *options)
    while len(list((home / "store" / "runs").glob("*/steps/*/committed.json"))) < steps:
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)
    return process


def fill(disk: Path, room: int) -> Path:
    """A file that leaves so many bytes of a disk."""
    ballast = disk / "ballast"
    ballast.write_bytes(bytes(os.statvfs(disk).f_bavail * 4_096 - room))
    return ballast


@pytest.mark.usefixtures("mlab_environment")
def test_a_run_on_a_full_disk_goes_on_once_there_is_room(
    small_disk: Path, undisturbed: Finished, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MLAB_STORE", str(small_disk / "store"))
    ballast = fill(small_disk, ROOM)
    failed = mlab(*TUNER)
    assert failed.returncode == 3, failed.stderr
    assert "No space left" in failed.stderr
    (run,) = (small_disk / "store" / "runs").iterdir()
    ballast.unlink()
    assert mlab_json("resume", run.name)["score"] == undisturbed.result["score"]
    assert trajectory(run.name) == undisturbed.steps


@pytest.mark.usefixtures("mlab_environment")
def test_an_import_on_a_full_disk_goes_on_with_the_same_command(
    small_disk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MLAB_STORE", str(small_disk / "store"))
    logs = tmp_path / "logs"
    for name in ("a", "b"):
        write_compact(logs / name)
    ballast = fill(small_disk, 16_384)
    failed = mlab("import", str(logs))
    assert failed.returncode == 1, failed.stderr
    assert "No space left" in failed.stderr
    assert "0 runs imported; the same command goes on with the others." in failed.stderr
    assert "mlab resume" not in failed.stderr
    ballast.unlink()
    assert mlab("import", str(logs)).returncode == 0


@pytest.mark.parametrize("small_disk", ["200m"], indirect=True)
def test_a_run_whose_whole_home_is_full_ends_soon_and_says_why(
    small_disk: Path, undisturbed: Finished, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_home(small_disk / "home", monkeypatch)
    ballast = small_disk / "ballast"
    try:
        process = started(small_disk / "home", "--max-disk", "10")
        with suppress(OSError), ballast.open("wb", buffering=0) as file:
            while file.write(bytes(65_536)):
                pass
        _, error = process.communicate(timeout=180)
        assert process.returncode == 3, error
        assert "is full. Free some space" in error
        assert "Internal Server Error" not in error
        ballast.unlink()
        (run,) = (small_disk / "home" / "store" / "runs").iterdir()
        assert mlab_json("resume", run.name)["score"] == undisturbed.result["score"]
    finally:
        ballast.unlink(missing_ok=True)
        prefect_service(Settings()).stop()


def test_a_run_waits_for_a_server_that_was_killed_and_comes_back(
    home: Path, undisturbed: Finished, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_home(home, monkeypatch)
    server = prefect_service(Settings())
    server.ensure()
    try:
        process = started(home, steps=2)
        record = server.running()
        assert record is not None
        os.kill(record.pid, signal.SIGKILL)
        time.sleep(3)
        assert server.ensure().port == record.port
        _, error = process.communicate(timeout=300)
        assert process.returncode == 0, error
    finally:
        server.stop()
    (run,) = (home / "store" / "runs").iterdir()
    assert trajectory(run.name) == undisturbed.steps


class _Refusing(BaseHTTPRequestHandler):
    def answer(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_response(401)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_GET = do_POST = do_PATCH = answer  # noqa: N815 - as the library names them

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as the library names it
        pass


def test_a_run_whose_server_gave_way_to_another_homes_says_so_in_one_sentence(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_home(home, monkeypatch)
    server = prefect_service(Settings())
    record = server.ensure()
    try:
        process = started(home)
    finally:
        server.stop()
    with ThreadingHTTPServer(("127.0.0.1", record.port), _Refusing) as other:
        threading.Thread(target=other.serve_forever, daemon=True).start()
        _, error = process.communicate(timeout=120)
        other.shutdown()
    assert process.returncode == 3, error
    first, second = error.splitlines()
    assert first == "The run's Prefect server was stopped, and the server of another home folder now has its port."
    assert "Continue with: mlab resume" in second


@pytest.mark.usefixtures("mlab_environment")
def test_a_run_that_is_stopped_while_somebody_locks_mlflow_ends_soon(home: Path) -> None:
    open_client(f"sqlite:///{home}/mlflow/mlflow.db")  # makes it
    process = started(home)
    with closing(sqlite3.connect(home / "mlflow" / "mlflow.db")) as lock:
        lock.execute("BEGIN EXCLUSIVE")
        began = time.monotonic()
        process.send_signal(signal.SIGTERM)
        _, error = process.communicate(timeout=90)
    assert process.returncode == 3, error
    assert time.monotonic() - began < 30
    assert "Continue with: mlab resume" in error


def test_a_run_that_is_stopped_without_its_server_ends_soon(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_home(tmp_path / "elsewhere", monkeypatch)
    server = prefect_service(Settings())
    record = server.ensure()
    try:
        monkeypatch.setenv("MLAB_HOME", str(home))
        monkeypatch.setenv("PREFECT_API_URL", f"http://127.0.0.1:{record.port}/api")
        monkeypatch.setenv("PREFECT_API_AUTH_STRING", credentials(Settings(home=tmp_path / "elsewhere")))
        process = started(home)
    finally:
        os.kill(record.pid, signal.SIGKILL)
    time.sleep(3)
    process.send_signal(signal.SIGTERM)
    _, error = process.communicate(timeout=90)
    assert process.returncode == 3, error
    assert "Continue with: mlab resume" in error


@pytest.mark.usefixtures("mlab_environment")
def test_a_run_without_mlflow_loses_nothing(home: Path, undisturbed: Finished, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLFLOW_TRACKING_URI", f"http://127.0.0.1:{free_port(0)}")
    monkeypatch.setenv("MLFLOW_HTTP_REQUEST_MAX_RETRIES", "1")
    run = str(mlab_json(*TUNER)["run_id"])
    assert trajectory(run) == undisturbed.steps
    assert sync_runs(f"sqlite:///{home}/late.db", home / "artifacts", Store(str(home / "store")), [run]) == []
