"""What the planning probe says of an agent: how deep it gets, and what each change took."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from environment.records import StepGrade
from evaluation.process.probe import depth_curve
from evaluation.statistics.entries import group_by
from foundation.records import Record


class ProbeRun(Record):
    """One run of the probe.

    Attributes:
        run_id: The run; ``None`` where it came to no end.
        depth: Changes in a row that the task needs.
        right: Leading changes that are right at the end.
        most: The most that were right after any step.
        curve: Leading changes that were right after each step.
        steps_per_change: Steps from one change to the next, in the mean; ``None`` without a change.
    """

    run_id: str | None
    depth: int
    right: int = 0
    most: int = 0
    curve: tuple[int, ...] = ()
    steps_per_change: float | None = None

    @property
    def solved(self) -> bool:
        """Whether all changes are right at the end."""
        return self.right == self.depth


class DepthSummary(Record):
    """All runs of one depth."""

    depth: int
    runs: int
    solved: int
    right: float
    steps_per_change: float | None

    @property
    def holds(self) -> bool:
        """Whether most of the runs are solved."""
        return 2 * self.solved > self.runs


def probe_run(run_id: str | None, depth: int, grades: Sequence[StepGrade]) -> ProbeRun:
    """Read a run of the probe from the grades of its steps."""
    curve = depth_curve([grade.score for grade in grades])
    changes = range(1, max(curve, default=0) + 1)
    firsts = [next(n for n, right in enumerate(curve) if right >= change) for change in changes]
    waits = [after - before for before, after in pairwise([-1, *firsts])]
    return ProbeRun(
        run_id=run_id,
        depth=depth,
        right=curve[-1] if curve else 0,
        most=max(curve, default=0),
        curve=tuple(curve),
        steps_per_change=sum(waits) / len(waits) if waits else None,
    )


def by_depth(runs: Sequence[ProbeRun]) -> list[DepthSummary]:
    """The runs of each depth together, from the least depth on."""
    return [_summary(depth, of_depth) for depth, of_depth in sorted(group_by(runs, lambda run: run.depth).items())]


def breaks_at(depths: Sequence[DepthSummary]) -> int | None:
    """The least depth of which half of the runs or more are not solved; ``None`` where there is none."""
    return next((found.depth for found in depths if not found.holds), None)


def _summary(depth: int, runs: Sequence[ProbeRun]) -> DepthSummary:
    waits = [run.steps_per_change for run in runs if run.steps_per_change is not None]
    return DepthSummary(
        depth=depth,
        runs=len(runs),
        solved=sum(run.solved for run in runs),
        right=sum(run.right for run in runs) / len(runs),
        steps_per_change=sum(waits) / len(waits) if waits else None,
    )
