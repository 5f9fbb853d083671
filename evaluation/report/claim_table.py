"""Claims of many runs as one Parquet file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from environment.journal.schemas import claims_schema
from evaluation.claims.claim import Claim

BATCH = 5_000


class ClaimTable:
    """Writes claims in batches, so that any number of them fits in memory."""

    def __init__(self, path: Path) -> None:
        self._schema = pa.schema([pa.field("run", pa.string(), nullable=False), *claims_schema()])
        self._writer = pq.ParquetWriter(path, self._schema, compression="zstd")
        self._waiting: list[dict[str, object]] = []

    def add(self, run_id: str, claims: Sequence[Claim]) -> None:
        """Append the claims of one run."""
        self._waiting += [{"run": run_id, **claim.model_dump(mode="json")} for claim in claims]
        if len(self._waiting) >= BATCH:
            self._flush()

    def close(self) -> None:
        """Write what waits, and the file's footer."""
        self._flush()
        self._writer.close()

    def _flush(self) -> None:
        self._writer.write_table(pa.Table.from_pylist(self._waiting, schema=self._schema))
        self._waiting = []
