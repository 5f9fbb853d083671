"""What a run needs of this machine: each need is tried once, before the run begins.

To add one, write a function that raises what is missing, in words, and list it in ``NEEDS``.
"""

from __future__ import annotations

from collections.abc import Callable

from agent.models.factory import make_model
from agent.models.secrets import read_secrets
from agent.models.settings import ModelSettings
from agent.settings import MODEL_PREFIX, read_settings
from environment.sandbox import try_out
from evaluation.grading import try_grader
from flows.run.checking import check_gateway
from flows.run.disk import check_disk
from flows.run.opened import OpenedRun


def disk(run: OpenedRun) -> None:
    """The workspace may grow to its limit."""
    check_disk(run.config, run.task, run.settings)


def sandbox(run: OpenedRun) -> None:
    """A script starts, under the limits of the task."""
    try_out(run.sandbox, run.limits)


def grader(run: OpenedRun) -> None:
    """The task's grader finds its libraries in the sandbox."""
    try_grader(run.task, run.sandbox)


def gateway(run: OpenedRun) -> None:
    """The sandbox that was found can offer models to scripts."""
    check_gateway(run.config, run.sandbox.name)


def guard(run: OpenedRun) -> None:
    """The model that reads for the guard can be made, where there is still something to read."""
    name = run.config.guard_model
    if name is not None and run.journal.result() is None:
        make_model(name, read_settings(ModelSettings, MODEL_PREFIX, run.config.settings), read_secrets())


NEEDS: tuple[Callable[[OpenedRun], None], ...] = (disk, gateway, guard, sandbox, grader)
"""In the order they are tried."""


def check_needs(run: OpenedRun) -> None:
    """Try every need of a run.

    Raises:
        MlabError: One is not met, in words.
    """
    for need in NEEDS:
        need(run)
