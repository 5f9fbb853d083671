"""What the tables are made of: results, under the name of who is compared."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

from environment.records import RunConfig, RunResult, RunStatus
from foundation.records import Record

Key = TypeVar("Key", bound=Hashable)
Item = TypeVar("Item")


ANCHORS = frozenset({"nop", "oracle"})
"""Agents that mark the ends of the scale, where nothing was done and where the reference solution was applied."""


class Entry(Record):
    """One finished benchmark run and the contestant it counts for.

    Attributes:
        contestant: Agent, model and whatever settings tell it from another contestant.
        result: The run's result.
        config: What was asked, where it is known; ablations need it.
    """

    contestant: str
    result: RunResult
    config: RunConfig | None = None


def is_anchor(result: RunResult) -> bool:
    """Whether a run marks an end of the scale, and takes no part in who is better."""
    return result.agent in ANCHORS


def is_finished(result: RunResult) -> bool:
    """Whether a run counts: its agent ended it, well or badly. What can be resumed or ended by our doing does not."""
    return result.status in (RunStatus.COMPLETED, RunStatus.FAILED)


def is_open(result: RunResult) -> bool:
    """Whether a run goes on, or can be gone on with."""
    return result.status in (RunStatus.RUNNING, RunStatus.INTERRUPTED)


def is_graded(result: RunResult) -> bool:
    """Whether success or failure of a finished run is known.

    It is not for a foreign log without a grade or a baseline: such a run neither succeeded nor failed.
    """
    known = result.improvement is not None or result.invalid_submission is not None
    return is_finished(result) and (known or result.status is RunStatus.FAILED)


NO_BASELINE = "no baseline"


def why_ungraded(result: RunResult) -> str:
    """What stands in the place of success where ``is_graded`` says no: a score alone is measured from nothing."""
    return NO_BASELINE if result.score is not None and result.baseline is None else "not graded"


def group_by(items: Iterable[Item], key: Callable[[Item], Key]) -> dict[Key, list[Item]]:
    """Items by key, in the order of first appearance."""
    groups: defaultdict[Key, list[Item]] = defaultdict(list)
    for item in items:
        groups[key(item)].append(item)
    return dict(groups)
