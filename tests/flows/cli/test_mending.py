"""What is damaged and can be made anew: ``mlab doctor`` does, and says what."""

from __future__ import annotations

import pytest

from environment.journal.damage import RunCheck, damaged_objects
from environment.journal.runs import list_runs
from environment.store import RunKeys, Store
from tests.flows.cli.damaging import REBUILT, TABLES, Home
from tests.flows.cli.in_process import command


@pytest.mark.parametrize("table", sorted(REBUILT))
def test_doctor_makes_a_torn_table_anew(damaged_home: Home, table: str) -> None:
    path = damaged_home.file(table)
    path.write_bytes(path.read_bytes()[:-9])
    done = command("doctor", "--json")
    assert done.fault is None
    assert f"{table}.parquet was damaged and is made anew" in done.printed
    assert list(RunCheck(damaged_home.store, set()).damage(damaged_home.victim)) == []


@pytest.mark.parametrize("kind", ["another table", "another run's", "deleted"])
@pytest.mark.parametrize("table", sorted(REBUILT))
def test_doctor_makes_anew_a_table_that_is_not_the_runs_own(damaged_home: Home, table: str, kind: str) -> None:
    path = damaged_home.file(table)
    if kind == "another table":
        path.write_bytes(damaged_home.file("claims" if table != "claims" else "evidence").read_bytes())
    elif kind == "another run's":
        path.write_bytes((damaged_home.root / RunKeys(run_id=damaged_home.others[0]).table(table)).read_bytes())
    else:
        path.unlink()
    done = command("doctor", "--json")
    assert done.fault is None
    assert f"{table}.parquet was damaged and is made anew" in done.printed
    assert list(RunCheck(damaged_home.store, set()).damage(damaged_home.victim)) == []


@pytest.mark.parametrize("table", TABLES)
def test_doctor_tells_of_a_folder_in_place_of_a_table(damaged_home: Home, table: str) -> None:
    path = damaged_home.root / RunKeys(run_id=damaged_home.victim).table(table)
    path.unlink(missing_ok=True)
    path.mkdir()
    done = command("doctor", "--json")
    assert (done.code, done.fault) == (1, None)
    assert f"{table}.parquet" in done.printed
    if table in REBUILT:
        assert "is a folder and should be a file. Move it away." in done.printed
        path.rmdir()
        assert f"{table}.parquet was damaged and is made anew" in command("doctor", "--json").printed


def test_a_flipped_object_is_told_and_heals_when_it_is_stored_again(damaged_home: Home) -> None:
    store = damaged_home.store
    digest = store.put_object(b"null")
    path = damaged_home.root / "objects" / digest[:2] / digest
    path.write_bytes(b"nulk")
    fresh = Store(store.url)
    assert damaged_objects(fresh) == {digest}
    check = RunCheck(fresh, {digest})
    assert {found.run_id for run in list_runs(fresh) for found in check.damage(run)} == set(list_runs(fresh))
    assert fresh.put_object(b"null") == digest
    assert path.read_bytes() == b"null"
    assert damaged_objects(Store(store.url)) == set()
