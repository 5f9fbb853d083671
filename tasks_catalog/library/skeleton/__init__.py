"""Makes the folder of a new task: complete, small and working, to be changed part by part."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from tasks_catalog.library.errors import TaskError, writing
from tasks_catalog.library.folder import read_task
from tasks_catalog.library.spec import Task

FILES = Path(__file__).parent / "files"


def new_task(name: str, parent: Path) -> Task:
    """Make ``parent/name``, a task that can be prepared, run and verified at once.

    Raises:
        TaskError: The name is no task name, or the folder exists.
    """
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]*", name):
        raise TaskError(f"{name!r} is no name for a task", hint="Use small letters, digits and hyphens.")
    folder = parent / name
    with writing(folder):
        if folder.exists():
            raise TaskError(f"{folder} exists already")
        shutil.copytree(FILES, folder, ignore=shutil.ignore_patterns("__pycache__"))
        spec = (folder / "task.toml.in").read_text(encoding="utf-8").replace("{name}", name)
        (folder / "task.toml.in").unlink()
        (folder / "task.toml").write_text(spec, encoding="utf-8")
    return read_task(folder)
