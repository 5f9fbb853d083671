"""A log that is imported by two paths is one run."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path

import pytest

from environment.journal.entries import Journal
from environment.journal.runs import list_runs
from environment.mlflow.names import experiment_name
from environment.store import Store
from evaluation.importers.detect import read_logs
from evaluation.importers.importer import tallied
from evaluation.importers.known import KnownLogs
from evaluation.importers.records import import_log
from evaluation.record.log import RunLog
from tests.evaluation.importers.logs import WRITERS
from tests.flows.cli.in_process import command


def test_an_imported_run_is_not_counted_as_one_of_the_benchmarks_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MLAB_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("MLAB_STORE", raising=False)
    assert command("import", str(WRITERS["mlgym"](tmp_path / "run_0"))).code == 0
    store = Store(str(tmp_path / "home" / "store"))
    (run_id,) = list_runs(store)
    paper = command("paper", "--variant", "full")
    assert paper.code != 0
    assert "No run with full data has a grade" in paper.printed
    config = Journal(store, run_id).config()
    assert config is not None
    assert experiment_name(config).endswith(" (imported)")


@pytest.mark.parametrize("harness", WRITERS)
def test_a_copy_is_known_under_the_name_it_was_imported_by(harness: str, tmp_path: Path) -> None:
    (log,) = read_logs(WRITERS[harness](tmp_path / "run_0"))
    store = Store(str(tmp_path / "store"))
    copy = log.model_copy(update={"source": "elsewhere"})
    other = copy.model_copy(update={"task_text": "another"})
    empty = RunLog(source="empty", steps=())
    assert KnownLogs(store).as_known(copy) == copy
    import_log(store, log)
    import_log(store, empty)
    known = KnownLogs(store)
    assert known.as_known(copy) == known.as_known(log) == log
    assert known.as_known(other) == other
    assert known.as_known(other.model_copy(update={"source": "third"})) == other
    assert known.as_known(RunLog(source="other empty", steps=())).source == "other empty"


def test_import_names_the_run_that_a_copy_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLAB_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("MLAB_STORE", raising=False)
    path = WRITERS["mlgym"](tmp_path / "first" / "run_0")
    copy = shutil.copytree(tmp_path / "first", tmp_path / "second") / path.relative_to(tmp_path / "first")
    assert "1 run imported" in command("import", str(path)).printed
    (run_id,) = list_runs(Store(str(tmp_path / "home" / "store")))
    assert "0 runs imported, 1 run there already" in command("import", str(path)).printed
    again = command("import", str(copy), str(path))
    assert again.code == 0
    assert f"same content as run {run_id}; not stored again" in again.printed
    assert "0 runs imported, 1 run there already" in again.printed
    assert list_runs(Store(str(tmp_path / "home" / "store"))) == [run_id]
    printed = command("import", str(path), "--json").printed
    assert [run["run_id"] for run in json.loads(printed)] == [run_id]


def test_a_kind_without_a_name_is_told_as_that() -> None:
    assert tallied(Counter({"weird": 2, "": 1})) == "weird (2), without a kind (1)"
