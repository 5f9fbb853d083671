"""Finds tasks: in this catalogue, in a folder of one's own, or among installed packages."""

from __future__ import annotations

import os
import tomllib
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from foundation.text import shown
from foundation.validation import faults
from tasks_catalog.library.errors import TaskError, TaskNotFoundError
from tasks_catalog.library.spec import Task, TaskSpec

CATALOGUE = Path(__file__).parent
ENTRY_POINTS = "mlab.tasks"
"""Group under which a package offers tasks; each entry point is the ``Path`` of a task folder."""


def list_tasks(*, holes: bool = False) -> list[Task]:
    """Every task of the catalogue and of installed packages, by name.

    Args:
        holes: Also those whose starters have gaps to fill, each of which is another way to pose one of the rest.

    Raises:
        TaskError: A task folder is incomplete or its ``task.toml`` is wrong.
    """
    folders = {path.parent.name: path.parent for path in CATALOGUE.glob("*/task.toml")}
    offered = {entry.name: _offered_folder(entry) for entry in entry_points(group=ENTRY_POINTS)}
    tasks = [read_task(folder) for _, folder in sorted((offered | folders).items())]
    return [task for task in tasks if holes or not task.spec.holes]


def load_task(name_or_path: str | Path) -> Task:
    """The task of that name, or in that folder.

    Raises:
        TaskNotFoundError: There is none.
        TaskError: Its folder is incomplete or its ``task.toml`` is wrong.
    """
    name = str(name_or_path)
    folder = _folder_of(name)
    if folder is not None:
        return read_task(folder)
    raise TaskNotFoundError(
        f"there is no task {shown(name)!r}, nor a folder of that name",
        hint=f"Tasks of the catalogue: {', '.join(task.name for task in list_tasks())}.",
    )


def _folder_of(name: str) -> Path | None:
    try:
        if (CATALOGUE / name / "task.toml").is_file() and Path(name).name == name:
            return CATALOGUE / name
        for entry in entry_points(group=ENTRY_POINTS, name=name):
            return _offered_folder(entry)
        folder = Path(name).expanduser()
        return folder.resolve() if folder.is_dir() else None
    except (OSError, RuntimeError):  # a name longer than a file's may be, or ~ of nobody here
        return None


def find_task(name: str) -> Task | None:
    """The task of that name, or ``None`` where this machine has none that works."""
    try:
        return load_task(name)
    except TaskError:
        return None


def read_task(folder: Path) -> Task:
    """The task in ``folder``.

    Raises:
        TaskError: A part is missing, or ``task.toml`` is wrong.
    """
    spec = _read_spec(folder)
    task = Task(spec=spec, root=folder, base=folder.parent / spec.based_on if spec.based_on else None)
    parts = [folder / "instruction.md", task.starter / spec.script, task.prepare_script, task.grade_script]
    missing = [os.path.relpath(part, folder) for part in parts if not part.is_file()]
    if missing:
        raise TaskError(
            f"the task folder {folder} lacks {', '.join(missing)}",
            hint="`mlab tasks new NAME` makes a complete one to compare with.",
        )
    return task


def _read_spec(folder: Path) -> TaskSpec:
    """The spec in a task folder; fields it does not state are those of the task it is based on."""
    fields = _read_fields(folder)
    base = fields.get("based_on")
    try:
        return TaskSpec.model_validate((_read_fields(folder.parent / str(base)) if base else {}) | fields)
    except ValidationError as error:
        raise TaskError(f"{folder / 'task.toml'} is not a task specification: {'; '.join(faults(error))}") from None


def _read_fields(folder: Path) -> dict[str, Any]:
    path = folder / "task.toml"
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise TaskError(f"{folder} is not a task folder: it has no task.toml") from None
    except OSError as error:
        raise TaskError(f"{path} cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise TaskError(f"{path} is not valid TOML: {error}") from None


def _offered_folder(entry: EntryPoint) -> Path:
    folder = entry.load()
    if not isinstance(folder, Path):
        raise TaskError(
            f"the entry point {entry.name!r} of the group {ENTRY_POINTS!r} is a {type(folder).__name__}",
            hint="It must be the pathlib.Path of a task folder.",
        )
    return folder
