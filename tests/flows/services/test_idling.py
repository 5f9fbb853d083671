"""A local server that is of no use ends itself, and one that dies under a run is started again."""

from __future__ import annotations

import os
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import uvicorn
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient

from flows.services import idling
from flows.services.addresses import free_port
from flows.services.idling import Activity, end_when_unused
from flows.services.processes import Service, withdraw
from flows.services.server import kept_alive, prefect_service
from flows.settings import Settings

SECONDS = 60.0


def wait_for(what: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SECONDS
    while not what():
        assert time.monotonic() < deadline, "it did not come to pass"
        time.sleep(0.1)


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    return Settings(home=tmp_path / "home", server_idle_seconds=4)


@pytest.fixture
def server(settings: Settings) -> Iterator[Service]:
    # At the usual port, another home's server would take the place of one that was killed.
    service = replace(prefect_service(settings), port=free_port(0))
    yield service
    service.stop()


@pytest.mark.slow
def test_a_server_lives_as_long_as_it_is_of_use(server: Service, settings: Settings) -> None:
    first = server.ensure()
    told: list[str] = []
    with kept_alive(settings, told.append, lambda: None):
        os.kill(first.pid, signal.SIGKILL)
        wait_for(lambda: (now := server.running()) is not None and now.pid != first.pid)
        second = server.ensure()
        assert second.port == first.port
        time.sleep(2 * settings.server_idle_seconds)
        assert server.running() == second
    assert told == ["The local Prefect server had ended and was started again."]
    wait_for(lambda: second.process() is None)
    assert server.running() is None
    assert not server.revive()  # it was not killed
    third = server.ensure()
    shutil.rmtree(settings.layout.home, ignore_errors=True)
    wait_for(lambda: third.process() is None)


def test_a_server_that_nobody_ever_asked_ends_soon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, seconds in {"_LOOK_SECONDS": 0.05, "_UNUSED_SECONDS": 0.5, "_END_SECONDS": 3600.0}.items():
        monkeypatch.setattr(idling, name, seconds)
    servers = {used: uvicorn.Server(uvicorn.Config("unused")) for used in (True, False)}
    for used, server in servers.items():
        activity = Activity(PlainTextResponse("well"))
        home = tmp_path / str(used)
        home.mkdir()
        if used:
            TestClient(activity).get("/health")
        end_when_unused(server, activity, home, limit=3600)
    wait_for(lambda: servers[False].should_exit)
    time.sleep(0.5)
    assert not servers[True].should_exit


def test_nobody_is_left_with_a_server_that_is_about_to_end(tmp_path: Path) -> None:
    record = tmp_path / "server.json"
    record.touch()
    assert withdraw(tmp_path, still=lambda: False) is None  # somebody asked in the last moment
    assert record.exists()
    held = withdraw(tmp_path, still=lambda: True)
    assert held is not None
    assert not record.exists()
    assert withdraw(tmp_path, still=lambda: True) is None  # whoever holds the lock decides
    held.release()
