"""Write a report from runs that are read one at a time."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from pathlib import Path

from evaluation.report.digest import digest, name_contestants
from evaluation.report.exports import write_csv, write_json, write_markdown, write_parquet
from evaluation.report.html import templates, write_html
from evaluation.report.model import ReportRun, RunRow
from evaluation.report.spool import Spool
from evaluation.report.summary import summarise
from foundation.records import Record

TITLE = "Benchmark report"


class ReportFiles(Record):
    """Where the parts of a report lie; ``figures`` is JSON, ``parquet`` and ``csv`` have one row a run."""

    html: Path
    markdown: Path
    figures: Path
    csv: Path
    parquet: Path
    claims: Path
    runs: int


def write_report(
    runs: Iterable[ReportRun], destination: Path, *, title: str = TITLE, shared: Path | None = None
) -> ReportFiles:
    """Write a report in every format into a folder.

    Args:
        runs: Read once, one at a time; memory grows by a row a run, not by its trajectory.
        destination: A folder, made if need be; an older report in it is replaced.
        title: Heads the page.
        shared: A folder whose pages share one copy of the library that draws plots (5 MB). Without it the page is one
            file that opens anywhere.

    Raises:
        OSError: The folder cannot be written.
    """
    destination.mkdir(parents=True, exist_ok=True)
    files = ReportFiles(
        html=destination / "report.html",
        markdown=destination / "report.md",
        figures=destination / "report.json",
        csv=destination / "runs.csv",
        parquet=destination / "runs.parquet",
        claims=destination / "claims.parquet",
        runs=0,
    )
    with tempfile.TemporaryDirectory() as folder:
        with Spool(Path(folder), files.claims) as spool:
            rows = [_kept(run, spool) for run in runs]
        rows = name_contestants(rows)
        summary = summarise(rows)
        write_html(summary, rows, spool.pages(), spool.claims(), title=title, path=files.html, shared=shared)
    write_json(summary, files.figures)
    write_csv(rows, files.csv)
    write_parquet(rows, files.parquet)
    write_markdown(summary, title, templates(), files.markdown)
    return files.model_copy(update={"runs": len(rows)})


def _kept(run: ReportRun, spool: Spool) -> RunRow:
    spool.add(run)
    return digest(run)
