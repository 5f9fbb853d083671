"""The Parquet tables of a run."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from environment.errors import CorruptObjectError, NotInStoreError
from environment.journal import table_seal
from environment.journal.schemas import claims_schema, evidence_schema, trajectory_schema
from environment.journal.tables import check_table, read_table, read_tables, to_parquet, write_tables
from environment.store import Store
from evaluation.claims.claim import Claim
from tests.environment.training.journalled import finish_run, write_run


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(str(tmp_path / "store"))


def test_a_run_reads_as_it_was_written(store: Store) -> None:
    journal = write_run(store, "run-1", 3)
    finish_run(store, journal)

    trajectory = list(read_table(store, "run-1", "trajectory"))
    assert [row["step"] for row in trajectory] == [0, 1, 2]
    assert json.loads(str(trajectory[1]["prose"])) == {"thought": "The error is 1.0 now."}
    assert trajectory[1]["training_run"] == "run-1.1"
    assert trajectory[1]["prompt_tokens"] == 7
    assert trajectory[1]["cost"] is None

    evidence = list(read_table(store, "run-1", "evidence"))
    assert len(evidence) == 9
    last = evidence[-1]
    assert (last["metric"], last["split"], last["value"], last["line"]) == ("mae", "validation", 8.0, 3)
    assert last["text"] == "val_mae: 8"

    (claim,) = read_table(store, "run-1", "claims")
    assert Claim.model_validate(claim).quote == "The error is 1.0 now."


def test_the_claims_schema_has_every_field_of_a_claim() -> None:
    assert claims_schema().names == list(Claim.model_fields)


def test_files_have_the_published_schema_even_when_empty(store: Store) -> None:
    import pyarrow.parquet as pq

    write_tables(store, "empty", [], [])
    for name, schema in (
        ("trajectory", trajectory_schema()),
        ("evidence", evidence_schema()),
        ("claims", claims_schema()),
    ):
        found = pq.read_schema(io.BytesIO(store.get(f"runs/empty/{name}.parquet")))
        assert found.equals(schema), name


def test_many_rows_are_written_and_read_in_batches(store: Store) -> None:
    rows = ({"run": "big", "step": n, "value": float("nan") if n == 7 else n / 2} for n in range(12_345))
    store.put("runs/big/evidence.parquet", to_parquet("evidence", rows, "runs/big/evidence.parquet"))
    values = [row["value"] for row in read_table(store, "big", "evidence")]
    assert len(values) == 12_345
    assert values[7] != values[7]
    assert values[-1] == 6172.0


def test_any_changed_byte_of_a_table_is_found_without_parquet(store: Store) -> None:
    finish_run(store, write_run(store, "run-1", 1))
    key = "runs/run-1/claims.parquet"
    whole = store.get(key)
    assert table_seal.fits(whole, key)
    for place in range(len(whole)):
        changed = whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :]
        assert not table_seal.fits(changed, key), place


def test_a_column_that_holds_what_looks_like_a_checksum_is_no_checksum(store: Store) -> None:
    misleading = f"{table_seal.NAME}__{table_seal.BLANK}"
    key = "runs/run-1/evidence.parquet"
    store.put(key, to_parquet("evidence", [{"run": misleading, "step": 0, "text": misleading}], key))
    check_table(store, "run-1", "evidence")
    assert table_seal.fits(store.get(key), key)


def test_a_table_of_before_there_were_checksums_is_read_to_its_end(store: Store) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    finish_run(store, write_run(store, "run-1", 3))
    key = "runs/run-1/trajectory.parquet"
    table = pq.read_table(io.BytesIO(store.get(key)))
    earlier = pa.BufferOutputStream()
    pq.write_table(table.replace_schema_metadata(None), earlier, compression="zstd", write_page_checksum=True)
    content = earlier.getvalue().to_pybytes()
    assert table_seal.fits(content, key) is None
    store.put(key, content)
    check_table(store, "run-1", "trajectory")
    store.put(key, content[:60] + b"torn" + content[64:])
    with pytest.raises(CorruptObjectError, match=r"trajectory\.parquet is torn"):
        check_table(store, "run-1", "trajectory")


def test_a_checksum_over_the_content_alone_is_none_of_its_place(store: Store) -> None:
    finish_run(store, write_run(store, "run-1", 3))
    key = "runs/run-1/claims.parquet"
    content = to_parquet("claims", [], "")
    assert table_seal.fits(content, key) is None
    store.put(key, content)
    check_table(store, "run-1", "claims")
    store.put(key, to_parquet("evidence", [], ""))
    with pytest.raises(CorruptObjectError, match="it has no column 'source'"):
        check_table(store, "run-1", "claims")


def test_runs_without_the_table_are_left_out_of_many(store: Store) -> None:
    write_run(store, "unfinished", 1)
    finish_run(store, write_run(store, "done", 2))
    rows = list(read_tables(store, ["unfinished", "done"], "trajectory"))
    assert [(row["run"], row["step"]) for row in rows] == [("done", 0), ("done", 1)]
    with pytest.raises(NotInStoreError):
        next(read_table(store, "unfinished", "trajectory"))


def test_schemas_are_documented() -> None:
    text = (Path(__file__).parents[3] / "docs" / "records.md").read_text(encoding="utf-8")
    for schema in (trajectory_schema(), evidence_schema(), claims_schema()):
        for name in schema.names:
            assert f"| `{name}` |" in text, name
