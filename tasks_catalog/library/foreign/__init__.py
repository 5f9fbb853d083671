"""Other benchmarks' tasks as folders of ours: their graders run as they are, inside the grading sandbox."""

from __future__ import annotations

from pathlib import Path

from tasks_catalog.library.errors import TaskError, writing
from tasks_catalog.library.foreign.mlagentbench import import_original
from tasks_catalog.library.foreign.mlebench import import_competition
from tasks_catalog.library.foreign_code import RunForeign, never
from tasks_catalog.library.spec import Direction, Task

__all__ = ["import_task"]


def import_task(
    source: Path, parent: Path, *, direction: Direction | None = None, run: RunForeign = never, trusted: bool = False
) -> Task:
    """Make a task folder below ``parent`` from a task of MLAgentBench or a competition of MLE-bench.

    Args:
        source: A folder with ``env/`` and ``scripts/``, or with ``config.yaml``, ``prepare.py`` and ``grade.py``.
        parent: Where the new folder is made, under the name of the source.
        direction: Which way the score is better, where the source does not say.
        run: Runs the source's ``prepare.py``.
        trusted: Whether its owner lets a competition's run outside any sandbox whenever its data is made.

    Returns:
        The task, marked as not hardened.

    Raises:
        TaskError: The source is neither, its direction is unknown, or its code may not run.
        PrepareError: Its code fails.
    """
    with writing(source):
        source.stat()
    if (source / "env").is_dir() and (source / "scripts").is_dir():
        return import_original(source, parent, direction, run)
    if (source / "config.yaml").is_file():
        return import_competition(source, parent, direction, trusted=trusted)
    raise TaskError(
        f"{source} is neither a task of MLAgentBench nor a competition of MLE-bench",
        hint="Looked for env/ and scripts/, and for config.yaml.",
    )
