"""The room that a run's workspace may take."""

from __future__ import annotations

from environment.limits import effective_budget, script_limits
from environment.records import RunConfig
from flows.errors import UsageError
from flows.settings import Settings
from foundation.disk import free_bytes
from foundation.sizes import MiB
from tasks_catalog.library.spec import Task


def check_disk(config: RunConfig, task: Task, settings: Settings) -> None:
    """Make sure that the workspace may grow to its limit; needs nothing that has been started.

    Raises:
        UsageError: The home has less room.
    """
    asked = effective_budget(config.budget, task.spec.budget).disk_mib
    needed = script_limits(task.spec.resources, None, asked).workspace_size or 0
    home = settings.layout.home
    free = free_bytes(home)
    if free < needed:
        settings.make_home()  # where none can be made there is no room either, which is not what should be told
        raise UsageError(
            f"{home} has {free // MiB} MiB free, and the workspace may take {needed // MiB} MiB",
            hint="Free some, move MLAB_HOME to a larger disk, or allow less with --max-disk MIB.",
        )
