"""Which of its limits a command was stopped by, in words."""

from __future__ import annotations

from environment.records import KilledBy
from environment.sandbox.base import Limits
from foundation.sizes import MiB


def limit_hit(killed_by: KilledBy, limits: Limits) -> str:
    """What a command did that ended it: ``it ran longer than its limit of 120 s``."""
    match killed_by:
        case KilledBy.TIMEOUT:
            return f"it ran longer than its limit of {limits.timeout:g} s" if limits.timeout else "it ran too long"
        case KilledBy.MEMORY:
            return f"it used more memory than its limit{of_mebibytes(limits.memory)}"
        case KilledBy.OUTPUT:
            return f"it printed more than its limit{of_mebibytes(limits.output)}"
        case KilledBy.WORKSPACE:
            return f"the workspace grew beyond its limit{of_mebibytes(limits.workspace_size)}"
        case KilledBy.CANCELLED:
            return "it was told to stop"


def of_mebibytes(size: int | None) -> str:
    """A size as what follows ``limit``; nothing where there is none."""
    return f" of {size / MiB:,.0f} MiB" if size else ""
