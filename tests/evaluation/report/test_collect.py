from __future__ import annotations

import io
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from environment.errors import RunNotFoundError
from environment.journal.entries import Journal
from environment.journal.tables import write_tables
from environment.records import RunStatus
from environment.store import RunKeys, Store
from evaluation.report.collect import read_run, stream_runs
from evaluation.report.kept import rebuild_tables
from evaluation.report.write import write_report
from tests.benchmarks.report import fill
from tests.evaluation.report.samples import sample_run


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(str(tmp_path / "store"))


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "workspace").mkdir()
    return tmp_path / "workspace"


def test_a_run_comes_back_as_it_was_stored(store: Store, workspace: Path) -> None:
    run = sample_run(3)
    fill(store, run, workspace)
    write_tables(store, run.result.run_id, run.steps, run.claims)
    found = read_run(store, run.result.run_id)
    assert found.result == run.result
    assert found.config == run.config
    assert [step.decision for step in found.steps] == [step.decision for step in run.steps]
    assert found.claims == run.claims


def test_claims_of_an_earlier_version_are_read(store: Store, workspace: Path) -> None:
    run = sample_run(3)
    fill(store, run, workspace)
    write_tables(store, run.result.run_id, run.steps, run.claims)
    key = RunKeys(run_id=run.result.run_id).table("claims")
    table = pq.read_table(io.BytesIO(store.get(key)))
    target = io.BytesIO()
    pq.write_table(table.append_column("hidden", pa.array([False] * len(table))), target)
    store.put(key, target.getvalue())
    assert read_run(store, run.result.run_id).claims == run.claims


def test_changes_are_read_from_the_snapshots(store: Store, workspace: Path) -> None:
    run = sample_run(3)
    fill(store, run, workspace)
    found = read_run(store, run.result.run_id)
    assert {n for n in found.changes if n} == {n for n in run.changes if n}
    assert "-lines = 2" in found.changes[4][0].diff
    assert "+lines = 4" in found.changes[4][0].diff


def test_a_run_without_claims_is_audited_when_read(store: Store, workspace: Path) -> None:
    run = sample_run(3)
    fill(store, run, workspace)
    claims = read_run(store, run.result.run_id).claims
    assert {claim.source for claim in claims} == {run.result.run_id}


def test_an_unfinished_run_has_its_steps_but_no_score(store: Store, workspace: Path) -> None:
    run = sample_run(3)
    fill(store, run, workspace)
    store.delete(Journal(store, run.result.run_id).keys.result)
    result = read_run(store, run.result.run_id).result
    assert result.status is RunStatus.INTERRUPTED
    assert (result.steps, result.score, result.success) == (len(run.steps), None, False)
    assert result.error is None
    store.put(Journal(store, run.result.run_id).keys.agent_error, b"Traceback:\n  ...\nValueError: no plan\n")
    assert read_run(store, run.result.run_id).result.error == "The agent's own code raised ValueError: no plan"


def test_evidence_that_is_kept_is_not_derived_again(
    store: Store, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = sample_run(3)
    fill(store, run, workspace)
    derived = read_run(store, run.result.run_id).evidence
    rebuild_tables(store, run.result.run_id)
    monkeypatch.delattr("evaluation.record.table.record_rows")
    assert derived
    assert read_run(store, run.result.run_id).evidence == derived


def test_runs_named_must_be_there(store: Store, workspace: Path, tmp_path: Path) -> None:
    for index in range(3):
        fill(store, sample_run(index), workspace)
    names = [sample_run(index).result.run_id for index in range(3)]
    assert sorted(run.result.run_id for run in stream_runs(store)) == sorted(names)
    assert [run.result.run_id for run in stream_runs(store, names[1:2])] == names[1:2]
    with pytest.raises(RunNotFoundError):
        list(stream_runs(store, ["no-such-run"]))
    assert write_report(stream_runs(store), tmp_path / "report").runs == 3


def test_a_run_that_cannot_be_read_does_not_cost_the_report(
    store: Store, workspace: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for index in range(2):
        fill(store, sample_run(index), workspace)
    torn = sample_run(0).result.run_id
    store.put(Journal(store, torn).keys.config, b"{")
    store.put(Journal(store, torn).keys.result, b"{")
    assert [run.result.run_id for run in stream_runs(store)] == [sample_run(1).result.run_id]
    assert "left out of the report" in caplog.text


def test_many_runs_are_read_in_order_by_several_processes(
    store: Store, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for index in range(4):
        fill(store, sample_run(index, steps=3), workspace)
    alone = list(stream_runs(store))
    monkeypatch.setattr("evaluation.report.collect.WORTH_PROCESSES", 2)
    monkeypatch.setattr("evaluation.report.collect.usable_cores", lambda: 2)
    assert list(stream_runs(store)) == alone
    with pytest.raises(RunNotFoundError):
        list(stream_runs(store, [alone[0].result.run_id, "no-such-run"]))
