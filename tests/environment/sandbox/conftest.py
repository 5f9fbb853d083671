"""Sandboxes of both kinds."""

from __future__ import annotations

import pytest

from environment.sandbox import Sandbox, open_sandbox
from environment.sandbox.docker import DockerSandbox


@pytest.fixture
def bubblewrap() -> Sandbox:
    """A bubblewrap sandbox of this user."""
    return open_sandbox("bubblewrap", label="test")


@pytest.fixture
def docker(docker_daemon: None) -> DockerSandbox:
    """A Docker sandbox."""
    return DockerSandbox(label="test")
