"""A task's data on this machine."""

from __future__ import annotations

from pathlib import Path

from evaluation.foreign import InSandbox
from flows.settings import Settings
from tasks_catalog.library.prepare import Prepared, prepare
from tasks_catalog.library.spec import Task, Variant


def data_of(task: Task, variant: Variant, settings: Settings, raw: Path | None = None) -> Prepared:
    """The data of a task, made where it is not there yet; see ``tasks_catalog.library.prepare``."""
    settings.make_home()
    layout = settings.layout
    destination = layout.task_data(task.data_name, variant)
    return prepare(task, variant, destination, layout.downloads, raw, run_foreign=InSandbox())
