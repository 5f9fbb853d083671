"""Who is ahead: on one task or on all of them, and whether the runs bear it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from evaluation.statistics.entries import Entry, group_by, is_anchor
from evaluation.statistics.estimate import CONFIDENCE, Estimate
from evaluation.statistics.means import mean_over_tasks
from evaluation.statistics.pairs import Comparison, compare
from evaluation.statistics.testing import holm
from foundation.records import Record


class Standing(Record):
    """Mean improvement of one contestant, or of an end of the scale, tasks weighing alike.

    Attributes:
        scored: Runs with a score; one without counts as the baseline.
    """

    contestant: str
    runs: int
    scored: int
    successes: int
    improvement: Estimate


class Lead(Record):
    """The contestant with the highest mean improvement, held against the next one.

    Attributes:
        task: The task; ``None`` for all tasks that every contestant here ran.
        tasks: Number of tasks.
        left_out: Tasks on which only ends of the scale ran; named where the lead is over all the others.
        standings: All contestants, best first.
        anchors: The ends of the scale.
        comparison: The first against the second, on the same tasks and seeds; ``None`` where they share none.
        p_value: Of their difference in improvement, corrected for all pairs of contestants (Holm).
    """

    task: str | None
    tasks: int
    left_out: tuple[str, ...] = ()
    standings: tuple[Standing, ...]
    anchors: tuple[Standing, ...]
    comparison: Comparison | None
    p_value: float | None

    @property
    def beyond_noise(self) -> bool:
        """Whether chance alone hardly puts the first this far ahead, on the runs that can be paired as in the mean."""
        return not self.is_reversed and self.p_value is not None and self.p_value < 1 - CONFIDENCE

    @property
    def is_reversed(self) -> bool:
        """Whether, on the runs that can be paired, the second does better than the first."""
        return self.comparison is not None and self.comparison.improvement.value < 0

    @property
    def is_even(self) -> bool:
        """Whether the first two do alike in every pair, of which each task has several."""
        pairs = self.comparison
        return (
            pairs is not None
            and pairs.improvement.value == 0
            and not pairs.improvement.has_interval
            and pairs.pairs >= 2 * pairs.tasks
        )

    @property
    def is_scoreless(self) -> bool:
        """Whether no run of any contestant has a score: all that is equal is that they failed."""
        return not any(one.scored for one in self.standings)

    @property
    def tested(self) -> int:
        """How many pairs of contestants there are."""
        return len(self.standings) * (len(self.standings) - 1) // 2


def leads(entries: Sequence[Entry]) -> list[Lead]:
    """Who is ahead on all tasks together, where there are several, then on each of them.

    Args:
        entries: Graded runs of one data variant.
    """
    tasks = sorted({entry.result.task for entry in entries if not is_anchor(entry.result)})
    scopes = [*([None] if len(tasks) > 1 else []), *tasks]
    return [lead for task in scopes if (lead := _lead(task, entries, tasks))]


def _lead(task: str | None, entries: Sequence[Entry], tasks: Sequence[str]) -> Lead | None:
    within = [task] if task else tasks
    runs = [entry for entry in entries if entry.result.task in within]
    contestants = list(_who_ran_all([entry for entry in runs if not is_anchor(entry.result)], within))
    if not contestants:
        return None
    standings = sorted((_standing(*one) for one in contestants), key=lambda one: -one.improvement.value)
    anchors = _who_ran_all([entry for entry in runs if is_anchor(entry.result)], within)
    comparison, p_value = _first_two([one.contestant for one in standings], dict(contestants))
    return Lead(
        task=task,
        tasks=len(within),
        left_out=() if task else tuple(sorted({entry.result.task for entry in entries} - set(tasks))),
        standings=tuple(standings),
        anchors=tuple(_standing(*one) for one in anchors),
        comparison=comparison,
        p_value=p_value,
    )


def _who_ran_all(entries: Sequence[Entry], tasks: Sequence[str]) -> Iterator[tuple[str, list[Entry]]]:
    for name, own in group_by(entries, lambda entry: entry.contestant).items():
        if {entry.result.task for entry in own} == set(tasks):
            yield name, own


def _standing(contestant: str, entries: Sequence[Entry]) -> Standing:
    by_task = group_by([entry.result for entry in entries], lambda result: result.task)
    return Standing(
        contestant=contestant,
        runs=len(entries),
        scored=sum(entry.result.improvement is not None for entry in entries),
        successes=sum(entry.result.success for entry in entries),
        improvement=mean_over_tasks([[result.improvement or 0.0 for result in own] for own in by_task.values()]),
    )


def _first_two(names: Sequence[str], entries: dict[str, list[Entry]]) -> tuple[Comparison | None, float | None]:
    """The first against the second, with a p value that knows of all the other pairs."""
    results = {name: [entry.result for entry in entries[name]] for name in names}
    tested = len(names) * (len(names) - 1) // 2
    pairs = [compare((a, results[a]), (b, results[b]), tests=tested) for a, b in combinations(names, 2)]
    corrected = holm([pair.improvement_p if pair else None for pair in pairs])
    return (pairs[0], corrected[0]) if pairs else (None, None)
