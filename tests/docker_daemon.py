"""A Docker daemon: the one that answers already, else one of the tests' own, where that can be."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from environment.errors import SandboxUnavailableError
from environment.sandbox.docker import connect

_QUIET = (
    "--storage-driver=overlay2",
    "--iptables=false",
    "--ip6tables=false",
    "--bridge=none",
    "--ip-forward=false",
)
"""The host's network stays as it is; networks that a test makes itself work all the same."""


@contextmanager
def docker_daemon() -> Iterator[None]:
    """``DOCKER_HOST`` leads to a daemon while the block lasts; skips the test where there can be none."""
    try:
        connect().close()
    except SandboxUnavailableError:
        with _own_daemon():
            yield
    else:
        yield


@contextmanager
def _own_daemon() -> Iterator[None]:
    if shutil.which("dockerd") is None or os.geteuid() != 0:
        pytest.skip("no Docker daemon answers, and none can be started: that needs dockerd and root")
    folder = Path(tempfile.mkdtemp(prefix="mlab-docker-", dir="/tmp"))  # short: a socket's path has 107 characters
    url = f"unix://{folder}/sock"
    paths = ["--data-root", f"{folder}/root", "--exec-root", f"{folder}/exec", "--pidfile", f"{folder}/pid"]
    with (folder / "log").open("wb") as log:
        daemon = subprocess.Popen(["dockerd", "--host", url, *paths, *_QUIET], stdout=log, stderr=log)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DOCKER_HOST", url)
        try:
            _await(daemon, folder / "log")
            yield
        finally:
            daemon.terminate()
            daemon.wait(60)
            shutil.rmtree(folder, ignore_errors=True)


def _await(daemon: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            connect().close()
        except SandboxUnavailableError:
            if daemon.poll() is not None:
                pytest.skip(f"the Docker daemon does not start here: {log.read_text()[-300:]}")
            time.sleep(0.2)
        else:
            return
    pytest.fail("the Docker daemon does not answer")
