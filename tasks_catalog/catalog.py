"""Finds tasks: in this catalogue, in a folder of one's own, or among installed packages."""

from __future__ import annotations

from importlib.metadata import EntryPoint
from pathlib import Path

from foundation.faults import with_place
from foundation.paths import expanded
from foundation.plugins import offered_in
from foundation.text import known_names, shown
from tasks_catalog.library.errors import TaskError, TaskNotFoundError
from tasks_catalog.library.folder import read_task
from tasks_catalog.library.spec import Task

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
    offered = {entry.name: _offered_folder(entry) for entry in offered_in(ENTRY_POINTS)}
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
        f"There is no task {shown(name)!r}, nor a folder of that name",
        hint=known_names(name, (task.name for task in list_tasks()), intro="Tasks of the catalogue"),
    )


def named_task(name: str) -> Task:
    """The task of that name, of the catalogue or of an installed package; a folder is none, whatever it is called.

    For names that others wrote: preparing a task runs its code.

    Raises:
        TaskNotFoundError: There is none.
        TaskError: Its folder is incomplete or its ``task.toml`` is wrong.
    """
    names = [task.name for task in list_tasks(holes=True)]
    if name in names:
        return load_task(name)
    raise TaskNotFoundError(
        f"There is no task {shown(name)!r} in the catalogue", hint="A log can name a task of the catalogue only."
    )


def _folder_of(name: str) -> Path | None:
    try:
        if (CATALOGUE / name / "task.toml").is_file() and Path(name).name == name:
            return CATALOGUE / name
        for entry in offered_in(ENTRY_POINTS).select(name=name):
            return _offered_folder(entry)
        folder = expanded(name)
        return folder.resolve() if folder.is_dir() else None
    except (OSError, RuntimeError):  # a name longer than a file's may be, or ~ of nobody here
        return None


def find_task(name: str) -> Task | None:
    """The task of that name, or ``None`` where this machine has none that works."""
    try:
        return load_task(name)
    except TaskError:
        return None


def _offered_folder(entry: EntryPoint) -> Path:
    try:
        folder = entry.load()
    except (Exception, SystemExit) as error:  # what a package does as it is imported may fail in any way
        raise TaskError(
            f"The entry point {entry.name!r} of the group {ENTRY_POINTS!r} cannot be imported: {with_place(error)}",
            hint="Repair or uninstall the package that offers it.",
        ) from error
    if not isinstance(folder, Path):
        raise TaskError(
            f"The entry point {entry.name!r} of the group {ENTRY_POINTS!r} is a {type(folder).__name__}",
            hint="It must be the pathlib.Path of a task folder.",
        )
    return folder
