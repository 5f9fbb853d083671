"""Servers that others can reach ask for a password; without one they don't start."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from flows.services.mlflow_server import mlflow_service
from flows.services.server import prefect_service
from flows.services.worker import worker_service
from flows.settings import Settings
from tests.flows.command import SLOPE, mlab, mlab_json

AUTH = ("admin", "a-long-password-1")


@pytest.fixture
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder with servers of its own."""
    monkeypatch.setenv("MLAB_HOME", str(tmp_path / "home"))
    for name in ("PREFECT_API_URL", "PREFECT_HOME", "PREFECT_API_AUTH_STRING", "MLAB_AUTH", "MLAB_HOST"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.mark.parametrize("auth", ["", "admin", "admin:short"])
def test_no_server_is_open_to_others_without_a_password(
    alone: Path, monkeypatch: pytest.MonkeyPatch, auth: str
) -> None:
    if auth:
        monkeypatch.setenv("MLAB_AUTH", auth)
    done = mlab("ui", "--detach", "--host", "0.0.0.0")
    assert done.returncode == 2
    assert "MLAB_AUTH=user:password" in done.stderr
    assert prefect_service(Settings()).running() is None


@pytest.fixture
def open_servers(alone: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    monkeypatch.setenv("MLAB_AUTH", ":".join(AUTH))
    started = mlab("ui", "--detach", "--host", "0.0.0.0")
    assert started.returncode == 0, started.stderr
    settings = Settings()
    services = {"prefect": prefect_service(settings), "mlflow": mlflow_service(settings)}
    yield {name: record.url for name, service in services.items() if (record := service.running())}
    assert mlab("ui", "--stop").returncode == 0


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_servers_beyond_loopback_ask_for_the_password_and_runs_know_it(open_servers: dict[str, str]) -> None:
    asked = {
        f"{open_servers['prefect']}/api/flow_runs/count": {},
        f"{open_servers['mlflow']}/api/2.0/mlflow/experiments/search": {"max_results": 5},
    }
    for url, body in asked.items():
        assert httpx.post(url, json=body).status_code == 401
        assert httpx.post(url, json=body, auth=("admin", "a-wrong-password")).status_code == 401
        assert httpx.post(url, json=body, auth=AUTH).status_code == 200
        assert httpx.post(url, json=body, auth=("admin", "a-wrong-password")).status_code == 401
    assert mlab_json("run", str(SLOPE), "--agent", "nop", "--deployment", "mlab")["status"] == "completed"
    worker = worker_service(Settings(), "").running()
    assert worker is not None
    assert worker.host == "127.0.0.1"
