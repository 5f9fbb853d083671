"""Sweeps on many machines: through a deployment and a worker, with the store on S3."""

from __future__ import annotations

import os
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from environment.journal.entries import Journal
from environment.journal.runs import list_runs
from environment.store import Store
from flows.services.worker import worker_service
from flows.settings import Settings
from tests.conftest import connected_to
from tests.environment.s3 import BUCKET, s3_server
from tests.flows.command import MLAB
from tests.flows.sweep_agents import FAILS, KILLED_ONCE
from tests.flows.sweeping import by_seed, decisions, notes, sweep_json, write_sweep

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1_200)]

__all__ = ["notes"]


def test_workers_run_a_sweep_and_a_killed_driver_finds_their_runs_again(
    notes: Path, tmp_path: Path, prefect_server: str
) -> None:
    from flows.deploying.register import register

    with connected_to(prefect_server):
        register()
    worker = worker_service(Settings(), prefect_server)
    worker.ensure()
    file = write_sweep(tmp_path, seeds=[0, FAILS, KILLED_ONCE])
    try:
        command = [*MLAB, "sweep", file, "--deployment", "benchmark-run/mlab"]
        driver = subprocess.Popen(command, env=os.environ, stdout=subprocess.DEVNULL)
        while not list(notes.iterdir()):
            assert driver.poll() is None
        driver.kill()
        driver.wait()
        report = sweep_json(file, "--deployment", "mlab")
    finally:
        worker.stop()
    assert {seed: cell["state"] for seed, cell in by_seed(report).items()} == {
        0: "done",
        FAILS: "agent failed",
        KILLED_ONCE: "done",
    }
    assert decisions(notes) == {0: [0, 1], FAILS: [0, 1], KILLED_ONCE: [0, 1, 1]}


def test_a_sweep_keeps_all_on_s3_and_goes_on_from_there(
    notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with s3_server() as variables:
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        url = f"s3://{BUCKET}/store"
        monkeypatch.setenv("MLAB_STORE", url)
        file = write_sweep(tmp_path, seeds=[0, KILLED_ONCE])
        report = sweep_json(file)
        assert Counter(cell["state"] for cell in report["cells"]) == {"done": 2}
        assert decisions(notes)[KILLED_ONCE] == [0, 1, 1]
        monkeypatch.setenv("MLAB_HOME", str(tmp_path / "another-machine"))
        again = sweep_json(file)
        assert {cell["attempts"] for cell in again["cells"]} == {0}
        store = Store(url)
        assert [len(Journal(store, run).steps()) for run in list_runs(store)] == [2, 2]
