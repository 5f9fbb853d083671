from __future__ import annotations

import sys
from pathlib import Path

import pytest

from environment.errors import SandboxUnavailableError
from environment.sandbox import available, open_sandbox


@pytest.fixture
def no_docker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", "unix:///nowhere/docker.sock")


def test_auto_takes_bubblewrap_without_a_daemon(no_docker: None) -> None:
    assert open_sandbox("auto", label="test").name == "bubblewrap"


def test_docker_without_a_daemon_says_what_to_do(no_docker: None) -> None:
    with pytest.raises(SandboxUnavailableError, match="bubblewrap"):
        open_sandbox("docker", label="test")


@pytest.mark.parametrize("named", [True, False])
def test_a_daemon_that_cannot_be_there_is_not_looked_for(
    named: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    socket = f"unix://{tmp_path}/docker.sock"
    monkeypatch.setenv("DOCKER_HOST", socket if named else "")
    monkeypatch.setattr("environment.sandbox.docker._LOCAL", socket)
    monkeypatch.setitem(sys.modules, "docker", None)  # importing it would fail
    assert open_sandbox("auto", label="test").name == "bubblewrap"
    with pytest.raises(SandboxUnavailableError, match=r"there is no .*docker\.sock"):
        open_sandbox("docker", label="test")


def test_what_is_available_is_found_by_trying(no_docker: None) -> None:
    found = {entry.kind: entry for entry in available()}
    assert found["bubblewrap"].works
    assert "python started" in found["bubblewrap"].detail
    assert not found["docker"].works
    assert "No Docker daemon answers" in found["docker"].detail


def test_without_a_sandbox_the_record_says_so() -> None:
    assert open_sandbox("none", label="test", unsafe=True).name == "none"
