"""A run's page is a view: where the server is slow, it is drawn the less often."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import cast
from uuid import UUID, uuid4

import pytest
from prefect.client.schemas.actions import ArtifactCreate

from flows.run import page
from flows.run.page import RunPage
from flows.run.session import RunSession

FLOW_RUN = UUID(int=1)


class Server:
    """Takes so long to change an artifact."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.asked = 0
        self.made: list[ArtifactCreate] = []

    def create_artifact(self, artifact: ArtifactCreate) -> SimpleNamespace:
        self.made.append(artifact)
        return SimpleNamespace(id=uuid4())

    def update_artifact(self, *asked: object) -> None:
        self.asked += 1
        time.sleep(self.seconds)


def drawn(server: Server, monkeypatch: pytest.MonkeyPatch) -> int:
    """How often the page of a run is drawn that changes all the time for a second."""

    @contextmanager
    def client(**options: object) -> Iterator[Server]:
        yield server

    monkeypatch.setattr(page, "_REFRESH_SECONDS", 0.02)
    monkeypatch.setattr(page, "get_client", client)
    monkeypatch.setattr(page, "flow_run", SimpleNamespace(id=FLOW_RUN))
    meter = SimpleNamespace(fraction=lambda: 0.5, remaining=lambda: SimpleNamespace(line=lambda: "much"))
    run = SimpleNamespace(run_id="a-run", journal=SimpleNamespace(steps=list))
    shown = RunPage(cast(RunSession, SimpleNamespace(meter=meter, run=run)))
    assert not server.made, "the first step waits for none of it"
    with shown:
        end = time.monotonic() + 1
        while time.monotonic() < end:
            shown.update()
            time.sleep(0.005)
    assert [(made.type, made.flow_run_id) for made in server.made] == [("progress", FLOW_RUN), ("markdown", FLOW_RUN)]
    return server.asked // 2  # progress, and the table


def test_a_slow_server_is_asked_less_often(monkeypatch: pytest.MonkeyPatch) -> None:
    assert drawn(Server(0.0), monkeypatch) > 5
    assert drawn(Server(0.05), monkeypatch) <= 3
