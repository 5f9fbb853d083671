"""Killed, failed and retried runs end like undisturbed ones."""

from __future__ import annotations

import json
import random
import shutil
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

import psutil
import pytest

from environment.store import RunKeys
from tests.conftest import variables_of
from tests.flows.command import SLOPE, TUNER, mlab, mlab_json, only_run, start, trajectory
from tests.flows.conftest import Finished
from tests.flows.forked import Forked
from tests.flows.interface import HTTP


def committed(home: Path) -> int:
    return len(list((home / "store" / "runs").glob("*/steps/*/committed.json")))


def kill_after(process: Forked, seconds: float) -> bool:
    """SIGKILL a run after some time; False where it had ended before."""
    try:
        process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return True
    return False


def kill_and_resume(home: Path, kills: int, chance: random.Random, command: Sequence[str] = TUNER) -> str:
    """Kill a run ``kills`` times at random moments of its work, then let it end."""
    process = start(*command)
    while not list((home / "store" / "runs").glob("*/config.json")):
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)
    for _ in range(kills):
        before = committed(home)
        while committed(home) == before and process.poll() is None:
            time.sleep(0.01)
        if not kill_after(process, chance.uniform(0, 0.6)):
            break
        process = start("resume", only_run(home))
    _, error = process.communicate(timeout=240)
    assert process.returncode == 0, error
    return only_run(home)


@pytest.mark.usefixtures("mlab_environment")
def test_a_run_killed_three_times_ends_like_an_undisturbed_one(
    home: Path, undisturbed: Finished, prefect_server: str
) -> None:
    killed = kill_and_resume(home, 3, random.Random(0))
    assert trajectory(killed) == undisturbed.steps
    asked = {"flow_runs": {"tags": {"all_": [f"run:{killed}"]}, "state": {"type": {"any_": ["RUNNING"]}}}}
    assert HTTP.post(f"{prefect_server}/flow_runs/filter", json=asked).json() == []
    assert not [p for p in psutil.process_iter(["cmdline"]) if str(home) in " ".join(p.info["cmdline"] or [])]


@pytest.mark.slow
@pytest.mark.usefixtures("mlab_environment")
def test_a_run_killed_at_twenty_random_moments_ends_like_an_undisturbed_one(home: Path, undisturbed: Finished) -> None:
    chance, kills = random.Random(1), 0
    process = start(*TUNER)
    while kills < 20 and kill_after(process, chance.uniform(0.2, 1.5)):
        kills += 1
        runs = list((home / "store" / "runs").glob("*/config.json"))
        process = start("resume", runs[0].parent.name) if runs else start(*TUNER)
    process.communicate(timeout=240)
    assert kills > 5
    assert trajectory(only_run(home)) == undisturbed.steps


@pytest.mark.usefixtures("mlab_environment")
def test_a_terminated_run_says_how_to_go_on(home: Path) -> None:
    process = start(*TUNER)
    while committed(home) < 2:
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)
    process.send_signal(signal.SIGHUP)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 3, error
    assert f"mlab resume {only_run(home)}" in error
    assert mlab_json("resume", only_run(home))["status"] == "completed"


@pytest.mark.usefixtures("mlab_environment")
def test_a_failed_step_is_taken_up_where_it_failed(home: Path, tmp_path: Path) -> None:
    marker = str(tmp_path / "marker")
    failed = mlab("run", str(SLOPE), "--agent", "tests.flows.agents:FailsOnce", env={"MLAB_TEST_MARKER": marker})
    assert failed.returncode == 3, failed.stderr
    assert "the model's server went away" in failed.stderr
    assert "agents.py, line " in failed.stderr.replace("\n", " ")
    kept = (home / "store" / RunKeys(run_id=only_run(home)).agent_error).read_text()
    assert "raise ConnectionError" in kept
    result = mlab_json("resume", only_run(home), env={"MLAB_TEST_MARKER": marker})
    assert result["steps"] == 5
    assert result["training_runs"] == 2


@pytest.mark.usefixtures("mlab_environment")
def test_prefect_retries_by_itself_when_told_to(home: Path, tmp_path: Path) -> None:
    variables = {"MLAB_TEST_MARKER": str(tmp_path / "marker"), "PREFECT_FLOWS_DEFAULT_RETRIES": "1"}
    result = mlab_json("run", str(SLOPE), "--agent", "tests.flows.agents:FailsOnce", env=variables, anew=True)
    assert result["status"] == "completed"
    assert result["steps"] == 5


@pytest.mark.usefixtures("mlab_environment")
def test_another_machine_goes_on_with_the_same_store(home: Path, tmp_path: Path) -> None:
    store = {"MLAB_STORE": str(tmp_path / "shared-store")}
    marker = {"MLAB_TEST_MARKER": str(tmp_path / "marker")}
    mlab("run", str(SLOPE), "--agent", "tests.flows.agents:FailsOnce", env={**store, **marker})
    (run,) = (tmp_path / "shared-store" / "runs").iterdir()
    elsewhere = {"MLAB_HOME": str(tmp_path / "elsewhere")}
    result = mlab_json("resume", run.name, env={**store, **marker, **elsewhere})
    assert result["status"] == "completed"
    assert result["steps"] == 5


def test_a_branch_shares_the_past_and_makes_its_own_future(undisturbed: Finished, prefect_server: str) -> None:
    environment = variables_of(undisturbed.home, prefect_server)
    branch = mlab_json("resume", undisturbed.run_id, "--from-step", "3", env=environment)
    assert branch["run_id"] != undisturbed.run_id
    assert trajectory(branch["run_id"], environment) == undisturbed.steps


def test_a_finished_run_is_said_to_be_so(undisturbed: Finished, prefect_server: str) -> None:
    again = mlab("resume", undisturbed.run_id, "--json", env=variables_of(undisturbed.home, prefect_server))
    assert again.returncode == 0
    assert "already finished" in again.stderr
    assert json.loads(again.stdout)["score"] == undisturbed.result["score"]


def test_a_branch_off_a_step_that_is_not_there_is_wrong_usage_and_leaves_nothing(
    undisturbed: Finished, prefect_server: str
) -> None:
    environment = variables_of(undisturbed.home, prefect_server)
    runs = undisturbed.home / "store" / "runs"
    before = sorted(runs.iterdir())
    refused = mlab("resume", undisturbed.run_id, "--from-step", "400", env=environment)
    assert refused.returncode == 2
    assert "has no step 400" in refused.stderr
    assert sorted(runs.iterdir()) == before


@pytest.mark.usefixtures("mlab_environment")
@pytest.mark.parametrize("damage", ["torn", pytest.param("missing", marks=pytest.mark.slow)])
def test_a_damaged_last_commit_is_made_again(home: Path, undisturbed: Finished, damage: str) -> None:
    store, keys = home / "store", RunKeys(run_id=undisturbed.run_id)
    shutil.copytree(undisturbed.home / "store", store)
    (store / keys.result).unlink()
    last = store / keys.committed(undisturbed.result["steps"] - 1)
    if damage == "torn":
        last.write_bytes(last.read_bytes()[:40])
    else:
        last.unlink()
    assert mlab_json("resume", undisturbed.run_id)["score"] == undisturbed.result["score"]
    assert trajectory(undisturbed.run_id) == undisturbed.steps
