"""A home folder whose runs are whole, to be damaged."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from environment.journal.entries import Journal
from environment.journal.runs import list_runs
from environment.journal.tables import write_grades, write_tables
from environment.records import RunLock
from environment.store import RunKeys, Store
from tests.benchmarks.report import fill
from tests.evaluation.report.samples import sample_run

RUNS = 3
RECORDS = ("config", "lock", "result", "judgement")
ENTRIES = ("decided", "executed", "committed")
TABLES = ("trajectory", "evidence", "claims", "grades")
KINDS = (*RECORDS, *ENTRIES, *TABLES)
REBUILT = {"trajectory", "evidence", "claims"}


class Home(NamedTuple):
    """A home folder, its store, and the run that is damaged."""

    store: Store
    root: Path
    victim: str
    others: list[str]

    def file(self, kind: str) -> Path:
        keys = RunKeys(run_id=self.victim)
        if kind in TABLES:
            return self.root / keys.table(kind)
        key = getattr(keys, kind)
        return self.root / str(key(2) if kind in ENTRIES else key)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole")
    (folder / "workspace").mkdir()
    store = Store(str(folder / "store"))
    agent_state = store.put_object(b"null")
    for index in range(RUNS):
        run = sample_run(index, steps=4)
        steps = tuple(
            step.model_copy(
                update={
                    "checkpoint": step.checkpoint.model_copy(
                        update={"agent_state": agent_state, "environment_state": agent_state}
                    ),
                    "effect": step.effect.model_copy(
                        update={
                            "training_run": step.effect.training_run
                            and step.effect.training_run.model_copy(update={"output": agent_state, "artifacts": {}}),
                            "observation": step.effect.observation.model_copy(update={"full": None}),
                        }
                    ),
                }
            )
            for step in run.steps
        )
        run_id = run.result.run_id
        fill(store, run.model_copy(update={"steps": steps}), folder / "workspace")
        lock = RunLock(task_digest="", data_digest="", code_version="", python="", sandbox="")
        Journal(store, run_id).write_lock(lock)
        write_tables(store, run_id, Journal(store, run_id).steps(), run.claims)
        write_grades(store, run_id, run.grades)
        if run.judgement:
            store.put_record(RunKeys(run_id=run_id).judgement, run.judgement)
    return folder / "store"


@pytest.fixture
def damaged_home(whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    root = tmp_path / "home" / "store"
    shutil.copytree(whole, root)
    monkeypatch.setenv("MLAB_HOME", str(root.parent))
    for name in ("MLAB_STORE", "MLFLOW_TRACKING_URI"):
        monkeypatch.delenv(name, raising=False)
    store = Store(str(root))
    victim, *others = list_runs(store)
    return Home(store, root, victim, others)
