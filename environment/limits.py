"""The limits of a run and of its scripts: what was asked, and the task's own where nothing was."""

from __future__ import annotations

from environment.records import Budget
from environment.sandbox.base import Limits
from foundation.sizes import MiB
from tasks_catalog.library.spec import BudgetSpec, ResourceSpec


def effective_budget(asked: Budget, task: BudgetSpec) -> Budget:
    """What was asked of a run, and the task's own limits where nothing was."""
    defaults = {"steps": task.steps, "seconds": task.seconds, "script_seconds": task.script_seconds}
    unset = {name: value for name, value in defaults.items() if getattr(asked, name) is None}
    return asked.model_copy(update=unset)


def script_limits(resources: ResourceSpec, timeout: float | None, disk_mib: float | None = None) -> Limits:
    """What one script of a task may use, in at most ``timeout`` seconds; of GPUs, all that its sandbox has.

    Args:
        resources: The task's.
        timeout: Wall time in seconds; ``None`` is no limit.
        disk_mib: What the workspace may hold, in place of the task's own limit.
    """
    return Limits(
        timeout=timeout,
        memory=resources.memory_mib * MiB,
        cpus=resources.cpus,
        processes=resources.processes,
        workspace_size=round((disk_mib or resources.workspace_mib) * MiB),
        gpus=True,
    )
