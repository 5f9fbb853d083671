"""Runs are removed with what no other run needs."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from environment.errors import CopiedRunError
from environment.journal.damage import RunCheck
from environment.journal.entries import Journal
from environment.journal.removal import remove
from environment.journal.runs import list_runs, summaries
from environment.store import OBJECTS, Store
from evaluation.report.collect import stream_runs
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


def test_a_copied_folder_counts_as_no_run_and_can_be_removed(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "store"))
    run = sample_run(0)
    run_id = run.result.run_id
    assert run.config
    fill(store, run.model_copy(update={"config": run.config.model_copy(update={"run_id": run_id})}), tmp_path)
    shutil.copytree(tmp_path / "store" / "runs" / run_id, tmp_path / "store" / "runs" / "copy")
    assert [found.run_id for found in summaries(store)] == [run_id]
    with pytest.raises(CopiedRunError, match=f"runs/copy/ is a copy of that of run {run_id}"):
        Journal(store, "copy").config()
    assert [read.result.run_id for read in stream_runs(store)] == [run_id]
    (told,) = RunCheck(store, set()).damage("copy")
    assert "`mlab rm copy`" in told.sentence
    remove(store, ["copy"])
    assert list_runs(store) == [run_id]
