"""One bad file costs at most its run: every kind of file is cut and flipped, and every reader goes on."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from environment.errors import StoreError
from environment.journal.damage import RunCheck, damaged_objects
from environment.journal.entries import Journal
from environment.journal.runs import list_runs, summaries
from environment.store import RunKeys
from evaluation.report.collect import read_run, stream_runs
from flows.sweep.outcome import settled_outcome
from tests.flows.cli.damaging import ENTRIES, KINDS, RUNS, TABLES, Home
from tests.flows.cli.in_process import command
from tests.flows.command import MLAB, mlab


def damages(content: bytes) -> Iterator[bytes]:
    """Flipped at several places, cut, emptied, and something else altogether."""
    for place in (0, len(content) // 3, len(content) // 2, len(content) - 1):
        flipped = bytearray(content)
        flipped[place] ^= 1
        yield bytes(flipped)
    yield from (content[: len(content) // 2], b"", b"\xff\0[{" * 9)


def rows(path: Path) -> list[dict[str, object]] | None:
    try:
        return list(pq.read_table(path, page_checksum_verification=True).to_pylist())
    except (pa.ArrowException, OSError, ValueError):
        return None


def test_an_undamaged_store_is_whole(damaged_home: Home) -> None:
    check = RunCheck(damaged_home.store, damaged_objects(damaged_home.store))
    assert [found for run in list_runs(damaged_home.store) for found in check.damage(run)] == []


@pytest.mark.parametrize("kind", ["config", "result"])
def test_a_folder_in_place_of_a_record_is_damage(damaged_home: Home, kind: str) -> None:
    path = damaged_home.file(kind)
    path.unlink()
    path.mkdir()
    found = list(RunCheck(damaged_home.store, set()).damage(damaged_home.victim))
    assert [damaged_home.root / each.key for each in found] == [path]
    (listed,) = [run for run in summaries(damaged_home.store) if run.run_id == damaged_home.victim]
    assert [damaged_home.root / key for key in listed.damage] == [path]
    with pytest.raises(StoreError, match="is a folder and should be a file"):
        damaged_home.store.put(path.relative_to(damaged_home.root).as_posix(), b"")


def test_a_torn_result_is_told_once(damaged_home: Home, caplog: pytest.LogCaptureFixture) -> None:
    damaged_home.file("result").write_bytes(b"{")
    assert len(list(stream_runs(damaged_home.store))) == RUNS
    assert [record.getMessage().partition(" ")[0] for record in caplog.records] == [
        RunKeys(run_id=damaged_home.victim).result
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_readers_go_on_past_a_damaged_file_and_name_it(damaged_home: Home, kind: str) -> None:
    home, store = damaged_home, damaged_home.store
    path = home.file(kind)
    if not path.exists():
        path = home.root / RunKeys(run_id=home.victim).table("grades")
    content = path.read_bytes()
    rows_before = rows(path) if kind in TABLES else None
    before = {run: read_run(store, run) for run in home.others}
    for damage in damages(content):
        path.write_bytes(damage)
        if kind in TABLES and rows(path) == rows_before:
            continue  # a flip in what no reader needs
        found = list(RunCheck(store, set()).damage(home.victim))
        assert [home.root / each.key for each in found] == [path], (kind, damage[:20])
        runs = {run.result.run_id: run for run in stream_runs(store)}
        assert {run: runs[run] for run in home.others} == before
        listed = {run.run_id: run for run in summaries(store)}
        assert listed.keys() == {home.victim, *home.others}
        assert bool(listed[home.victim].damage) == (kind in {"config", "result"})


@pytest.mark.parametrize("kind", ["config", "executed", "claims"])
def test_no_command_ends_in_a_traceback(damaged_home: Home, kind: str) -> None:
    home = damaged_home
    path = home.file(kind)
    path.write_bytes(path.read_bytes()[:-40])
    for arguments in (
        ("show",),
        ("show", "--json"),
        ("show", home.victim),
        ("show", home.victim, "--json"),
        ("show", home.others[0]),
        ("audit", home.victim),
        ("audit", home.others[0], "--json"),
    ):
        done = command(*arguments)
        assert done.fault is None, (arguments, done)
        if home.others[0] in arguments or "--json" in arguments or len(arguments) == 1:
            assert done.code == 0, done
        if arguments == ("show", home.victim) and kind != "claims":
            assert "damaged" in done.printed or "config.json" in done.printed
    done = command("report", "--json", "--out", str(home.root.parent / "report"))
    assert (done.code, done.fault) == (0, None)
    assert f'"runs":{RUNS}' in done.printed.replace(" ", "")


@pytest.mark.parametrize("columns", [["source", "step"], ["a", "b"]])
def test_claims_of_other_columns_are_told_in_a_line_and_mended(damaged_home: Home, columns: list[str]) -> None:
    path = damaged_home.file("claims")
    kept = pq.read_schema(path).names
    for arguments in (("show", damaged_home.victim), ("audit", damaged_home.victim)):
        pq.write_table(pq.read_table(path).select(["source", "step"]).rename_columns(columns), path)
        done = mlab(*arguments, anew=True)  # others' libraries, once imported, have ways of their own to log
        assert done.returncode == 0, done.stderr
        told, *others = done.stderr.splitlines()
        assert "read anew from its journal: " in told
        assert "claims.parquet" in told
        assert "doctor" not in done.stderr
        assert (len(others) <= 1, "validation" in done.stderr) == (True, False), others  # audit offers a model
        assert pq.read_schema(path).names == kept


@pytest.mark.parametrize("table", TABLES)
def test_a_table_without_a_column_that_all_have_had_is_damage(damaged_home: Home, table: str) -> None:
    path = damaged_home.file(table)
    pq.write_table(pq.read_table(path).drop_columns(["step"]), path)
    (found,) = RunCheck(damaged_home.store, set()).damage(damaged_home.victim)
    assert damaged_home.root / found.key == path
    done = command("show", damaged_home.victim, "--json")
    assert (done.code, done.fault) == (0, None), done


@pytest.mark.parametrize("there", [True, False])
def test_a_report_that_cannot_be_written_leaves_all_as_it_was(damaged_home: Home, tmp_path: Path, there: bool) -> None:
    reports = tmp_path / "reports"
    out = reports / "all"
    if there:
        assert command("report", damaged_home.victim, "--out", str(out)).code == 0
    before = {file: file.read_bytes() for file in reports.rglob("*") if file.is_file()}
    # Blocks of 512 bytes: room for the claims, and not for the page.
    limited = ["sh", "-c", 'ulimit -f 200; exec "$@"', "sh", *MLAB, "report", "--out", str(out)]
    done = subprocess.run(limited, capture_output=True, text=True, check=False)
    assert (done.returncode, "limit on the size of files" in done.stderr) == (1, True), done.stderr
    assert {file: file.read_bytes() for file in reports.rglob("*") if file.is_file()} == before
    assert reports.exists() == there


@pytest.mark.parametrize("kind", [*ENTRIES, "config", "lock"])
def test_resume_changes_nothing_of_a_finished_run(damaged_home: Home, kind: str) -> None:
    path = damaged_home.file(kind)
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(bytes(content))
    before = {file: file.read_bytes() for file in sorted(damaged_home.root.rglob("*")) if file.is_file()}
    done = command("resume", damaged_home.victim, "--json")
    assert (done.code, done.fault) == (0, None), done
    assert '"status":"completed"' in done.printed
    assert {file: file.read_bytes() for file in sorted(damaged_home.root.rglob("*")) if file.is_file()} == before


def test_a_sweep_goes_on_past_a_damaged_run(damaged_home: Home) -> None:
    store = damaged_home.store
    known = {run: Journal(store, run).config().model_copy(update={"run_id": run}) for run in list_runs(store)}
    for kind in ("config", "claims"):
        path = damaged_home.file(kind)
        path.write_bytes(path.read_bytes()[:-40])
    assert all(settled_outcome(store, config) is not None for config in known.values())
