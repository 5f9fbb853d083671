"""Ends a run by hand that will not be resumed: as its agent's failure, or as nobody's."""

from __future__ import annotations

from collections import Counter

from environment.journal.entries import Journal
from environment.journal.lease import RunLease
from environment.records import EndedBy, RunResult, RunStatus
from environment.store import Store
from evaluation.report.collect import read_run
from evaluation.report.kept import rebuild_tables
from flows.errors import UsageError


def close(store: Store, run_id: str, status: RunStatus, reason: str) -> RunResult:
    """Write the result of an interrupted run: no score, its claims as they stand, and why it was closed.

    Args:
        store: Where it lies.
        run_id: The run.
        status: ``FAILED`` counts in every rate; ``INFRASTRUCTURE`` counts in none.
        reason: Kept as the result's error.

    Raises:
        UsageError: It has ended already.
        RunBusyError: It is under way.
        StoreError: It cannot be read.
    """
    journal = Journal(store, run_id)
    with RunLease(store, run_id):
        ended = journal.result()
        if ended is not None:
            raise UsageError(f"Run {run_id} has ended already: {ended.status.value}.")
        run = read_run(store, run_id, journal=journal)
        verdicts = Counter(claim.verdict.value for claim in run.claims if claim.verdict is not None)
        result = run.result.model_copy(
            update={
                "status": status,
                "ended_by": EndedBy.ERROR,
                "error": f"closed by hand: {reason}",
                "claims": dict(verdicts),
                "within_noise": sum(claim.within_noise for claim in run.claims),
            }
        )
        journal.write_result(result)
        rebuild_tables(store, run_id)
    return result
