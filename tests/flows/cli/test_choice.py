"""Runs chosen by what they have in common: for the report, and to be removed."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from environment.journal.entries import Journal
from environment.journal.runs import list_runs
from environment.store import Store, sweep_key
from flows.cli.commands.choice import Choice
from flows.errors import UsageError
from flows.sweep.kept import SweepRecord
from flows.sweep.spec import SweepSpec
from tests.benchmarks.report import fill
from tests.evaluation.report.samples import sample_run
from tests.flows.cli.in_process import command


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """Three runs, of which the first is a sweep's."""
    monkeypatch.setenv("MLAB_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("MLAB_STORE", raising=False)
    store = Store(str(tmp_path / "home" / "store"))
    for index in range(3):
        run = sample_run(index)
        assert run.config is not None
        if index == 0:
            run = run.model_copy(update={"config": run.config.model_copy(update={"tags": ("sweep:mine",)})})
        folder = tmp_path / str(index)
        folder.mkdir()
        fill(store, run, folder)
    return store


def test_runs_are_chosen_by_sweep_task_and_agent(store: Store) -> None:
    ids = [sample_run(index).result.run_id for index in range(3)]
    assert Choice((), sweep="mine").ids(store) == [ids[0]]
    assert Choice((), agent="tuner").ids(store) == [ids[2]]
    assert sorted(Choice(()).ids(store)) == sorted(ids)
    began = Journal(store, ids[2]).steps()[0].started
    assert Choice((), agent="tuner", since=began).ids(store) == [ids[2]]
    with pytest.raises(UsageError, match="No run of the store fits"):
        Choice((), agent="tuner", since=began + timedelta(seconds=1)).ids(store)
    with pytest.raises(UsageError, match="No run of the store fits"):
        Choice((), sweep="mine", agent="tuner").ids(store)


def test_a_sweep_reports_what_it_found_done_and_removes_only_what_it_made(store: Store) -> None:
    ids = [sample_run(index).result.run_id for index in range(3)]
    record = SweepRecord(spec=SweepSpec(name="later"), runs=(ids[0], ids[1], "not-begun"))
    store.put_record(sweep_key("later"), record)
    assert sorted(Choice((), sweep="later").ids(store)) == sorted(ids[:2])
    told = command("report", "--sweep", "later")
    assert told.printed.startswith("2 runs:"), told.printed
    kept = command("rm", "--sweep", "later", "--yes")
    assert kept.code == 2, kept.printed
    assert sorted(list_runs(store)) == sorted(ids)


def test_one_sweep_is_removed_after_a_yes_and_the_rest_stays(store: Store) -> None:
    mine = sample_run(0).result.run_id
    assert command("rm").code == 2
    refused = command("rm", "--sweep", "mine")
    assert (refused.code, refused.fault) == (2, None), "nobody said yes"
    assert "--yes" in refused.printed
    assert mine in list_runs(store)
    done = command("rm", "--sweep", "mine", "--yes")
    assert done.code == 0, done.printed
    assert mine not in list_runs(store)
    assert len(list_runs(store)) == 2


def test_reports_of_some_runs_have_folders_of_their_own() -> None:
    assert Choice(()).folder == "all"
    assert Choice(("r1",)).folder == "some"
    assert Choice((), sweep="s", agent="a.b:C").folder == "sweep-s-agent-a.b-C"
