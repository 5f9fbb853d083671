"""A task folder, read and checked."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from foundation.validation import faults
from tasks_catalog.library.errors import BrokenTaskError, TaskError, TaskNotFoundError
from tasks_catalog.library.spec import Task, TaskSpec


def read_task(folder: Path) -> Task:
    """The task in ``folder``.

    Raises:
        TaskNotFoundError: It is no task's folder.
        BrokenTaskError: A part is missing, ``task.toml`` is wrong, or ``instruction.md`` cannot be read.
    """
    spec = _read_spec(folder)
    task = Task(spec=spec, root=folder, base=folder.parent / spec.based_on if spec.based_on else None)
    parts = [folder / "instruction.md", task.starter / spec.script, task.prepare_script, task.grade_script]
    missing = [os.path.relpath(part, folder) for part in parts if not part.is_file()]
    if missing:
        raise BrokenTaskError(
            f"The task folder {folder} lacks {', '.join(missing)}",
            hint="`mlab tasks new NAME` makes a complete one to compare with.",
        )
    _check_instruction(task)
    return task


def _check_instruction(task: Task) -> None:
    try:
        text = task.instruction
    except UnicodeDecodeError as error:
        path = task.root / "instruction.md"
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        raise BrokenTaskError(
            f"{path}, line {line}, is not in UTF-8: {error.reason}", hint="Save it as UTF-8."
        ) from None
    if not text.strip():
        raise BrokenTaskError(f"{task.root / 'instruction.md'} is empty", hint="Say in it what the agent is to do.")


def _read_spec(folder: Path) -> TaskSpec:
    """The spec in a task folder; fields it does not state are those of the task it is based on."""
    fields = _read_fields(folder)
    base = fields.get("based_on")
    try:
        return TaskSpec.model_validate((_fields_of_base(folder, str(base)) if base else {}) | fields)
    except ValidationError as error:
        raise BrokenTaskError(
            f"{folder / 'task.toml'} is not a task specification: {'; '.join(faults(error, of=TaskSpec))}"
        ) from None


def _fields_of_base(folder: Path, base: str) -> dict[str, Any]:
    try:
        return _read_fields(folder.parent / base)
    except TaskNotFoundError as error:
        raise BrokenTaskError(
            f"{folder / 'task.toml'} says based_on = {base!r}: {error.message}",
            hint="It takes the name of a task's folder that lies beside this one.",
        ) from None


def _read_fields(folder: Path) -> dict[str, Any]:
    path = folder / "task.toml"
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise TaskNotFoundError(f"{folder} is not a task folder: it has no task.toml") from None
    except OSError as error:
        raise TaskError(f"{path} cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BrokenTaskError(f"{path} is not valid TOML: {error}") from None
