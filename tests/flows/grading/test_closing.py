"""Runs that nobody will resume are ended by hand, and counted as it is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from environment.journal.damage import RunCheck
from environment.journal.entries import Journal
from environment.journal.lease import RunLease
from environment.journal.runs import summary
from environment.records import RunStatus
from environment.store import Store
from evaluation.report.collect import stream_runs
from evaluation.report.digest import digest
from evaluation.report.summary import summarise
from tests.benchmarks.report import fill
from tests.evaluation.report.samples import sample_run
from tests.flows.cli.in_process import command


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """Two runs of a store, the second of which was interrupted."""
    monkeypatch.setenv("MLAB_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("MLAB_STORE", raising=False)
    store = Store(str(tmp_path / "home" / "store"))
    for index in (3, 4):
        (tmp_path / str(index)).mkdir()
        fill(store, sample_run(index), tmp_path / str(index))
    store.delete(Journal(store, INTERRUPTED).keys.result)
    return store


ENDED, INTERRUPTED = (sample_run(index).result.run_id for index in (3, 4))


@pytest.mark.parametrize(("end", "counted"), [("failed", 2), ("infrastructure", 1)])
def test_a_stalled_run_is_closed_once_with_a_reason(store: Store, end: str, counted: int) -> None:
    asked = ("close", INTERRUPTED, "--as", end, "--reason", "its machine is gone")
    done = command(*asked)
    assert done.code == 0, done.printed
    closed = Journal(store, INTERRUPTED).result()
    assert closed is not None
    assert (closed.status, closed.error) == (RunStatus(end), "closed by hand: its machine is gone")
    assert summary(store, INTERRUPTED).status is RunStatus(end)
    assert closed.steps == len(Journal(store, INTERRUPTED).steps()) > 0
    assert not [found for found in RunCheck(store, set()).damage(INTERRUPTED) if found.table]
    report = summarise([digest(run) for run in stream_runs(store)])
    assert (report.runs, report.finished) == (2, counted)
    again = command(*asked)
    assert again.code == 2
    assert "has ended already" in again.printed


def test_a_run_that_ended_or_is_under_way_is_not_closed(store: Store) -> None:
    assert command("close", ENDED, "--as", "failed", "--reason", "no").code == 2
    with RunLease(store, INTERRUPTED):
        done = command("close", INTERRUPTED, "--as", "failed", "--reason", "no")
    assert done.code != 0
    assert "is being worked by process" in done.printed
    assert Journal(store, INTERRUPTED).result() is None
