"""Finds tasks: in this catalogue, in a folder of one's own, or among installed packages."""

from __future__ import annotations

import tomllib
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from pydantic import ValidationError

from tasks_catalog.errors import TaskError, TaskNotFoundError
from tasks_catalog.spec import Task, TaskSpec

CATALOGUE = Path(__file__).parent
ENTRY_POINTS = "mlab.tasks"
"""Group under which a package offers tasks; each entry point is the ``Path`` of a task folder."""


def list_tasks() -> list[Task]:
    """Every task of the catalogue and of installed packages, by name.

    Raises:
        TaskError: A task folder is incomplete or its ``task.toml`` is wrong.
    """
    folders = {path.parent.name: path.parent for path in CATALOGUE.glob("*/task.toml")}
    offered = {entry.name: _offered_folder(entry) for entry in entry_points(group=ENTRY_POINTS)}
    return [read_task(folder) for _, folder in sorted((offered | folders).items())]


def load_task(name_or_path: str | Path) -> Task:
    """The task of that name, or in that folder.

    Raises:
        TaskNotFoundError: There is none.
        TaskError: Its folder is incomplete or its ``task.toml`` is wrong.
    """
    name = str(name_or_path)
    if (CATALOGUE / name / "task.toml").is_file() and Path(name).name == name:
        return read_task(CATALOGUE / name)
    for entry in entry_points(group=ENTRY_POINTS, name=name):
        return read_task(_offered_folder(entry))
    folder = Path(name).expanduser()
    if folder.is_dir():
        return read_task(folder.resolve())
    raise TaskNotFoundError(
        f"there is no task {name!r}, nor a folder of that name",
        hint=f"Tasks of the catalogue: {', '.join(task.name for task in list_tasks())}.",
    )


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
    spec = _read_spec(folder / "task.toml")
    task = Task(spec=spec, root=folder)
    parts = [folder / "instruction.md", task.starter / spec.script, task.prepare_script, task.grade_script]
    missing = [str(part.relative_to(folder)) for part in parts if not part.is_file()]
    if missing:
        raise TaskError(
            f"the task folder {folder} lacks {', '.join(missing)}",
            hint="`mlab tasks new NAME` makes a complete one to compare with.",
        )
    return task


def _read_spec(path: Path) -> TaskSpec:
    try:
        return TaskSpec.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        raise TaskError(f"{path.parent} is not a task folder: it has no task.toml") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise TaskError(f"{path} is not valid TOML: {error}") from None
    except ValidationError as error:
        faults = "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors())
        raise TaskError(f"{path} is not a task specification: {faults}") from None


def _offered_folder(entry: EntryPoint) -> Path:
    folder = entry.load()
    if not isinstance(folder, Path):
        raise TaskError(
            f"the entry point {entry.name!r} of the group {ENTRY_POINTS!r} is a {type(folder).__name__}",
            hint="It must be the pathlib.Path of a task folder.",
        )
    return folder
