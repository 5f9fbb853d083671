"""What an imported log says is no reason to run anything."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from environment.journal.entries import Journal
from environment.store import Store
from evaluation.importers.records import import_log
from flows.grading.again import grade_checkpoint
from flows.run.checking import check_config
from flows.settings import Settings
from tasks_catalog.library.errors import TaskNotFoundError
from tests.evaluation.importers.logs import WRITERS
from tests.flows.command import SLOPE


def test_a_log_can_name_tasks_of_the_catalogue_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from evaluation.importers.detect import read_logs

    planted = tmp_path / "t1"
    shutil.copytree(SLOPE, planted)
    (planted / "prepare.py").write_text(f"open({str(tmp_path / 'pwned')!r}, 'w')\ndef prepare(job): pass\n")
    monkeypatch.chdir(tmp_path)
    (log,) = read_logs(WRITERS["compact"](tmp_path / "run_0"))
    store, settings = Store(str(tmp_path / "store")), Settings(home=tmp_path / "home")
    run_id = import_log(store, log.model_copy(update={"task": "./t1"})).run_id
    journal = Journal(store, run_id)
    with pytest.raises(TaskNotFoundError, match="in the catalogue"):
        grade_checkpoint(store, journal, settings, step=0)
    with pytest.raises(TaskNotFoundError, match="in the catalogue"):
        check_config(journal.config(), settings, store)
    assert not (tmp_path / "pwned").exists()
