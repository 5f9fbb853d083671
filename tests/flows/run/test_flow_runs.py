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


KILLED_EARLY = """
import os, signal, sys
import flows.run.flow
from flows.cli.app import main
flows.run.flow.prepare_workspace = lambda config: os.kill(os.getpid(), signal.SIGKILL)
sys.argv[1:] = ["run", *sys.argv[1:]]
main()
"""


@pytest.mark.usefixtures("mlab_environment")
def test_runs_that_ended_with_their_process_have_crashed_once_the_next_one_begins(
    home: Path, tmp_path: Path, prefect_server: str
) -> None:
    file = tmp_path / "gone.py"
    file.write_text(GONE)
    mlab("run", str(SLOPE), "--agent", f"{file}:Gone")
    (gone,) = _flow_runs(prefect_server, {"tags": {"all_": [f"run:{only_run(home)}"]}})
    assert gone["state_type"] == "RUNNING"

    task = shutil.copytree(SLOPE, tmp_path / f"killed_{os.getpid()}")  # names its flow run
    command = [sys.executable, "-c", KILLED_EARLY, str(task), "--agent", "nop"]
    assert subprocess.run(command, capture_output=True, check=False).returncode == -signal.SIGKILL
    (killed,) = _flow_runs(prefect_server, {"name": {"like_": task.name}})
    assert (killed["state_type"], killed["tags"]) == ("RUNNING", []), "it was not opened"

    mlab_json("run", str(SLOPE), "--agent", "nop")
    below = _flow_runs(prefect_server, {"parent_flow_run_id": {"any_": [gone["id"]]}})
    begun = _flow_runs(prefect_server, {"id": {"any_": [gone["id"], killed["id"]]}})
    assert below
    assert [run["state_type"] for run in (*begun, *below)] == ["CRASHED"] * (2 + len(below))


def _flow_runs(server: str, wanted: dict[str, object]) -> list[dict[str, object]]:
    found: list[dict[str, object]] = HTTP.post(f"{server}/flow_runs/filter", json={"flow_runs": wanted}).json()
    return found
