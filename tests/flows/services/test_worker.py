"""A worker anywhere does the runs of its own pool, and ends with the signal that a batch system sends."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest

from flows.cli.commands.worker import work
from flows.errors import UsageError
from tests.flows.command import MLAB, SLOPE


@pytest.mark.timeout(300)
@pytest.mark.usefixtures("mlab_environment", "prefect_server")
@pytest.mark.slow
def test_a_worker_does_the_runs_of_its_pool(tmp_path: Path) -> None:
    log = tmp_path / "worker.log"
    with log.open("wb") as printed:
        worker = subprocess.Popen(
            [*MLAB, "worker", "--pool", "rented"],
            env=os.environ,
            stdout=printed,
            stderr=subprocess.STDOUT,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),  # as in the background of a script
        )
    try:
        command = [*MLAB, "run", str(SLOPE), "--agent", "nop", "--deployment", "rented"]
        done = subprocess.run(command, env=os.environ, capture_output=True, text=True, check=False)
        for _ in range(30):  # the deployment is there once the worker has registered it
            if "rented" not in done.stderr:
                break
            done = subprocess.run(command, env=os.environ, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr + log.read_text()
        assert "Works for" in log.read_text()
    finally:
        worker.send_signal(signal.SIGTERM)
        worker.wait(60)


def test_a_worker_without_a_server_is_told_what_it_lacks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLAB_HOME", str(tmp_path))
    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    with pytest.raises(UsageError, match="which server"):
        work("mlab", 1)
