"""What has become of each run of a sweep."""

from __future__ import annotations

from collections import Counter
from enum import StrEnum

from environment.errors import CorruptObjectError, NotInStoreError
from environment.journal.entries import Journal
from environment.journal.tables import read_grades
from environment.records import RunConfig, RunResult
from environment.store import RunKeys, Store
from flows.sweep.failures import Failure, FailureKind
from foundation.records import Record


class CellState(StrEnum):
    """How a run of a sweep stands at the sweep's end."""

    DONE = "done"  # it has a result, whatever it is
    AGENT_FAILED = "agent failed"  # it never will
    UNFINISHED = "unfinished"  # infrastructure or setup; the next sweep tries again
    NO_MONEY = "no money"  # the cap did not allow it to begin
    STOPPED = "stopped"  # the sweep ended before it


class CellOutcome(Record):
    """One run: its state, what it cost, and why it has no result.

    Attributes:
        attempts: How often it was begun by this sweep; 0 where it was done before.
        cost: US dollars as far as known, also of runs without a result.
    """

    config: RunConfig
    state: CellState
    attempts: int = 0
    result: RunResult | None = None
    failure: Failure | None = None
    cost: float = 0.0

    @property
    def run_id(self) -> str:
        """The run's id, which every cell has."""
        return self.config.run_id or ""


class SweepReport(Record):
    """All runs of a sweep in the order of its file."""

    name: str
    cells: tuple[CellOutcome, ...]
    seconds: float

    @property
    def cost(self) -> float:
        """US dollars of all runs as far as known, whichever sweep paid."""
        return sum(cell.cost for cell in self.cells)

    @property
    def counts(self) -> dict[str, int]:
        """Runs by state."""
        return dict(Counter(cell.state.value for cell in self.cells))

    @property
    def ended(self) -> bool:
        """Whether there is nothing left that another sweep could do."""
        return all(cell.state in (CellState.DONE, CellState.AGENT_FAILED) for cell in self.cells)


def settled_outcome(store: Store, config: RunConfig, attempts: int = 0) -> CellOutcome | None:
    """What the store says of a run that needs no more work, or ``None``."""
    journal = Journal(store, config.run_id or "")
    result = journal.result()
    if result is not None:
        if lacks_grades(store, config, result):
            return None
        cost = cost_of(journal, result)
        return CellOutcome(config=config, state=CellState.DONE, attempts=attempts, result=result, cost=cost)
    try:
        failure = store.get_record(journal.keys.failure, Failure)
    except (NotInStoreError, CorruptObjectError):
        return None
    return CellOutcome(
        config=config, state=CellState.AGENT_FAILED, attempts=attempts, failure=failure, cost=paid(journal)
    )


def unsettled_outcome(store: Store, config: RunConfig, failure: Failure, attempts: int) -> CellOutcome:
    """What has become of a run that failed for the last time; an agent's failure is kept in the store."""
    journal = Journal(store, config.run_id or "")
    state = CellState.UNFINISHED
    if failure.kind is FailureKind.AGENT:
        store.put_record(journal.keys.failure, failure)
        state = CellState.AGENT_FAILED
    return CellOutcome(config=config, state=state, attempts=attempts, failure=failure, cost=paid(journal))


def forget_failure(store: Store, config: RunConfig) -> None:
    """Let a run that an agent failed be tried again."""
    store.delete(RunKeys(run_id=config.run_id or "").failure)


def lacks_grades(store: Store, config: RunConfig, result: RunResult) -> bool:
    """Whether every step is to be graded and was not yet."""
    return config.intermediate and len(read_grades(store, result.run_id)) != result.steps


def cost_of(journal: Journal, result: RunResult) -> float:
    """What a run with a result has cost, as far as prices are known."""
    return result.cost if result.cost is not None else paid(journal)


def paid(journal: Journal) -> float:
    """What a run has cost up to its last commit, as far as prices are known."""
    steps = journal.steps()
    return steps[-1].checkpoint.spent.cost if steps else 0.0
