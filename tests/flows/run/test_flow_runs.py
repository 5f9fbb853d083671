"""What Prefect's records say of runs whose process is gone."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.flows.command import SLOPE, mlab, mlab_json, only_run
from tests.flows.interface import HTTP

GONE = """
import os
from tests.flows.agents import SubmitsNothing

class Gone(SubmitsNothing):
    def decide(self, view):
        os._exit(0)
"""


@pytest.mark.usefixtures("mlab_environment")
def test_a_run_whose_agent_ended_the_process_has_crashed_once_the_next_one_begins(
    home: Path, tmp_path: Path, prefect_server: str
) -> None:
    file = tmp_path / "gone.py"
    file.write_text(GONE)
    mlab("run", str(SLOPE), "--agent", f"{file}:Gone")
    (begun,) = _flow_runs(prefect_server, {"tags": {"all_": [f"run:{only_run(home)}"]}})
    assert begun["state_type"] == "RUNNING"
    mlab_json("run", str(SLOPE), "--agent", "nop")
    (crashed,) = _flow_runs(prefect_server, {"id": {"any_": [begun["id"]]}})
    assert crashed["state_type"] == "CRASHED"
    below = _flow_runs(prefect_server, {"parent_flow_run_id": {"any_": [begun["id"]]}})
    assert {step["state_type"] for step in below} == {"CRASHED"}


KILLED_EARLY = """
import os, signal, sys
import flows.run.flow
from flows.cli.app import main
flows.run.flow.prepare_workspace = lambda config: os.kill(os.getpid(), signal.SIGKILL)
sys.argv[1:] = ["run", *sys.argv[1:]]
main()
"""


@pytest.mark.usefixtures("mlab_environment", "home")
def test_a_run_killed_before_it_was_opened_has_crashed_once_the_next_one_begins(
    tmp_path: Path, prefect_server: str
) -> None:
    task = shutil.copytree(SLOPE, tmp_path / f"killed_{os.getpid()}")  # names its flow run
    nop = (str(SLOPE), "--agent", "nop")
    mlab_json("run", *nop)
    command = [sys.executable, "-c", KILLED_EARLY, str(task), "--agent", "nop"]
    assert subprocess.run(command, capture_output=True, check=False).returncode == -signal.SIGKILL
    (begun,) = _flow_runs(prefect_server, {"name": {"like_": task.name}})
    assert (begun["state_type"], begun["tags"]) == ("RUNNING", [])
    mlab_json("run", *nop)
    (crashed,) = _flow_runs(prefect_server, {"name": {"like_": task.name}})
    assert crashed["state_type"] == "CRASHED"


def _flow_runs(server: str, wanted: dict[str, object]) -> list[dict[str, object]]:
    found: list[dict[str, object]] = HTTP.post(f"{server}/flow_runs/filter", json={"flow_runs": wanted}).json()
    return found
