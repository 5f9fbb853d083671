"""Scripts that were found on one task and applied to another: the gain there against the gain where they come from."""

from __future__ import annotations

from collections.abc import Iterable

from environment.records import Scored
from evaluation.report.model import RunRow
from foundation.records import Record


class Transfer(Record):
    """One script on two tasks.

    Attributes:
        source: The run that found it.
        run_id: The run that applied it.
        from_task: Where it was found.
        to_task: Where it was applied.
        before: What it reached where it was found.
        after: What it reached where it was applied.
    """

    source: str
    run_id: str
    from_task: str
    to_task: str
    before: Scored
    after: Scored


def transfers_of(rows: Iterable[RunRow]) -> list[Transfer]:
    """The transfers among some runs, in their order."""
    return [
        Transfer(
            source=origin.run_id,
            run_id=row.result.run_id,
            from_task=origin.task,
            to_task=row.result.task,
            before=_scored(origin),
            after=_scored(row.result),
        )
        for row in rows
        if (origin := row.result.transferred) is not None
    ]


def _scored(found: Scored) -> Scored:
    return Scored(score=found.score, improvement=found.improvement, normalised=found.normalised)
