"""Spoils a good submission in every common way, and tells how each is refused."""

from __future__ import annotations

import csv
import os
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

from environment.snapshots.walk import scratch_folder
from evaluation.artifacts import collect
from foundation.sizes import MiB
from tasks_catalog.library.errors import InvalidSubmissionError
from tasks_catalog.library.grader import run_grader
from tasks_catalog.library.prepare import Prepared
from tasks_catalog.library.spec import Task

Spoil = Callable[[Path], None]
_Rows = list[list[str]]
_TABLE = "submission.csv"


def refusals(task: Task, prepared: Prepared, workspace: Path) -> dict[str, str]:
    """Why each spoiled copy of what a workspace submits is refused, by what is wrong with it.

    Args:
        task: A task whose grader needs no trials of the submission.
        prepared: Its data.
        workspace: Where a good submission lies; left as it is.

    Returns:
        The reasons; an empty one where a broken submission is scored all the same. Nothing at all for tasks
        whose submission is not ``submission.csv``.
    """
    if task.spec.trials or not (workspace / _TABLE).is_file():
        return {}
    return {name: _reason(task, prepared, workspace, spoil) for name, spoil in FAULTS.items()}


def _reason(task: Task, prepared: Prepared, workspace: Path, spoil: Spoil) -> str:
    with scratch_folder("mlab-broken-") as folder:
        broken = Path(shutil.copytree(workspace, folder / "workspace", symlinks=True))
        spoil(broken / _TABLE)
        try:
            size = task.spec.resources.submission_mib * MiB
            collect(broken, task.spec.artifacts, folder / "artifacts", max_bytes=size)
        except InvalidSubmissionError as error:
            return error.message
        return run_grader(task.grade_script, folder / "artifacts", prepared.private, folder).invalid or ""


def _edited(change: Callable[[_Rows], object]) -> Spoil:
    def spoil(path: Path) -> None:
        with path.open(newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
        change(rows)
        with path.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows(rows)

    return spoil


def _set_cell(value: str, *, column: int = -1) -> Spoil:
    return _edited(lambda rows: rows[1].__setitem__(column, value))


def _make_empty(path: Path) -> None:
    path.write_bytes(b"")


def _make_link(path: Path) -> None:
    path.unlink()
    path.symlink_to("/etc/passwd")


def _make_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def _make_huge(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(1 << 30)


def _make_zip_bomb(path: Path) -> None:
    path.unlink()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(_TABLE, bytes(32 << 20))


FAULTS: dict[str, Spoil] = {
    "missing file": Path.unlink,
    "empty file": _make_empty,
    "header alone": _edited(lambda rows: rows.__delitem__(slice(1, None))),
    "missing row": _edited(lambda rows: rows.pop()),
    "row twice": _edited(lambda rows: rows.append(rows[1])),
    "unknown id": _set_cell("no-such-id", column=0),
    "wrong column": _edited(lambda rows: rows[0].__setitem__(-1, "answer")),
    "missing column": _edited(lambda rows: [row.pop() for row in rows]),
    "value missing": _set_cell(""),
    "NaN": _set_cell("nan"),
    "infinity": _set_cell("inf"),
    "symbolic link": _make_link,
    "pipe": _make_pipe,
    "1 GB": _make_huge,
    "zip bomb": _make_zip_bomb,
}
"""What is done to ``submission.csv``, by name."""
