"""The journal of a run: what was decided, executed and committed, in that order. It is the truth."""

from __future__ import annotations

import logging
from typing import TypeVar

from environment.errors import CopiedRunError, CorruptObjectError, JournalError, NotInStoreError, RunNotFoundError
from environment.journal.calls import RecordedCalls
from environment.journal.chain import Chain
from environment.records import Checkpoint, Decided, Executed, RunConfig, RunLock, RunResult, Step
from environment.snapshots.trees import Snapshots
from environment.store import RunKeys, Store
from foundation.records import Record

_LOG = logging.getLogger(__name__)

_Kept = TypeVar("_Kept", bound=Record)


class _FlowRun(Record):
    first_step: int


class Journal:
    """Three entries a step, each one object of the store and each following from the one before.

    A step is in the trajectory when its commit is. Decisions follow from the execution before them,
    not from its commit: where a commit alone was torn, what came after it is used again, not paid again.
    Whoever records an entry that is there already gets the first one back. What was read or written
    once is kept in memory, so a step late in a run costs no more than an early one.

    Writing takes for granted that one process works the run at a time (``environment.journal.lease``); it calls
    ``hold``. Who only reads sees what the other has written since.

    Attributes:
        torn: Keys of the records that were asked for and cannot be read.
    """

    def __init__(self, store: Store, run_id: str) -> None:
        self.run_id = run_id
        self.keys = RunKeys(run_id=run_id)
        self._store = store
        self._chain = Chain(store, self.keys)
        self._steps: list[Step] | None = None
        self._held = False
        self.torn: set[str] = set()

    def hold(self) -> None:
        """Say that this process has the run's lease: what it knows of the run need not be read again."""
        self._committed()
        self._chain.hold()
        self._held = True

    def decided(self, n: int) -> Decided | None:
        """What was decided at step ``n``, or ``None``."""
        self._committed()
        found = self._chain.decided(n)
        return found and found.entry

    def executed(self, n: int) -> Executed | None:
        """What carrying out step ``n`` did, or ``None``."""
        self._committed()
        found = self._chain.executed(n)
        return found and found.entry

    def checkpoint(self, n: int) -> Checkpoint | None:
        """The commit of step ``n``, or ``None``."""
        steps = self._committed()
        return steps[n].checkpoint if 0 <= n < len(steps) else None

    def steps(self) -> list[Step]:
        """All committed steps from 0 up to the first that is missing or torn."""
        return list(self._committed())

    def step_count(self) -> int:
        """How many steps are committed, by one listing and a look at the last."""
        count = len(self._store.children(self.keys.steps))
        while count and not self._store.exists(self.keys.committed(count - 1)):
            count -= 1
        return count

    def record_decided(self, n: int, entry: Decided) -> Decided:
        """Write the first entry of step ``n``, before anything of it is carried out.

        Returns:
            The entry that counts: the one already there, if there is one.

        Raises:
            JournalError: The step before is not committed.
        """
        known = self.decided(n)
        if known is not None:
            return known
        count = len(self._committed())
        if n != count:
            raise JournalError(f"Step {n} of run {self.run_id} can't begin: {count} steps are committed")
        self._chain.write_decided(n, entry, self._chain.executed(n - 1) if n else None)
        return entry

    def record_executed(self, n: int, entry: Executed) -> Executed:
        """Write the second entry of step ``n``; returns the one that counts, as ``record_decided``.

        Raises:
            JournalError: Nothing was decided for the step.
        """
        known = self.executed(n)
        if known is not None:
            return known
        decided = self._chain.decided(n)
        if decided is None:
            raise JournalError(f"Step {n} of run {self.run_id} was executed before it was decided")
        self._chain.write_executed(n, entry, decided)
        return entry

    def commit(self, n: int, entry: Checkpoint) -> Checkpoint:
        """Write the last entry of step ``n``; returns the one that counts, as ``record_decided``.

        Raises:
            JournalError: The step was not executed, or the step before it is not committed.
        """
        steps = self._committed()
        if 0 <= n < len(steps):
            return steps[n].checkpoint
        decided, executed = self._chain.decided(n), self._chain.executed(n)
        if n != len(steps) or decided is None or executed is None:
            raise JournalError(f"Step {n} of run {self.run_id} can't be committed before all that leads to it")
        self._chain.write_committed(n, entry, executed)
        steps.append(_step(n, decided.entry, executed.entry, entry))
        self._read_on(steps)  # where the commit alone was torn, there are more
        return entry

    def check_whole(self) -> None:
        """Make sure that a finished run still has all its steps.

        Raises:
            CorruptObjectError: It has lost some.
        """
        result, count = self.result(), len(self._committed())
        if result is not None and count < result.steps:
            raise CorruptObjectError(
                f"Step {count} of run {self.run_id} is damaged: of its {result.steps} steps, those before it are left",
                hint="Its result stands. `mlab doctor` names the damaged files.",
            )

    def branch_from(self, other: Journal, step: int) -> None:
        """Take over another run's steps up to and including ``step``; their objects are shared.

        Calling it again after a crash completes what was begun.

        Raises:
            JournalError: The other run has no commit of that step.
        """
        if other.checkpoint(step) is None:
            raise JournalError(
                f"Run {other.run_id} has no commit of step {step} to branch from",
                hint=f"It has {len(other.steps())} committed steps, numbered from 0.",
            )
        for n in range(len(self._committed()), step + 1):
            for key in (RunKeys.decided, RunKeys.executed, RunKeys.committed):
                self._store.put(key(self.keys, n), self._store.get(key(other.keys, n)))

    def forget_unusable(self, snapshots: Snapshots) -> int:
        """Step back to the last commit whose workspace and states can really be restored.

        Objects are written before the entries that name them, but a disk may lose the one and keep the
        other. Call it before going on with a run; who only reads the trajectory has no need of it.

        Returns:
            How many committed steps count as never committed.
        """
        steps = self._committed()
        before = len(steps)
        while steps:
            last = steps[-1].checkpoint
            if self._readable(last.agent_state) and self._is_usable(last, snapshots):
                break
            steps.pop()
            self._chain.distrust_committed(len(steps))
            self._forget_entries(len(steps), snapshots)
        self._forget_entries(len(steps), snapshots)
        return before - len(steps)

    def exists(self) -> bool:
        """Whether the run is in the store."""
        return self._store.exists(self.keys.config)

    def config(self) -> RunConfig:
        """What was asked.

        Raises:
            RunNotFoundError: The run isn't in the store.
            CopiedRunError: Its folder is another run's under a new name.
        """
        try:
            config = self._store.get_record(self.keys.config, RunConfig)
        except NotInStoreError as error:
            raise RunNotFoundError(
                f"No run {self.run_id} in {self._store.url}", hint="`mlab show` lists the runs of a store."
            ) from error
        except CorruptObjectError:
            self.torn.add(self.keys.config)
            raise
        if config.run_id not in (None, self.run_id):
            raise CopiedRunError(
                f"The folder {self.keys.prefix} is a copy of that of run {config.run_id}, and counts as no run",
                hint=f"Give it its name back, or remove it: `mlab rm {self.run_id}`.",
            )
        return config

    def write_config(self, config: RunConfig) -> None:
        """Write what was asked: from now on the run is in the store."""
        self._store.put_record(self.keys.config, config)

    def lock(self) -> RunLock | None:
        """What the result depends on besides the config, or ``None``."""
        return self._optional(self.keys.lock, RunLock)

    def write_lock(self, lock: RunLock) -> None:
        """Write what the result depends on."""
        self._store.put_record(self.keys.lock, lock)

    def result(self) -> RunResult | None:
        """The result, or ``None`` while there is none."""
        return self._optional(self.keys.result, RunResult)

    def write_result(self, result: RunResult) -> None:
        """Write the result, last of all."""
        self._store.put_record(self.keys.result, result)

    def first_step_of(self, flow_run_id: str) -> int:
        """The step at which a Prefect flow run took this run up: the next one when it first asked."""
        key = self.keys.flow_run(flow_run_id)
        known = self._optional(key, _FlowRun)
        if known is None:
            known = _FlowRun(first_step=len(self._committed()))
            self._store.put_record(key, known)
        return known.first_step

    def recorder(self) -> RecordedCalls:
        """Where the model answers of the run are kept."""
        return RecordedCalls(self._store, self.keys)

    def _committed(self) -> list[Step]:
        """The steps in memory, with what others have committed since."""
        if self._steps is None:
            self._steps = []
            with self._chain.read_ahead():
                self._read_on(self._steps)
        elif not self._held:
            self._read_on(self._steps)
        return self._steps

    def _read_on(self, steps: list[Step]) -> None:
        while (step := self._read_step(len(steps))) is not None:
            steps.append(step)

    def _read_step(self, n: int) -> Step | None:
        checkpoint = self._chain.committed(n)
        if checkpoint is None:
            return None
        decided, executed = self._chain.decided(n), self._chain.executed(n)
        return decided and executed and _step(n, decided.entry, executed.entry, checkpoint)

    def _forget_entries(self, n: int, snapshots: Snapshots) -> None:
        decided, executed = self._chain.decided(n), self._chain.executed(n)
        if decided and not self._readable(decided.entry.agent_state):
            self._chain.distrust_decided(n)
        elif executed and not self._is_usable(executed.entry, snapshots):
            self._chain.distrust_executed(n)

    def _is_usable(self, entry: Executed | Checkpoint, snapshots: Snapshots) -> bool:
        return self._readable(entry.environment_state) and snapshots.is_whole(entry.workspace)

    def _readable(self, digest: str) -> bool:
        try:
            self._store.get_object(digest)
        except (NotInStoreError, CorruptObjectError):
            return False
        return True

    def _optional(self, key: str, kind: type[_Kept]) -> _Kept | None:
        try:
            return self._store.get_record(key, kind)
        except NotInStoreError:
            return None
        except CorruptObjectError as error:
            if key not in self.torn:
                self.torn.add(key)
                _LOG.warning("%s; `mlab resume %s` makes it again", error.message, self.run_id)
            return None


def _step(n: int, decided: Decided, executed: Executed, checkpoint: Checkpoint) -> Step:
    return Step(n=n, decision=decided.decision, effect=executed.effect, checkpoint=checkpoint, started=decided.started)
