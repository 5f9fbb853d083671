"""Who makes the runs of a sweep: one process at a time.

Two would begin the same runs, each to find the other's taken, and each would spend the sweep's money.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from environment.journal.lease import TAKEN_OVER, Lease
from environment.records import RunConfig
from environment.store import Store, sweep_leases
from flows.errors import UsageError


class SweepLease(Lease):
    """Holds the runs of a sweep while its ``with`` block lasts, whatever the sweep is called.

    Args:
        store: Where the runs are.
        name: What people call the sweep.
        configs: Its runs, each with its id.
        flow_run: The Prefect flow run that this process works for.

    Raises:
        UsageError: On entry, where another process makes the same runs; says which.
    """

    def __init__(self, store: Store, name: str, configs: Sequence[RunConfig], flow_run: str | None = None) -> None:
        runs = " ".join(sorted(config.run_id or "" for config in configs))
        super().__init__(store, sweep_leases(hashlib.sha256(runs.encode()).hexdigest()), flow_run)
        self._name = name

    def _busy(self, who: str) -> UsageError:
        return UsageError(
            f"The runs of sweep {self._name} are being made already, by {who}.",
            hint=f"Wait for it, or stop it first; {TAKEN_OVER}",
        )
