"""Folders of autoresearch: ``results.tsv`` with a row an experiment, ``run.log`` of the last, and the git history.

The agent itself writes the table, so what it holds is measured by the agent; the log of the last run is the script's
own. Commits of experiments that were discarded are found as long as git still has them.
"""

from __future__ import annotations

import csv
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from io import TextIOWrapper
from itertools import chain, islice, pairwise
from pathlib import Path

from environment.metrics.meaning import canonical, is_known, lower_is_better
from environment.metrics.outputs import parse_metrics
from environment.records import Action, Outcome
from evaluation.importers.ending import completed
from evaluation.importers.errors import LogError
from evaluation.importers.importer import Found, Importer
from evaluation.importers.parsing import figure, load_text, opened
from evaluation.importers.reports import is_report
from evaluation.record.log import Exchange, LogStep, RunLog
from tasks_catalog.library.spec import Direction

TABLE = "results.tsv"
_ORDER = ("commit", "val_bpb", "memory_gb", "status", "description")
"""Columns of the original, which some tables have without a line of their names."""
_NAMED = ("commit", "git_commit", "run_id", "experiment", "exp", "config_id", "id", "iteration", "tag")
"""Columns that say which experiment a row is of; forks name them as they like."""
_STATES = ("status", "decision", "outcome", "correctness", "verdict")
_DESCRIBED = ("description", "notes", "note", "change")
_KEPT = ("keep", "kept", "baseline", "pass", "ok", "improved", "accept", "accepted", "best")
_CRASHED = ("crash", "crashed", "fail", "failed", "error", "oom", "timeout")
_DISCARDED = ("discard", "discarded", "revert", "reverted")
_COMMIT = re.compile(r"[0-9a-f]{6,40}")
_PLANNED = re.compile(r"hypothes|expect|plan|motivation|rationale|idea", re.IGNORECASE)
"""Columns of what was thought before the run; all other words are about what came out of it."""
_REST = "[output omitted: the table has only what it ended with]"
_UNKEPT = "[content omitted: the folder has no history of it]"
_CLEAR = 0.8
"""Share of the kept experiments that must have moved the metric one way."""
_HIGHER = re.compile(r"(?:pass|success|win|hit|solved?|resolved?|completion)[ _-]?rate|pass@\d", re.IGNORECASE)
"""Rates of what went well, whatever else is measured by them."""
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


@dataclass(frozen=True)
class _Columns:
    """What the columns of a table are for."""

    commit: str
    status: str
    description: str
    measured: tuple[str, ...] = ()
    planned: tuple[str, ...] = ()
    noted: tuple[str, ...] = ()

    @classmethod
    def of(cls, rows: list[dict[str, str]]) -> _Columns | None:
        """The columns of a table's rows; ``None`` where it is no table of experiments."""
        names = list(rows[0]) if rows else []
        commit, status, description = found = [
            next((name for name in names if name.lower() in known), "") for known in (_NAMED, _STATES, _DESCRIBED)
        ]
        if not status and _first_word(rows[0].get(description, "")) in (*_KEPT, *_CRASHED):
            status = description  # "keep — deeper trees"
        if not (commit and status and description):
            return None
        rest = [name for name in names if name not in found and name.lower() not in (*_NAMED, "timestamp", "date")]
        measured = tuple(name for name in rest if any(_number(row, name) is not None for row in rows))
        words = [name for name in rest if name not in measured and any(" " in row.get(name, "") for row in rows)]
        planned = tuple(name for name in words if _PLANNED.search(name) and not name.startswith("next"))
        noted = (description, *(name for name in words if name not in planned))
        return cls(commit, status, description, measured, planned, noted)

    @property
    def metric(self) -> str | None:
        """The first thing that was measured is what is optimised."""
        return next(iter(self.measured), None)


def _is_run(found: Found) -> bool:
    """Whether a folder has the table."""
    if not found.is_folder or not (found.path / TABLE).is_file():
        return False
    return _Columns.of(_rows(found.path / TABLE, limit=1)) is not None


def _rows(table: Path, limit: int | None = None) -> list[dict[str, str]]:
    """The table's rows, each under the names of its columns; one of empty values where there are but names."""
    try:
        with TextIOWrapper(opened(table), encoding="utf-8-sig", errors="replace", newline="") as file:
            lines = filter(None, csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
            first = next(lines, [])
            names, begun = (_ORDER, [first]) if _is_of_original(first) else (first, [])
            rows = [dict(zip(names, line, strict=False)) for line in islice(chain(begun, lines), limit)]
            return [{name: value for name, value in row.items() if name} for row in rows or [dict.fromkeys(names, "")]]
    except (OSError, csv.Error) as error:
        raise LogError(table, f"cannot be read: {error}") from error


def _is_of_original(line: list[str]) -> bool:
    """Whether the first line of a table is an experiment of the original's five columns."""
    if len(line) != len(_ORDER):
        return False
    row = dict(zip(_ORDER, line, strict=True))
    state = _first_word(row["status"])
    return (
        _COMMIT.fullmatch(row["commit"]) is not None
        and _number(row, "val_bpb") is not None
        and _number(row, "memory_gb") is not None
        and state in (*_KEPT, *_CRASHED, *_DISCARDED)
    )


def _read(found: Found) -> Iterator[RunLog]:
    rows = _rows(found.path / TABLE)
    columns = _Columns.of(rows)
    rows = [row for row in rows if any(row.values())]
    if columns is None:
        raise LogError(found.path / TABLE, "is no table of experiments")
    metric = columns.metric
    steps = [step for n, row in enumerate(rows) for step in _steps(found, row, columns, is_last=n == len(rows) - 1)]
    if notes := _notes(found):
        steps.append(LogStep(prose=notes))
    measured = [_number(row, metric) for row in rows if _is(row, columns, _KEPT) and not _is_empty(row, columns)]
    kept = [value for value in measured if value is not None]
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


def _notes(found: Found) -> dict[str, str]:
    """What was written of the experiments beside the table (``FINDINGS.md``, ``research-log.md``), as it stands now."""
    notes = [file for file in sorted(found.path.iterdir()) if file.is_file() and is_report(file.name)]
    found.used += notes
    return {f"report: {note.name}": words for note in notes if (words := load_text(note))}


def _direction(metric: str | None, kept: list[float]) -> Direction | None:
    """By the metric's name, else by what was kept: an experiment that is kept is better than the one before."""
    if metric is not None and is_known(canonical(metric)):
        return Direction.MINIMIZE if lower_is_better(canonical(metric)) else Direction.MAXIMIZE
    if metric is not None and _HIGHER.search(metric):
        return Direction.MAXIMIZE
    moves = [later > earlier for earlier, later in pairwise(kept) if later != earlier]
    risen = sum(moves) / len(moves) if moves else 0.5
    if risen <= 1 - _CLEAR:
        return Direction.MINIMIZE
    return Direction.MAXIMIZE if risen >= _CLEAR else None


def _steps(found: Found, row: dict[str, str], columns: _Columns, *, is_last: bool) -> Iterator[LogStep]:
    """An experiment: what was thought, changed and run, then what the agent noted of it."""
    crashed = _is(row, columns, _CRASHED)
    commit = row.get(columns.commit, "")
    table = _REST if crashed or _is_empty(row, columns) else _table(row, columns)
    run = Exchange(
        action=Action(name="bash", args={"command": "uv run train.py > run.log 2>&1"}),
        observation=_printed(found.path, commit, _number(row, columns.metric), is_last=is_last) or table,
        outcome=Outcome.FAILED if crashed else Outcome.OK,
    )
    message, _, patch = _commit(found.path, commit).partition("\ndiff --git ")
    changed = f"diff --git {patch}" if patch else _UNKEPT
    edit = Exchange(action=Action(name="apply_patch", args={"patch": changed}), outcome=Outcome.OK)
    planned = {f"plan: {name}": words for name, words in _prose(row, columns.planned).items()}
    yield LogStep(prose={**_prose(row, (), commit=message.strip()), **planned}, exchanges=(edit, run))
    if said := _prose(row, columns.noted):
        yield LogStep(prose=said)


def _prose(row: dict[str, str], columns: tuple[str, ...], **more: str) -> dict[str, str]:
    said = {**more, **{name: row.get(name, "") for name in columns}}
    return {name: words for name, words in said.items() if words}


def _table(row: dict[str, str], columns: _Columns) -> str:
    shown = [f"{name}: {row[name]}" for name in columns.measured if _number(row, name) is not None]
    return "\n".join([*shown, _REST])


def _printed(folder: Path, commit: str, value: float | None, *, is_last: bool) -> str:
    """What the script printed: the log that is named after the commit, or that of the last run; if it has the value."""
    own = [file for file in (*folder.glob("*.log"), *folder.glob("*/*.log")) if len(commit) > 4 and commit in file.name]
    for file in (*sorted(own), *([folder / "run.log"] if is_last else [])):
        text = load_text(file)
        if any(point.value == value for point in parse_metrics(text)):
            return text
    return ""


def _is(row: dict[str, str], columns: _Columns, states: tuple[str, ...]) -> bool:
    return _first_word(row.get(columns.status, "")) in states


def _first_word(text: str) -> str:
    found = re.match(r"\W*(\w+)", text)
    return found[1].lower() if found else ""


def _is_empty(row: dict[str, str], columns: _Columns) -> bool:
    """Whether nothing was measured: by custom all figures of a run that was stopped are 0."""
    return not any(_number(row, name) for name in columns.measured)


def _number(row: dict[str, str], name: str | None) -> float | None:
    try:
        return figure(float(row.get(name or "", "")))
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
