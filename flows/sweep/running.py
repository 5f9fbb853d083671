"""Runs a sweep: what is done is skipped, what fails by accident is tried again, nothing stops the rest."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol

from tenacity import RetryCallState, Retrying, retry_if_result, stop_after_attempt, stop_any, stop_when_event_set
from tenacity.nap import sleep_using_event
from tenacity.wait import wait_exponential

from environment.journal.entries import Journal
from environment.journal.runs import list_runs
from environment.records import RunConfig
from environment.store import Store, sweep_key
from flows.run.stopping import unheard
from flows.sweep.budget_share import BudgetShare
from flows.sweep.failures import Failure, FailureKind, failure_of
from flows.sweep.kept import SweepRecord
from flows.sweep.outcome import (
    CellOutcome,
    CellState,
    SweepReport,
    cost_of,
    forget_failure,
    paid,
    settled_outcome,
    unsettled_outcome,
)
from flows.sweep.spec import SweepSpec
from foundation.errors import MlabError

_READERS = 16


class Runner(Protocol):
    """Carries out one run at a time for each thread that asks."""

    def run(self, config: RunConfig) -> Failure | None:
        """Run it, or go on with it; ``None`` where it came to its end."""
        ...

    def stop(self) -> None:
        """End all calls of ``run`` soon."""
        ...


class Watcher:
    """Is told how a sweep goes on; calls come from several threads. This one looks at nothing."""

    def begun(self, config: RunConfig) -> None:
        """A run begins, or is taken up again."""

    def failed(self, config: RunConfig, failure: Failure, wait: float) -> None:
        """A run is tried again in ``wait`` seconds."""

    def ended(self, outcome: CellOutcome) -> None:
        """Nothing more is done about a run."""

    def stopping(self) -> None:
        """The sweep was interrupted; what is under way is ended."""


class Sweep:
    """The runs of one sweep file, with what the store knows of them.

    Args:
        spec: The sweep.
        configs: Its runs, each with its id.
        store: Where they are.
        retry_failed: Also run again what an agent failed at.
        unready: Why runs cannot begin, by their ids.

    Attributes:
        done: What needs no more work.
        ungraded: Ids of runs that have a result and lack only the grades of their steps.
    """

    def __init__(
        self,
        spec: SweepSpec,
        configs: Sequence[RunConfig],
        store: Store,
        *,
        retry_failed: bool,
        unready: Mapping[str, MlabError] | None = None,
    ) -> None:
        self.spec = spec
        self.retry_failed = retry_failed
        self.configs = configs
        self.done: dict[str, CellOutcome] = {}
        self.ungraded: set[str] = set()
        self.store = store
        self._unready = unready or {}
        self._stopped = threading.Event()
        self._paid_before: dict[str, float] = {}
        begun = set(list_runs(store))
        with ThreadPoolExecutor(_READERS) as pool:
            list(pool.map(self._look_up, [config for config in configs if config.run_id in begun]))
        self._to_forget = self._failed_before() if retry_failed else []
        spent = sum(outcome.cost for outcome in self.done.values()) + sum(self._paid_before.values())
        self.budget_share = BudgetShare(spec.money, spent)

    @property
    def todo(self) -> list[RunConfig]:
        """The runs without a result, or without the grades of their steps, in the order of the file."""
        return [config for config in self.configs if config.run_id not in self.done]

    @property
    def to_run(self) -> list[RunConfig]:
        """Those without a result, which alone cost money."""
        return [config for config in self.todo if config.run_id not in self.ungraded]

    def run(self, runner: Runner, at_once: int, watcher: Watcher) -> SweepReport:
        """Run all that has no result yet, and grade the steps of what has one where that is asked for.

        Args:
            runner: Carries the runs out.
            at_once: How many.
            watcher: Is told.

        Returns:
            What has become of every run, also where it was interrupted by the keyboard.
        """
        started = time.monotonic()
        for config in self._to_forget:
            forget_failure(self.store, config)
        record = SweepRecord(spec=self.spec, runs=tuple(config.run_id or "" for config in self.configs))
        self.store.put_record(sweep_key(self.spec.name), record)
        outcomes = dict(self.done)
        with ThreadPoolExecutor(at_once) as pool:
            ending = [pool.submit(self._cell, config, runner, watcher) for config in self.todo]
            try:
                for each in ending:
                    each.result()
            except BaseException as error:
                with unheard():
                    self._stop(runner, watcher, ending)
                if not isinstance(error, KeyboardInterrupt):
                    raise
            for each in ending:
                outcome = each.result()
                outcomes[outcome.run_id] = outcome
        cells = tuple(outcomes[config.run_id or ""] for config in self.configs)
        return SweepReport(name=self.spec.name, cells=cells, seconds=time.monotonic() - started)

    def _stop(self, runner: Runner, watcher: Watcher, ending: Iterable[Future[CellOutcome]]) -> None:
        self._stopped.set()
        watcher.stopping()
        runner.stop()
        wait(ending)

    def _look_up(self, config: RunConfig) -> None:
        outcome = settled_outcome(self.store, config)
        if outcome is not None:
            self.done[outcome.run_id] = outcome
            return
        journal = Journal(self.store, config.run_id or "")
        result = journal.result()
        if result is not None:
            self.ungraded.add(journal.run_id)
        self._paid_before[journal.run_id] = paid(journal) if result is None else cost_of(journal, result)

    def _failed_before(self) -> list[RunConfig]:
        """What an agent failed at, which counts as not done."""
        failed = [outcome for outcome in self.done.values() if outcome.state is CellState.AGENT_FAILED]
        for outcome in failed:
            self._paid_before[outcome.run_id] = self.done.pop(outcome.run_id).cost
        return [outcome.config for outcome in failed]

    def _cell(self, config: RunConfig, runner: Runner, watcher: Watcher) -> CellOutcome:
        before = self._paid_before.get(config.run_id or "", 0.0)
        outcome = CellOutcome(config=config, state=CellState.STOPPED, cost=before)
        if unready := self._unready.get(config.run_id or ""):
            outcome = outcome.model_copy(update={"state": CellState.UNFINISHED, "failure": failure_of(unready)})
        elif not self._stopped.is_set():
            with self._set_aside(config, before) as affordable:
                if affordable:
                    outcome = self._attempts(config, runner, watcher)
                    self.budget_share.pay(outcome.cost - before)
                else:
                    outcome = outcome.model_copy(update={"state": CellState.NO_MONEY})
        watcher.ended(outcome)
        return outcome

    def _set_aside(self, config: RunConfig, before: float) -> AbstractContextManager[bool]:
        """Hold a run's limit; grading costs nothing."""
        return nullcontext(True) if config.run_id in self.ungraded else self.budget_share.set_aside(config, before)

    def _attempts(self, config: RunConfig, runner: Runner, watcher: Watcher) -> CellOutcome:
        """Run a cell until it has ended, or fails in a way that trying again does not mend."""
        policy = self.spec.retries

        def attempt() -> Failure | None:
            if self._stopped.is_set():
                return Failure(kind=FailureKind.INFRASTRUCTURE, message="the sweep was stopped")
            watcher.begun(config)
            return runner.run(config)

        def tell(state: RetryCallState) -> None:
            watcher.failed(config, _last(state), state.upcoming_sleep)

        retrying = Retrying(
            stop=stop_any(stop_after_attempt(policy.attempts), stop_when_event_set(self._stopped)),
            wait=wait_exponential(multiplier=policy.wait, max=policy.longest_wait),
            retry=retry_if_result(lambda failure: failure is not None and failure.kind is FailureKind.INFRASTRUCTURE),
            sleep=sleep_using_event(self._stopped),
            before_sleep=tell,
            retry_error_callback=_last,
        )
        try:
            failure = retrying(attempt)
            return self._judge(config, failure, retrying.statistics["attempt_number"])
        except (MlabError, OSError) as error:
            # The store or this machine: the other runs may still be fine.
            return CellOutcome(config=config, state=CellState.UNFINISHED, failure=failure_of(error))

    def _judge(self, config: RunConfig, failure: Failure | None, attempts: int) -> CellOutcome:
        settled = settled_outcome(self.store, config, attempts)
        if settled is not None:
            return settled
        if failure is None:
            failure = Failure(kind=FailureKind.INFRASTRUCTURE, message="it ended, but the store has no result of it")
        outcome = unsettled_outcome(self.store, config, failure, attempts)
        if self._stopped.is_set() and outcome.state is CellState.UNFINISHED:
            return outcome.model_copy(update={"state": CellState.STOPPED})
        return outcome


def _last(state: RetryCallState) -> Failure:
    """What the last attempt failed with."""
    if state.outcome is None:
        raise RuntimeError("asked for the outcome of an attempt before it has ended")
    failure: Failure = state.outcome.result()
    return failure
