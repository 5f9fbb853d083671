"""``mlab report``."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from environment.store import Store
from evaluation.report import write
from evaluation.report.collect import stream_runs
from flows.cli.failure import FAILED
from flows.cli.output import print_json
from flows.run.finding import find_run
from flows.settings import Settings


def write_report(runs: list[str], *, out: Path | None, as_json: bool) -> None:
    """Write the report of ``runs``, or of all, and say where it lies."""
    settings = Settings()
    store = Store(settings.store_url)
    named = [find_run(store, run) for run in runs] or None
    files = write.write_report(stream_runs(store, named), out or settings.layout.reports / "all")
    if as_json:
        print_json(files.model_dump(mode="json"))
    else:
        Console().print(f"{files.runs} runs: {files.html}", highlight=False, soft_wrap=True)
    if named is not None and files.runs < len(named):
        raise SystemExit(FAILED)
