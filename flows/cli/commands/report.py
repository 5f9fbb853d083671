"""``mlab report``."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from pathlib import Path

from environment.journal.runs import list_runs
from environment.records.display import counted
from environment.store import Store
from evaluation.report import write
from evaluation.report.collect import stream_runs
from evaluation.report.model import ReportRun
from flows.cli.bar import with_bar
from flows.cli.commands.choice import Choice
from flows.cli.failure import FAILED
from flows.cli.output import print_json
from flows.consoles import plain_console
from flows.errors import FlowError, UsageError
from flows.settings import Settings
from foundation.disk import meaning_too_large
from foundation.text import shown


def write_report(choice: Choice, *, out: Path | None, as_json: bool) -> None:
    """Write the report of the chosen runs, and say where it lies."""
    if out is not None and not str(out).isprintable():
        raise UsageError(f"A report cannot go to {str(out)!r}.", hint="Name a folder whose name can be printed.")
    settings = Settings()
    store = Store(settings.store_url)
    named = None if choice.of_all else choice.ids(store)
    ids = list_runs(store) if named is None else named
    runs = with_bar(stream_runs(store, named), "reading runs", total=len(ids))
    if out is None:
        settings.make_home()
    files = _written(runs, out or settings.layout.reports / choice.folder)
    if as_json:
        print_json(files.model_dump(mode="json"))
    else:
        plain_console().print(f"{counted(files.runs, 'run')}: {files.html}", soft_wrap=True)
    if named is not None and files.runs < len(named):
        raise SystemExit(FAILED)


def _written(runs: Iterable[ReportRun], folder: Path) -> write.ReportFiles:
    try:
        return write.write_report(runs, folder.absolute())  # pyarrow takes a relative "http:/…" for an address
    except OSError as error:
        if too_large := meaning_too_large(error):
            raise too_large from error
        raise FlowError(
            f"The report cannot be written to {shown(str(folder))}: {error.strerror or error}",
            hint="Name another folder with --out, or free some space there and in "
            f"{tempfile.gettempdir()}, where parts of it are kept meanwhile (TMPDIR names another place).",
        ) from error
