"""Databases made once and copied: real SQLite files."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from foundation.ready_made import ReadyMade


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """A database that somebody has just made."""
    path = tmp_path / "made.sqlite"
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("CREATE TABLE tables (name TEXT)")
        database.execute("CREATE TABLE own (folder TEXT)")
        database.execute("INSERT INTO tables VALUES ('runs')")
        database.execute("INSERT INTO own VALUES ('/home/somebody')")
    return path


def rows(path: Path, table: str) -> list[tuple[str, ...]]:
    with closing(sqlite3.connect(path)) as database:
        return database.execute(f"SELECT * FROM {table}").fetchall()


def test_a_copy_holds_the_tables_and_nothing_of_its_maker(made: Path, tmp_path: Path) -> None:
    ready_made = ReadyMade("pytest", tmp_path / "cache")
    assert not ready_made.lay(tmp_path / "new.sqlite")
    ready_made.keep(made, without=["own"])
    assert ready_made.lay(tmp_path / "new.sqlite")
    assert rows(tmp_path / "new.sqlite", "tables") == [("runs",)]
    assert rows(tmp_path / "new.sqlite", "own") == []
    assert rows(made, "own") == [("/home/somebody",)]


def test_what_is_there_is_never_replaced(made: Path, tmp_path: Path) -> None:
    ready_made = ReadyMade("pytest", tmp_path / "cache")
    ready_made.keep(made, without=["tables"])
    assert not ready_made.lay(made)
    assert rows(made, "tables") == [("runs",)]


def test_another_version_has_its_own(made: Path, tmp_path: Path) -> None:
    ReadyMade("pytest", tmp_path / "cache").keep(made)
    assert not ReadyMade("ruff", tmp_path / "cache").lay(tmp_path / "new.sqlite")


@pytest.mark.parametrize("damage", [b"", b"torn", None])
def test_a_copy_that_is_not_whole_is_left_alone(made: Path, tmp_path: Path, damage: bytes | None) -> None:
    ready_made = ReadyMade("pytest", tmp_path / "cache")
    ready_made.keep(made)
    (copy,) = (tmp_path / "cache").iterdir()
    copy.write_bytes(copy.read_bytes()[:5000] if damage is None else damage)
    assert not ready_made.lay(tmp_path / "new.sqlite")
    assert not (tmp_path / "new.sqlite").exists()
    ready_made.keep(made)
    assert ready_made.lay(tmp_path / "new.sqlite")


def test_a_cache_that_cannot_be_written_costs_nothing_else(made: Path) -> None:
    ReadyMade("pytest", Path("/dev/null/cache")).keep(made)


def test_a_database_agrees_with_the_copy_in_what_tells_its_version(made: Path, tmp_path: Path) -> None:
    ready_made = ReadyMade("pytest", tmp_path / "cache")
    assert not ready_made.agrees(made, "tables")
    ready_made.keep(made, without=["own"])
    assert ready_made.agrees(made, "tables")
    assert not ready_made.agrees(made, "own")
    assert not ready_made.agrees(tmp_path / "none.sqlite", "tables")
