"""The servers of this user are found by what runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from flows.services.found import servers_of_user
from flows.services.server import prefect_service
from flows.settings import Settings
from tests.flows.cli.in_process import command


@pytest.mark.usefixtures("prefect_server")
def test_the_server_of_another_home_is_found(server_settings: Settings) -> None:
    record = prefect_service(server_settings).running()
    assert record is not None
    (found,) = [found for found in servers_of_user() if found.pid == record.pid]
    assert (found.name, found.home, found.url) == ("Prefect", server_settings.home, record.url)


@pytest.mark.usefixtures("prefect_server")
def test_doctor_lists_it_with_its_home(
    server_settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MLAB_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("flows.cli.commands.doctor._sandboxes", lambda: ())
    printed = command("doctor", "--json").printed
    assert f"of {server_settings.home}: http://" in printed
