"""What a run needs of this machine: each need is tried once, before the run begins.

To add one, write a function that raises what is missing, in words, and list it in ``NEEDS``.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable

from environment.sandbox import try_out
from evaluation.grading import try_grader
from flows.errors import UsageError
from flows.run.opened import OpenedRun
from foundation.sizes import MiB


def disk(run: OpenedRun) -> None:
    """The workspace may grow to its limit."""
    needed = run.limits.workspace_size or 0
    home = run.settings.layout.home
    free = shutil.disk_usage(home).free
    if free < needed:
        raise UsageError(
            f"{home} has {free // MiB} MiB free, and the workspace may take {needed // MiB} MiB",
            hint="Free some, move MLAB_HOME to a larger disk, or allow less with --max-disk MIB.",
        )


def sandbox(run: OpenedRun) -> None:
    """A script starts, under the limits of the task."""
    try_out(run.sandbox, run.limits)


def grader(run: OpenedRun) -> None:
    """The task's grader finds its libraries in the sandbox."""
    try_grader(run.task, run.sandbox)


NEEDS: tuple[Callable[[OpenedRun], None], ...] = (disk, sandbox, grader)
"""In the order they are tried."""


def check_needs(run: OpenedRun) -> None:
    """Try every need of a run.

    Raises:
        MlabError: One is not met, in words.
    """
    for need in NEEDS:
        need(run)
