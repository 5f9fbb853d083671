"""Folders of autoresearch: ``results.tsv`` with a row an experiment, ``run.log`` of the last, and the git history.

The agent itself writes the table, so what it holds is measured by the agent; the log of the last run is the script's
own. Commits of experiments that were discarded are found as long as git still has them.
"""

from __future__ import annotations

import csv
import subprocess
from collections.abc import Iterator
from io import TextIOWrapper
from itertools import islice, pairwise
from pathlib import Path

from environment.metrics.meaning import canonical, is_known, lower_is_better
from environment.metrics.outputs import parse_metrics
from environment.records import Action, Outcome
from evaluation.importers.ending import completed
from evaluation.importers.errors import LogError
from evaluation.importers.importer import Found, Importer
from evaluation.importers.parsing import figure, load_text, opened
from evaluation.record.log import Exchange, LogStep, RunLog
from tasks_catalog.library.spec import Direction

TABLE = "results.tsv"
_KEEP, _CRASH = "keep", "crash"
_SECONDS = 20
_GIT = (
    "git",
    "--no-pager",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "log.showSignature=false",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "safe.directory=*",
)
_SHOW = ("show", "--no-ext-diff", "--no-textconv", "--no-show-signature", "--format=%B", "--patch", "--end-of-options")
_ALONE = {"GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0", "GIT_CONFIG_NOSYSTEM": "1", "GIT_ALLOW_PROTOCOL": ""}
"""A repository that others made runs nothing and fetches nothing."""


def _is_run(found: Found) -> bool:
    """Whether a folder has the table."""
    if not found.is_folder or not (found.path / TABLE).is_file():
        return False
    columns = _rows(found.path / TABLE, limit=1)
    return bool(columns) and {"commit", "status", "description"} <= columns[0].keys()


def _rows(table: Path, limit: int | None = None) -> list[dict[str, str]]:
    """The table's rows, each under the names of its columns; one of empty values where there are but names."""
    try:
        with TextIOWrapper(opened(table), encoding="utf-8-sig", errors="replace", newline="") as file:
            reader = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
            rows = list(islice(reader, limit))
            rows = rows or [dict.fromkeys(reader.fieldnames or (), "")]
            return [{name: value for name, value in row.items() if name and isinstance(value, str)} for row in rows]
    except (OSError, csv.Error) as error:
        raise LogError(table, f"cannot be read: {error}") from error


def _read(found: Found) -> Iterator[RunLog]:
    rows = [row for row in _rows(found.path / TABLE) if any(row.values())]
    columns = [name for name in (rows[0] if rows else {}) if name not in ("commit", "status", "description")]
    metric = columns[0] if columns else None
    steps = [step for n, row in enumerate(rows) for step in _steps(found, row, columns, is_last=n == len(rows) - 1)]
    kept = [value for row in rows if row.get("status") == _KEEP and (value := _value(row, metric)) is not None]
    direction = _direction(metric, kept)
    best = (min if direction is Direction.MINIMIZE else max)(kept) if kept and direction else None
    yield RunLog(
        source=found.source,
        steps=tuple(steps),
        task=found.path.name,
        task_text=load_text(found.path / "program.md"),
        agent="autoresearch",
        metric=metric,
        direction=direction,
        score=best,
        baseline=kept[0] if kept else None,
        self_measured=True,
        **completed(),
    )


def _direction(metric: str | None, kept: list[float]) -> Direction | None:
    """By the metric's name, else by what was kept: every experiment that is kept is better than the one before."""
    if metric is not None and is_known(canonical(metric)):
        return Direction.MINIMIZE if lower_is_better(canonical(metric)) else Direction.MAXIMIZE
    moves = [later - earlier for earlier, later in pairwise(kept) if later != earlier]
    if moves and all(move < 0 for move in moves):
        return Direction.MINIMIZE
    return Direction.MAXIMIZE if moves and all(move > 0 for move in moves) else None


def _steps(found: Found, row: dict[str, str], columns: list[str], *, is_last: bool) -> Iterator[LogStep]:
    """An experiment: what was changed and run, then what the agent noted of it."""
    crashed = row.get("status") == _CRASH
    printed = load_text(found.path / "run.log") if is_last else ""
    value = _value(row, columns[0] if columns else None)
    if not any(point.value == value for point in parse_metrics(printed)):
        printed = ""
    table = "\n".join(f"{name}: {row[name]}" for name in columns if row.get(name))
    run = Exchange(
        action=Action(name="bash", args={"command": "uv run train.py > run.log 2>&1"}),
        observation=printed or ("" if crashed else table),
        outcome=Outcome.FAILED if crashed else Outcome.OK,
    )
    message, _, patch = _commit(found.path, row.get("commit", "")).partition("\ndiff --git ")
    edits = (Exchange(action=Action(name="apply_patch", args={"patch": f"diff --git {patch}"})),) if patch else ()
    yield LogStep(prose={"commit": message.strip()} if message.strip() else {}, exchanges=(*edits, run))
    if row.get("description"):
        yield LogStep(prose={"description": row["description"]})


def _value(row: dict[str, str], metric: str | None) -> float | None:
    try:
        return figure(float(row.get(metric or "", "")))
    except ValueError:
        return None


def _commit(folder: Path, commit: str) -> str:
    """Message and patch of a commit; nothing where git does not have it."""
    if not commit.isalnum() or not (folder / ".git").exists():
        return ""
    try:
        done = subprocess.run(
            [*_GIT, "-C", str(folder), *_SHOW, commit],
            capture_output=True,
            timeout=_SECONDS,
            env={"PATH": "/usr/bin:/bin:/usr/local/bin", "HOME": "/nonexistent", **_ALONE},
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.decode(errors="replace") if done.returncode == 0 else ""


AUTORESEARCH = Importer(recognises=_is_run, read=_read)
"""The format, as the registry names it."""
