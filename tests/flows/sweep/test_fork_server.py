"""The process that a sweep's runs are forked off, when it is stopped while it still imports."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from environment.records import Budget, RunConfig
from tests.flows.command import SLOPE

SIGNALLED = """
import os, signal, sys, threading, time
from multiprocessing.forkserver import _forkserver
from environment.records import RunConfig
from flows.sweep.local import LocalRunner

def send():
    while _forkserver._forkserver_pid is None:
        time.sleep(0.01)
    time.sleep(0.2)
    for number in sys.argv[2:]:
        os.kill(_forkserver._forkserver_pid, int(number))

threading.Thread(target=send).start()
print(LocalRunner().run(RunConfig.model_validate_json(sys.argv[1])).message)
"""


STOPPED = """
import sys, threading, time
from multiprocessing.forkserver import _forkserver
from environment.records import RunConfig
from flows.sweep import local

local.PRELOADED = "slow_to_import"
runner, stopped = local.LocalRunner(), []

def stop():
    while _forkserver._forkserver_pid is None:
        time.sleep(0.01)
    time.sleep(0.2)
    stopped.append(time.monotonic())
    runner.stop()

threading.Thread(target=stop).start()
runner.run(RunConfig.model_validate_json(sys.argv[1]))
print(time.monotonic() - stopped[0])
"""


RUN = """
import importlib, json, sys
from environment.records import RunConfig
from flows.sweep import local
from flows.settings import Settings

importlib.import_module(local.PRELOADED)
from evaluation.claims.reading.rules.vocabulary import phrases
known, compiled = set(sys.modules), phrases.cache_info().currsize
local._execute(RunConfig.model_validate_json(sys.argv[1]), Settings())
print(json.dumps({"imported": sorted(set(sys.modules) - known), "compiled": compiled}))
"""


@pytest.mark.usefixtures("mlab_environment")
def test_a_run_finds_all_that_takes_long_to_import_or_to_compile() -> None:
    config = RunConfig(task=str(SLOPE), agent="tuner", sandbox="bubblewrap", budget=Budget(steps=3))
    command = [sys.executable, "-c", RUN, config.model_dump_json()]
    done = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[3], check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    imported = found["imported"]
    assert not {"mlflow", "pandas", "plotly", "sqlalchemy", "alembic.command"} & set(imported)
    assert len(imported) < 40, imported
    assert found["compiled"] > 10


@pytest.mark.usefixtures("mlab_environment")
def test_a_stop_waits_for_no_imports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "slow_to_import.py").write_text("import time\ntime.sleep(30)\n")
    root = Path(__file__).parents[3]
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}:{root}")
    command = [sys.executable, "-c", STOPPED, RunConfig(task=str(SLOPE), run_id="x").model_dump_json()]
    done = subprocess.run(command, capture_output=True, text=True, cwd=root, check=False)
    assert float(done.stdout) < 10, done.stderr


@pytest.mark.parametrize(
    ("numbers", "said"), [(("2", "15"), "None of the agents is called"), (("9",), "forked off died")]
)
@pytest.mark.usefixtures("mlab_environment")
def test_stops_do_not_reach_it_and_its_death_is_an_accident(numbers: tuple[str, ...], said: str) -> None:
    config = RunConfig(task=str(SLOPE), agent="no-such-agent", run_id="x")
    command = [sys.executable, "-c", SIGNALLED, config.model_dump_json(), *numbers]
    done = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[3], check=False)
    assert said in done.stdout, done.stderr
    assert "Traceback" not in done.stderr
