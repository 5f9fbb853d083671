"""Which of its limits a command was stopped by, in words."""

from __future__ import annotations

from environment.records import KilledBy
from environment.records.display import STOPPED_BY
from environment.sandbox.base import Limits
from foundation.sizes import MiB


def limit_hit(killed_by: KilledBy, limits: Limits, *, workspace: str = "the workspace") -> str:
    """What a command did that ended it: ``it ran longer than its limit of 120 s``.

    Args:
        killed_by: The limit.
        limits: All of them.
        workspace: What its folder is called, where that is none of an agent's.
    """
    sizes = {
        KilledBy.TIMEOUT: f" of {limits.timeout:g} s" if limits.timeout else "",
        KilledBy.MEMORY: of_mebibytes(limits.memory),
        KilledBy.OUTPUT: of_mebibytes(limits.output),
        KilledBy.WORKSPACE: of_mebibytes(limits.workspace_size),
    }
    return STOPPED_BY[killed_by].replace("the workspace", workspace) + sizes.get(killed_by, "")


def of_mebibytes(size: int | None) -> str:
    """A size as what follows ``limit``; nothing where there is none."""
    return f" of {size / MiB:,.0f} MiB" if size else ""
