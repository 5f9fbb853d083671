"""Sweeps with real processes, a real Prefect server and scripted agents."""

from __future__ import annotations

import json
import signal
import time
from collections import Counter
from pathlib import Path

import pytest

from environment.journal.tables import read_grades
from environment.store import Store
from tests.flows.command import SLOPE, mlab, start
from tests.flows.forked import Forked
from tests.flows.sweep_agents import FAILS, KILLED_ONCE, UNLUCKY_ONCE
from tests.flows.sweeping import by_seed, decisions, held, notes, sweep_json, write_sweep

pytestmark = pytest.mark.timeout(600)

__all__ = ["notes"]


@pytest.mark.timeout(1_200)
@pytest.mark.parametrize("seeds", [[0, FAILS, KILLED_ONCE, UNLUCKY_ONCE], list(range(12))])
@pytest.mark.slow
def test_accidents_are_mended_failures_kept_and_nothing_done_twice(
    notes: Path, tmp_path: Path, seeds: list[int]
) -> None:
    file = write_sweep(tmp_path, seeds=seeds)
    report = sweep_json(file, "--local", "3")
    cells = by_seed(report)
    assert Counter(cell["state"] for cell in cells.values()) == {"done": len(seeds) - 1, "agent failed": 1}
    assert cells[FAILS]["failure"]["kind"] == "agent"
    assert "a mistake of the agent" in cells[FAILS]["failure"]["message"]
    assert cells[FAILS]["attempts"] == 1
    assert cells[KILLED_ONCE]["attempts"] == 2
    assert cells[UNLUCKY_ONCE]["attempts"] == 2

    asked = decisions(notes)
    assert asked[0] == [0, 1]
    assert asked[KILLED_ONCE] == [0, 1, 1]  # the committed step 0 is not decided again
    assert asked[UNLUCKY_ONCE] == [0, 1, 1]
    assert asked[FAILS] == [0, 1]

    again = sweep_json(file, "--local", "3")
    assert decisions(notes) == asked
    assert {cell["attempts"] for cell in again["cells"]} == {0}
    assert [cell["run_id"] for cell in again["cells"]] == [cell["run_id"] for cell in report["cells"]]

    retried = by_seed(sweep_json(file, "--retry-failed"))
    assert decisions(notes)[FAILS] == [0, 1, 1]
    assert retried[FAILS]["attempts"] == 1


@pytest.mark.slow
def test_the_steps_of_finished_runs_are_graded_when_it_is_asked_for_later(
    notes: Path, tmp_path: Path, home: Path
) -> None:
    file = write_sweep(tmp_path, seeds=[0, 1])
    before = by_seed(sweep_json(file))
    asked = decisions(notes)
    plan = sweep_json(file, "--intermediate", "--dry-run")
    assert [run["done"] for run in plan["runs"]] == [False, False]
    assert plan["estimate"]["runs"] == 0
    after = by_seed(sweep_json(file, "--intermediate"))
    assert decisions(notes) == asked, "no agent is asked again"
    store = Store(str(home / "store"))
    for seed, cell in after.items():
        assert cell["run_id"] == before[seed]["run_id"]
        assert len(read_grades(store, cell["run_id"])) == cell["result"]["steps"] == 2
        assert {**cell["result"], "best": None} == {**before[seed]["result"], "best": None}
    assert {cell["attempts"] for cell in sweep_json(file, "--intermediate")["cells"]} == {0}


def wait_for_a_decision(process: Forked, notes: Path) -> None:
    while not decisions(notes):
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
@pytest.mark.slow
def test_a_killed_sweep_goes_on_where_it_was(notes: Path, tmp_path: Path, how: signal.Signals) -> None:
    file = write_sweep(tmp_path, seeds=[0, 1, 2])
    with held(notes, 0):
        process = start("sweep", file, "--local", "2")
        wait_for_a_decision(process, notes)
        process.send_signal(how)
    _, error = process.communicate(timeout=200)
    assert process.returncode == (-9 if how is signal.SIGKILL else 3), error
    report = sweep_json(file)
    assert {cell["state"] for cell in report["cells"]} == {"done"}
    for steps in decisions(notes).values():
        assert Counter(steps)[0] <= 2
        assert steps[-1] == 1


def test_further_signals_do_not_break_off_what_the_first_one_asked_for(notes: Path, tmp_path: Path) -> None:
    with held(notes, 0):
        process = start("sweep", write_sweep(tmp_path, seeds=[0, 1, 2]), "--local", "2")
        wait_for_a_decision(process, notes)
        for _ in range(4):
            process.send_signal(signal.SIGINT)
            time.sleep(0.1)
    output, error = process.communicate(timeout=200)
    assert process.returncode == 3, error
    assert "stopped" in {cell["state"] for cell in json.loads(output)["cells"]}


def test_infrastructure_that_stays_away_stops_nobody_and_is_reported(notes: Path, tmp_path: Path) -> None:
    missing = {"task": str(SLOPE), "agent": "no-such-agent"}
    file = write_sweep(tmp_path, seeds=1, include=[missing])
    good, bad = sweep_json(file, expect=1)["cells"]
    assert good["state"] == "done"
    assert (bad["state"], bad["failure"]["kind"], bad["attempts"]) == ("unfinished", "setup", 1)
    assert "None of the agents is called 'no-such-agent'" in bad["failure"]["message"]


def test_a_dry_run_runs_nothing(notes: Path, tmp_path: Path) -> None:
    file = write_sweep(tmp_path, seeds=3)
    plan = sweep_json(file, "--dry-run")
    assert [run["done"] for run in plan["runs"]] == [False] * 3
    assert plan["estimate"]["cost"] == 0
    assert decisions(notes) == {}
    shown = mlab("sweep", file, "--dry-run")
    assert "3 runs, 0 done already, 3 to do" in shown.stdout


def test_a_sweep_of_runs_under_way_is_told_so_before_it_begins_and_the_same_one_is_refused_at_once(
    notes: Path, tmp_path: Path
) -> None:
    file = write_sweep(tmp_path, seeds=[0, 1])
    (tmp_path / "other").mkdir()
    with held(notes, 0):
        first = start("sweep", file, "--local", "2")
        wait_for_a_decision(first, notes)
        same = mlab("sweep", file)
        sharing = mlab("sweep", write_sweep(tmp_path / "other", seeds=[1, 2]))
    assert (same.returncode, same.stdout) == (2, "")
    assert f"The runs of sweep scripted are being made already, by process {first.pid} on " in same.stderr
    assert sharing.stderr.count(f"1 of these 2 runs are also made by process {first.pid} on ") == 1
    output, error = first.communicate(timeout=200)
    assert first.returncode == 0, error
    assert "are also made" not in error
    assert {cell["attempts"] for cell in json.loads(output)["cells"]} == {1}
    assert mlab("sweep", file).returncode == 0
