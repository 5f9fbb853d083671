"""``mlab ui`` leaves nothing behind that it started, at whatever moment it is stopped."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from flows.services.mlflow_server import mlflow_service
from flows.services.processes import Service
from flows.services.server import prefect_service
from flows.settings import Settings
from tests.flows.command import MLAB


@pytest.mark.parametrize(
    ("awaited", "options"),
    [
        (prefect_service, ()),
        (mlflow_service, ("--detach",)),
        pytest.param(prefect_service, ("--detach",), marks=pytest.mark.slow),
        pytest.param(mlflow_service, (), marks=pytest.mark.slow),
    ],
)
@pytest.mark.timeout(200)
def test_what_is_stopped_as_it_starts_leaves_no_server(
    awaited: Callable[[Settings], Service], options: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MLAB_HOME", str(tmp_path))
    for name in ("PREFECT_API_URL", "PREFECT_API_AUTH_STRING", "PREFECT_HOME", "MLAB_STORE", "MLFLOW_TRACKING_URI"):
        monkeypatch.delenv(name, raising=False)
    command = subprocess.Popen([*MLAB, "ui", "--no-worker", *options], stderr=subprocess.PIPE, text=True)
    while awaited(Settings()).running() is None:
        assert command.poll() is None, command.communicate()
        time.sleep(0.05)
    command.send_signal(signal.SIGTERM)
    _, told = command.communicate(timeout=100)
    assert command.returncode == 3, told
    assert "Stopped: " in told
    assert [service(Settings()).running() for service in (prefect_service, mlflow_service)] == [None, None]
