"""Best of n: of several runs of one contestant, the one that was best on validation data counts, at the cost of all.

What counts is a run of its own, with the steps of the chosen one; the others stay as they are. Making it again makes
the same run.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

from environment.errors import NotInStoreError
from environment.journal.entries import Journal
from environment.metrics.validated import best_first, validated_steps
from environment.records import BEST_VALIDATED, RunConfig, RunResult, Usage, Validated
from environment.store import RunKeys, Store
from evaluation.report.kept import rebuild_tables
from evaluation.statistics.entries import group_by, is_finished
from flows.names import new_run_id
from flows.sweep.cells import NOT_IDENTITY
from foundation.records import Record

_ID_LENGTH = 16


class Member(NamedTuple):
    """One of the runs, with what it was."""

    journal: Journal
    config: RunConfig
    result: RunResult


class BestOf(Record):
    """What came of one choice.

    Attributes:
        run_id: The run that stands for all.
        members: The runs that were chosen from, by seed.
        chosen: The best one on validation data; where none measured any, the first.
        validated: What it measured.
        result: Its result, with the cost of all.
    """

    run_id: str
    members: tuple[str, ...]
    chosen: str
    validated: Validated | None
    result: RunResult


def teams(store: Store, run_ids: Iterable[str], n: int) -> list[list[Member]]:
    """Finished runs that differ in nothing but their seed, by seed, ``n`` at a time; what is left over is left out."""
    found = [member for run_id in run_ids if (member := _member(store, run_id)) is not None]
    alike = group_by(found, lambda member: _without_seed(member.config)).values()
    return [team for runs in alike for team in _full(sorted(runs, key=lambda one: one.config.seed), n)]


def best_of(store: Store, team: Sequence[Member]) -> BestOf:
    """Choose among runs by what they measured on validation data, and store the run that stands for them.

    Raises:
        StoreError: A run's steps cannot be read, or the store cannot be written.
    """
    chosen, validated = _choose(team)
    members = tuple(member.journal.run_id for member in team)
    config = team[0].config.model_copy(update={"run_id": None, "best_of": members})
    run_id = new_run_id(config, hashlib.sha256(" ".join(members).encode()).hexdigest(), length=_ID_LENGTH)
    journal = Journal(store, run_id)
    result = _of_all(chosen.result, [member.result for member in team], config, run_id)
    if journal.result() is None:
        _take_over(store, journal, chosen, config.model_copy(update={"run_id": run_id}))
        journal.write_result(result)
        rebuild_tables(store, run_id)
    return BestOf(
        run_id=run_id,
        members=members,
        chosen=chosen.journal.run_id,
        validated=validated,
        result=journal.result() or result,
    )


def _member(store: Store, run_id: str) -> Member | None:
    journal = Journal(store, run_id)
    result = journal.result()
    if result is None or not is_finished(result) or result.is_imported:
        return None
    config = journal.config()
    return None if config.best_of else Member(journal, config, result)


def _without_seed(config: RunConfig) -> str:
    return config.model_dump_json(exclude={"seed", *NOT_IDENTITY})


def _full(runs: Sequence[Member], n: int) -> Iterator[list[Member]]:
    """Teams of n runs of different seeds."""
    by_seed = list({member.config.seed: member for member in runs}.values())
    return ([*by_seed[start : start + n]] for start in range(0, len(by_seed) - n + 1, n))


def _choose(team: Sequence[Member]) -> tuple[Member, Validated | None]:
    found = [(_validated(member), member) for member in team]
    measured = [(value.model_copy(update={"step": n}), n) for n, (value, _) in enumerate(found) if value is not None]
    direction = team[0].result.direction
    if not measured or direction is None:
        return team[0], None
    leader = best_first([value for value, _ in measured], direction)[0].step
    return team[leader], found[leader][0]


def _validated(member: Member) -> Validated | None:
    """The validation value of what a run submitted: of the step it chose, else of its last training run."""
    if member.result.score is None:
        return None
    made = member.result.submission
    if made is not None and made.rule == BEST_VALIDATED:
        return made.best_validated
    return next(reversed(validated_steps(member.journal.steps(), member.result.metric)), None)


def _take_over(store: Store, journal: Journal, chosen: Member, config: RunConfig) -> None:
    """All that a run is but its result."""
    journal.branch_from(chosen.journal, chosen.result.steps - 1)
    keys, theirs = RunKeys(run_id=journal.run_id), RunKeys(run_id=chosen.journal.run_id)
    with suppress(NotInStoreError):  # not every task draws its exam
        store.put(keys.secret, store.get(theirs.secret))
    journal.write_config(config)
    lock = chosen.journal.lock()
    if lock is not None:
        journal.write_lock(lock)


def _of_all(chosen: RunResult, results: Sequence[RunResult], config: RunConfig, run_id: str) -> RunResult:
    """The chosen one's result with what all of them used."""
    costs = [result.cost for result in results]
    known = [cost for cost in costs if cost is not None]
    used = [result.usage for result in results if result.usage is not None]
    usage = {name: sum(getattr(one, name) for one in used) for name in Usage.model_fields}
    return chosen.model_copy(
        update={
            "run_id": run_id,
            "seed": config.seed,
            "training_runs": sum(result.training_runs for result in results),
            "tokens": sum(result.tokens for result in results),
            "cost": sum(known) if len(known) == len(costs) else None,
            "seconds": sum(result.seconds for result in results),
            "usage": Usage(**usage) if len(used) == len(results) else None,
        }
    )
