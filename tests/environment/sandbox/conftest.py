"""Sandboxes of both kinds."""

from __future__ import annotations

import pytest

from environment.gpus.cards import cards_here
from environment.sandbox import Sandbox, open_sandbox
from environment.sandbox.docker import DockerSandbox


@pytest.fixture
def bubblewrap() -> Sandbox:
    """A bubblewrap sandbox of this user, with a card where the machine has one."""
    return open_sandbox("bubblewrap", label="test", cards=cards_here()[:1])


@pytest.fixture
def docker(docker_daemon: None) -> DockerSandbox:
    """A Docker sandbox."""
    return DockerSandbox(label="test")
