"""A table's rows once more, as JSON beside it: loading what reads Parquet takes longer than most commands do.

The Parquet file is the table: rows that are not those of the file as it lies there are passed over.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from pydantic import JsonValue

from environment.errors import CorruptObjectError, NotInStoreError
from environment.store import RunKeys, Store
from foundation.records import Record


class _PlainRows(Record):
    """Rows.

    Attributes:
        table: SHA-256 of the Parquet file that holds the same.
        rows: Each by the names of its columns.
    """

    table: str
    rows: tuple[dict[str, JsonValue], ...]


def write_plain(store: Store, run_id: str, name: str, rows: Sequence[dict[str, JsonValue]], table: bytes) -> None:
    """Keep the rows of a table, which was just written, in plain text as well."""
    kept = _PlainRows(table=_digest(table), rows=tuple(rows))
    store.put_record(RunKeys(run_id=run_id).plain_rows(name), kept)


def read_plain(store: Store, run_id: str, name: str) -> Sequence[dict[str, JsonValue]] | None:
    """The rows of a table; ``None`` where they are not kept in plain text, or are another table's."""
    keys = RunKeys(run_id=run_id)
    try:
        kept = store.get_record(keys.plain_rows(name), _PlainRows)
        return kept.rows if kept.table == _digest(store.get(keys.table(name))) else None
    except (NotInStoreError, CorruptObjectError):
        return None


def _digest(table: bytes) -> str:
    return hashlib.sha256(table).hexdigest()
