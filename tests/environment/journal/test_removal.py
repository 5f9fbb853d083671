"""Runs are removed with what no other run needs."""

from __future__ import annotations

from pathlib import Path

from environment.journal.damage import RunCheck
from environment.journal.entries import Journal
from environment.journal.removal import remove
from environment.journal.runs import list_runs
from environment.store import OBJECTS, Store
from tests.benchmarks.report import fill
from tests.evaluation.report.samples import sample_run


def test_the_other_runs_keep_all_that_they_share(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "store"))
    runs = [sample_run(index) for index in range(3)]
    for run in runs:
        folder = tmp_path / run.result.run_id
        folder.mkdir()
        fill(store, run, folder)
    gone, *kept = [run.result.run_id for run in runs]
    check, before = RunCheck(store, set()), len(list(store.list(OBJECTS)))
    needed = {digest for run_id in kept for digest in check.objects_of(Journal(store, run_id))}
    needed = {digest for digest in needed if store.has_object(digest)}
    removed = remove(store, [gone])
    assert list_runs(store) == sorted(kept)
    assert removed.kept_for == ()
    assert len(list(store.list(OBJECTS))) == before - removed.objects
    assert needed
    assert all(map(store.has_object, needed))
    remove(store, kept)
    assert not any(map(store.has_object, needed))
