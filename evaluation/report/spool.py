"""Run pages and claims on their way to the report: kept on disk, so that memory stays bounded."""

from __future__ import annotations

import base64
import gzip
import io
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

from pydantic_core import to_json

from evaluation.report.claim_table import ClaimTable
from evaluation.report.model import ReportRun
from evaluation.report.payload import all_visible, pack, run_payload

PIECE = 3 * 256 * 1024  # a multiple of 3, so that base64 pieces join


class Spool:
    """Takes runs one by one; gives back what the HTML embeds, and has written the claims as Parquet."""

    def __init__(self, folder: Path, parquet: Path) -> None:
        self._pages = folder / "pages.txt"
        self._claims = folder / "claims.jsonl.gz"
        self._parquet = ClaimTable(parquet)
        self._runs = 0

    def __enter__(self) -> Self:
        self._page_file = self._pages.open("w", encoding="ascii")
        self._claim_file = io.TextIOWrapper(gzip.open(self._claims, "wb", compresslevel=6), encoding="utf-8")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._page_file.close()
        self._claim_file.close()
        self._parquet.close()

    def add(self, run: ReportRun) -> None:
        """Keep the page of a run, and its claims."""
        self._page_file.write(pack(run_payload(run)) + "\n")
        for claim in run.claims:
            line = {"run": self._runs, **claim.model_dump(exclude={"source"})}
            self._claim_file.write(to_json(all_visible(line), inf_nan_mode="null").decode() + "\n")
        self._parquet.add(run.result.run_id, run.claims)
        self._runs += 1

    def pages(self) -> Iterator[str]:
        """The packed page of each run, in the order they came."""
        with self._pages.open(encoding="ascii") as file:
            for line in file:
                yield line.rstrip("\n")

    def claims(self) -> Iterator[str]:
        """All claims as gzipped JSON lines, in base64 pieces that join."""
        with self._claims.open("rb") as file:
            while piece := file.read(PIECE):
                yield base64.b64encode(piece).decode()
