"""Claims of many runs as one Parquet file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from evaluation.claims.claim import Claim

BATCH = 5_000
SCHEMA = pa.schema(
    [
        ("run_id", pa.string()),
        ("step", pa.int32()),
        ("field", pa.string()),
        ("quote", pa.string()),
        ("kind", pa.string()),
        ("metric", pa.string()),
        ("value", pa.float64()),
        ("unit", pa.string()),
        ("verdict", pa.string()),
        ("evidence_step", pa.int32()),
        ("evidence", pa.string()),
        ("training_run", pa.string()),
        ("evidence_line", pa.int32()),
        ("confirmed", pa.bool_()),
        ("hidden", pa.bool_()),
        ("lives_until", pa.int32()),
        ("in_answer", pa.bool_()),
        ("note", pa.string()),
    ]
)


class ClaimTable:
    """Writes claims in batches, so that any number of them fits in memory."""

    def __init__(self, path: Path) -> None:
        self._writer = pq.ParquetWriter(path, SCHEMA)
        self._waiting: list[dict[str, object]] = []

    def add(self, run_id: str, claims: Sequence[Claim]) -> None:
        """Append the claims of one run."""
        self._waiting += [{"run_id": run_id, **claim.model_dump(mode="json")} for claim in claims]
        if len(self._waiting) >= BATCH:
            self._flush()

    def close(self) -> None:
        """Write what waits, and the file's footer."""
        self._flush()
        self._writer.close()

    def _flush(self) -> None:
        self._writer.write_table(pa.Table.from_pylist(self._waiting, schema=SCHEMA))
        self._waiting = []
