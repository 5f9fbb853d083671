"""Who makes the runs of a sweep: one process at a time.

Two would begin the same runs, each to find the other's taken, and each would spend the sweep's money.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence

from environment.journal.lease import TAKEN_OVER, Lease, holder_in
from environment.records import RunConfig
from environment.store import Store, sweep_leases
from flows.errors import UsageError
from flows.sweep.kept import kept_sweeps


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
        super().__init__(store, _leases(config.run_id or "" for config in configs), flow_run)
        self._name = name

    def _busy(self, who: str) -> UsageError:
        return UsageError(
            f"The runs of sweep {self._name} are being made already, by {who}.",
            hint=f"Wait for it, or stop it first; {TAKEN_OVER}",
        )


def shared_with(store: Store, configs: Sequence[RunConfig]) -> Iterator[str]:
    """A sentence for each other sweep under way that makes some of these runs as well."""
    own = {config.run_id for config in configs}
    for sweep in kept_sweeps(store):
        shared = own.intersection(sweep.runs)
        maker = holder_in(store, _leases(sweep.runs)) if shared and own != set(sweep.runs) else None
        if maker is not None:
            yield (
                f"{len(shared)} of these {len(own)} runs are also made by process {maker.pid} on {maker.host}, for "
                f"sweep {sweep.spec.name}: whoever comes first makes a run, and the other says that it is taken. The "
                "same command makes what is left, once both have ended."
            )


def _leases(run_ids: Iterable[str]) -> str:
    return sweep_leases(hashlib.sha256(" ".join(sorted(run_ids)).encode()).hexdigest())
