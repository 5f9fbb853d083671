"""Imported tasks, prepared and run."""

from __future__ import annotations

from pathlib import Path

from environment.sandbox.bubblewrap import BubblewrapSandbox
from evaluation.foreign import InSandbox
from evaluation.grading import GradeReport
from evaluation.verify import run_starter
from tasks_catalog.library.prepare import Prepared, prepare
from tasks_catalog.library.spec import Task, Variant

IN_SANDBOX = InSandbox()


def prepared_for(task: Task, tmp_path: Path, raw: Path | None = None) -> Prepared:
    data, downloads = tmp_path / "data" / "full", tmp_path / "downloads"
    return prepare(task, Variant.FULL, data, downloads, raw, run_foreign=IN_SANDBOX)


def run(task: Task, prepared: Prepared) -> GradeReport:
    return run_starter(task, Variant.FULL, prepared, BubblewrapSandbox())[0]
