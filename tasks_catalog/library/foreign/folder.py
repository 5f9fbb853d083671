"""Writes the folder of an imported task."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from foundation.records import Record
from tasks_catalog.library.errors import RefusedImportError, TaskError, writing
from tasks_catalog.library.folder import read_task
from tasks_catalog.library.spec import Direction, Task


class ImportedTask(Record):
    """What ``task.toml`` says of an imported task."""

    name: str
    source: str
    metric: str
    direction: Direction
    script: str
    artifacts: tuple[str, ...]
    readonly: tuple[str, ...] = ()
    split: str


@contextmanager
def new_folder(source: Path, parent: Path) -> Iterator[Path]:
    """An empty folder for the task, under a name that a task may have; gone again where filling it fails.

    Raises:
        RefusedImportError: It exists; where it is the source, that is not to be removed.
    """
    name = re.sub(r"[^a-z0-9-]+", "-", source.resolve().name.lower()).strip("-")
    folder = parent / name
    with writing(folder):
        if folder.exists():
            if folder.samefile(source):
                raise RefusedImportError(
                    f"The task's folder would be {folder}, the one that it is imported from",
                    hint="Say with --folder where to make it, such as --folder imported.",
                )
            raise RefusedImportError(f"{folder} exists already", hint="Remove it, or name another place with --folder.")
        folder.mkdir(parents=True)
    try:
        yield folder
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def said_in(path: Path) -> str:
    """What the source tells its agents.

    Raises:
        TaskError: It is not there, or not in UTF-8.
    """
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise TaskError(f"{path} is not there", hint="It tells the agent what to do: fetch or write it.") from error
    except UnicodeDecodeError as error:
        raise TaskError(f"{path} is not in UTF-8: {error}", hint="Save it in UTF-8, such as by iconv.") from error


def write_folder(folder: Path, task: ImportedTask, *, instruction: str, prepare: str, grade: str) -> Task:
    """Write the parts of the task that the source does not have, and read the whole."""
    (folder / "instruction.md").write_text(instruction, encoding="utf-8")
    (folder / "prepare.py").write_text(prepare, encoding="utf-8")
    (folder / "grade.py").write_text(grade, encoding="utf-8")
    (folder / "task.toml").write_text(_spec(task), encoding="utf-8")
    return read_task(folder)


def _spec(task: ImportedTask) -> str:
    variant = f'source = {_toml(task.source)}\nlicence = "the source\'s"\nstand_in = false\n'
    return f"""name = {_toml(task.name)}
title = {_toml(task.name)}
domain = "imported"
summary = {_toml(f"Imported from {task.source}.")}
script = {_toml(task.script)}
artifacts = {_toml(task.artifacts)}
readonly = {_toml(task.readonly)}
split = {_toml(task.split)}
hardened = false

[metric]
name = {_toml(task.metric)}
direction = {_toml(task.direction.value)}

[resources]
submission_mib = 1024

[variants.full]
{variant}
[variants.mini]
{variant}note = "the same data as full"
"""


def _toml(value: object) -> str:
    """JSON's strings and lists are TOML's as well."""
    return json.dumps(value)
