"""The rows of a table beside it in plain text."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from environment.errors import CorruptObjectError, NotInStoreError
from environment.journal.damage import RunCheck
from environment.journal.plain_rows import read_plain
from environment.journal.tables import read_table, write_tables
from environment.store import RunKeys, Store
from evaluation.claims.claim import Claim, Kind, Verdict
from tests.environment.training.journalled import finish_run, write_run

KEYS = RunKeys(run_id="run-1")
CLAIMS = [
    Claim(source="run-1", step=n, field="thought", quote="It is 1.0.", kind=kind, verdict=verdict, value=value)
    for n, (kind, verdict, value) in enumerate(
        [(Kind.RESULT, Verdict.SUPPORTED, 1.0), (Kind.EXECUTION, Verdict.UNCHECKABLE, None)]
    )
]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = Store(str(tmp_path / "store"))
    finish_run(store, write_run(store, "run-1", 2))
    write_tables(store, "run-1", [], CLAIMS)
    return store


def test_the_rows_are_those_of_the_table(store: Store) -> None:
    import pyarrow.parquet as pq

    plain = read_plain(store, "run-1", "claims")
    assert plain == tuple(pq.read_table(io.BytesIO(store.get(KEYS.table("claims")))).to_pylist())
    assert [Claim.model_validate(row) for row in plain or ()] == CLAIMS


def test_rows_of_a_table_that_was_written_again_are_passed_over(store: Store) -> None:
    before = store.get(KEYS.plain_rows("claims"))
    write_tables(store, "run-1", [], CLAIMS[:1])
    store.put(KEYS.plain_rows("claims"), before)
    assert read_plain(store, "run-1", "claims") is None
    assert len(list(read_table(store, "run-1", "claims"))) == 1


def test_rows_of_a_table_that_is_torn_or_away_hide_neither(store: Store) -> None:
    store.put(KEYS.table("claims"), store.get(KEYS.table("claims"))[:-9])
    with pytest.raises(CorruptObjectError, match=r"claims\.parquet is torn"):
        list(read_table(store, "run-1", "claims"))
    store.delete(KEYS.table("claims"))
    with pytest.raises(NotInStoreError):
        list(read_table(store, "run-1", "claims"))


@pytest.mark.parametrize("what", ["torn", "away"])
def test_a_table_is_read_without_its_plain_rows(store: Store, what: str) -> None:
    key = KEYS.plain_rows("claims")
    if what == "torn":
        store.put(key, store.get(key)[:-9])
    else:
        store.delete(key)
    assert len(list(read_table(store, "run-1", "claims"))) == 2
    damage = RunCheck(store, set()).damage("run-1")
    found = [(each.key, each.table) for each in damage if each.key.startswith(KEYS.prefix)]
    assert found == ([(key, "claims")] if what == "torn" else []), "what is torn is made again with the table"
