"""What a run needs of this machine: each need is tried once, before the run begins.

To add one, write a function that raises what is missing, in words, and list it in ``NEEDS``.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from typing import TYPE_CHECKING

from environment.limits import effective_budget, script_limits
from environment.sandbox import try_out
from environment.sandbox.base import Limits
from evaluation.grading import try_grader
from flows.errors import UsageError
from foundation.sizes import MiB

if TYPE_CHECKING:
    from flows.run.opening import Ground


def _limits(ground: Ground) -> Limits:
    budget = effective_budget(ground.config.budget, ground.task.spec.budget)
    return script_limits(ground.task.spec.resources, budget.script_seconds, budget.disk_mib)


def disk(ground: Ground) -> None:
    """The workspace may grow to its limit."""
    needed = _limits(ground).workspace_size or 0
    home = ground.settings.layout.home
    free = shutil.disk_usage(home).free
    if free < needed:
        raise UsageError(
            f"{home} has {free // MiB} MiB free, and the workspace may take {needed // MiB} MiB",
            hint="Free some, move MLAB_HOME to a larger disk, or allow less with --max-disk MIB.",
        )


def sandbox(ground: Ground) -> None:
    """A script starts, under the limits of the task."""
    try_out(ground.sandbox, _limits(ground))


def grader(ground: Ground) -> None:
    """The task's grader finds its libraries in the sandbox."""
    try_grader(ground.task, ground.sandbox)


NEEDS: tuple[Callable[[Ground], None], ...] = (disk, sandbox, grader)
"""In the order they are tried."""


def check_needs(ground: Ground) -> None:
    """Try every need of a run.

    Raises:
        MlabError: One is not met, in words.
    """
    for need in NEEDS:
        need(ground)
