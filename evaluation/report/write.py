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
from foundation.whole import whole

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


_NAMES = {
    "html": "report.html",
    "markdown": "report.md",
    "figures": "report.json",
    "csv": "runs.csv",
    "parquet": "runs.parquet",
    "claims": "claims.parquet",
}


def write_report(
    runs: Iterable[ReportRun], destination: Path, *, title: str = TITLE, shared: Path | None = None
) -> ReportFiles:
    """Write a report in every format into a folder.

    Args:
        runs: Read once, one at a time; memory grows by a row a run, not by its trajectory.
        destination: A folder, made if need be; an older report in it is replaced as a whole, or stays.
        title: Heads the page.
        shared: A folder whose pages share one copy of the library that draws plots (5 MB). Without it the page is one
            file that opens anywhere.

    Raises:
        OSError: The folder cannot be written.
    """
    files = ReportFiles(**{field: destination / name for field, name in _NAMES.items()}, runs=0)
    with whole([destination / name for name in _NAMES.values()]) as beside:
        written = files.model_copy(update=dict(zip(_NAMES, beside, strict=True)))
        runs_in_it = _write(runs, written, title=title, shared=shared)
    return files.model_copy(update={"runs": runs_in_it})


def _write(runs: Iterable[ReportRun], files: ReportFiles, *, title: str, shared: Path | None) -> int:
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
    return len(rows)


def _kept(run: ReportRun, spool: Spool) -> RunRow:
    spool.add(run)
    return digest(run)
