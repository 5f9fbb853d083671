"""The journal of a run: what was decided, executed and committed, in that order. It is the truth."""

from __future__ import annotations

import logging
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Generic, NamedTuple, TypeVar

from pydantic import Field, JsonValue

from environment.errors import CorruptObjectError, JournalError, NotInStoreError, RunNotFoundError
from environment.layout import RunKeys
from environment.records import Checkpoint, Decided, Executed, ModelCall, RunConfig, RunLock, RunResult, Step
from environment.snapshots import Snapshots
from environment.store import Store
from tasks_catalog.spec import Record

_LOG = logging.getLogger(__name__)
_READERS = 16
_Entry = TypeVar("_Entry", Decided, Executed, Checkpoint)
_Kept = TypeVar("_Kept", bound=Record)


class _Linked(Record, Generic[_Entry]):
    """An entry and the one it follows from, so that what is left of another past is never mixed in."""

    after: str = Field(description="checksum of the entry before; empty for the first")
    entry: _Entry


class _Sealed(NamedTuple, Generic[_Entry]):
    entry: _Entry
    checksum: str


class _Call(Record):
    answer: JsonValue
    call: ModelCall


class _FlowRun(Record):
    first_step: int


class Journal:
    """Three entries a step, each one object of the store and each following from the one before.

    A step is in the trajectory when its commit is. Decisions follow from the execution before them,
    not from its commit: where a commit alone was torn, what came after it is used again, not paid again.
    Whoever records an entry that is there already gets the first one back. What was read or written
    once is kept in memory, so a step late in a run costs no more than an early one.

    Writing takes for granted that one process works the run at a time (``environment.lease``).
    """

    def __init__(self, store: Store, run_id: str) -> None:
        self.run_id = run_id
        self.keys = RunKeys(run_id=run_id)
        self._store = store
        self._decided: dict[int, _Sealed[Decided]] = {}
        self._executed: dict[int, _Sealed[Executed]] = {}
        self._steps: list[Step] = []
        self._unusable: set[str] = set()
        self._ahead: dict[str, Future[Any]] = {}
        self._loaded = False

    def decided(self, n: int) -> Decided | None:
        """What was decided at step ``n``, or ``None``."""
        found = self._read_decided(n)
        return found and found.entry

    def executed(self, n: int) -> Executed | None:
        """What carrying out step ``n`` did, or ``None``."""
        found = self._read_executed(n)
        return found and found.entry

    def checkpoint(self, n: int) -> Checkpoint | None:
        """The commit of step ``n``, or ``None``."""
        steps = self.steps()
        return steps[n].checkpoint if 0 <= n < len(steps) else None

    def steps(self) -> list[Step]:
        """All committed steps from 0 up to the first that is missing or torn."""
        if not self._loaded:
            self._load()
        while (step := self._read_step(len(self._steps))) is not None:
            self._steps.append(step)
        return list(self._steps)

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
        if n != len(self.steps()):
            raise JournalError(f"step {n} of run {self.run_id} can't begin: {len(self.steps())} steps are committed")
        after = self._executed[n - 1].checksum if n else ""
        linked = _Linked[Decided](after=after, entry=entry)
        self._decided[n] = _Sealed(entry, self._write(self.keys.decided(n), linked))
        return entry

    def record_executed(self, n: int, entry: Executed) -> Executed:
        """Write the second entry of step ``n``; returns the one that counts, as ``record_decided``.

        Raises:
            JournalError: Nothing was decided for the step.
        """
        known = self.executed(n)
        if known is not None:
            return known
        decided = self._read_decided(n)
        if decided is None:
            raise JournalError(f"step {n} of run {self.run_id} was executed before it was decided")
        linked = _Linked[Executed](after=decided.checksum, entry=entry)
        self._executed[n] = _Sealed(entry, self._write(self.keys.executed(n), linked))
        return entry

    def commit(self, n: int, entry: Checkpoint) -> Checkpoint:
        """Write the last entry of step ``n``; returns the one that counts, as ``record_decided``.

        Raises:
            JournalError: The step was not executed, or the step before it is not committed.
        """
        known = self.checkpoint(n)
        if known is not None:
            return known
        executed = self._read_executed(n)
        if executed is None or n != len(self._steps):
            raise JournalError(f"step {n} of run {self.run_id} can't be committed before all that leads to it")
        self._write(self.keys.committed(n), _Linked[Checkpoint](after=executed.checksum, entry=entry))
        self._steps.append(_step(n, self._decided[n].entry, executed.entry, entry))
        return entry

    def forget_unusable(self, snapshots: Snapshots) -> int:
        """Step back to the last commit whose workspace and states can really be restored.

        Objects are written before the entries that name them, but a disk may lose the one and keep the
        other. Call it before going on with a run; who only reads the trajectory has no need of it.

        Returns:
            How many committed steps count as never committed.
        """
        before = len(self.steps())
        while self._steps:
            n, last = len(self._steps) - 1, self._steps[-1].checkpoint
            states = self._readable(last.agent_state) and self._readable(last.environment_state)
            if states and snapshots.is_whole(last.workspace):
                break
            self._steps.pop()
            self._unusable.add(self.keys.committed(n))
            self._forget_entries(n, snapshots)
        self._forget_entries(len(self._steps), snapshots)
        return before - len(self._steps)

    def exists(self) -> bool:
        """Whether the run is in the store."""
        return self._store.exists(self.keys.config)

    def config(self) -> RunConfig:
        """What was asked; raises ``RunNotFoundError`` where the run isn't in the store."""
        try:
            return self._store.get_record(self.keys.config, RunConfig)
        except NotInStoreError as error:
            raise RunNotFoundError(
                f"no run {self.run_id} in {self._store.url}", hint="`mlab show` lists the runs of a store."
            ) from error

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
            known = _FlowRun(first_step=len(self.steps()))
            self._store.put_record(key, known)
        return known.first_step

    def recorder(self, n: int) -> StepCalls:
        """Where the model answers of step ``n`` are kept."""
        return StepCalls(self._store, self.keys, n)

    def branch_from(self, other: Journal, step: int) -> None:
        """Take over another run's steps up to and including ``step``; their objects are shared.

        Calling it again after a crash completes what was begun.

        Raises:
            JournalError: The other run has no commit of that step.
        """
        if other.checkpoint(step) is None:
            raise JournalError(
                f"run {other.run_id} has no commit of step {step} to branch from",
                hint=f"It has {len(other.steps())} committed steps, numbered from 0.",
            )
        for n in range(len(self.steps()), step + 1):
            for key in (RunKeys.decided, RunKeys.executed, RunKeys.committed):
                self._store.put(key(self.keys, n), self._store.get(key(other.keys, n)))

    def _load(self) -> None:
        """Read all entries at once: hundreds of round trips one after the other take minutes on S3."""
        self._loaded = True
        steps = range(len(self._store.children(self.keys.steps)))
        with ThreadPoolExecutor(_READERS) as pool:
            for n in steps:
                for key, kind in self._entries_of(n):
                    self._ahead[key] = pool.submit(self._fetch, key, kind)
            while (step := self._read_step(len(self._steps))) is not None:
                self._steps.append(step)
        self._ahead.clear()

    def _forget_entries(self, n: int, snapshots: Snapshots) -> None:
        executed, decided = self.executed(n), self.decided(n)
        if executed and not (self._readable(executed.environment_state) and snapshots.is_whole(executed.workspace)):
            del self._executed[n]
            self._unusable.add(self.keys.executed(n))
        if decided and not self._readable(decided.agent_state):
            del self._decided[n]
            self._executed.pop(n, None)
            self._unusable.add(self.keys.decided(n))

    def _readable(self, digest: str) -> bool:
        try:
            self._store.get_object(digest)
        except (NotInStoreError, CorruptObjectError):
            return False
        return True

    def _entries_of(self, n: int) -> list[tuple[str, type[_Linked[Any]]]]:
        return [
            (self.keys.decided(n), _Linked[Decided]),
            (self.keys.executed(n), _Linked[Executed]),
            (self.keys.committed(n), _Linked[Checkpoint]),
        ]

    def _read_step(self, n: int) -> Step | None:
        executed = self._read_executed(n)
        if executed is None:
            return None
        committed = self._read(self.keys.committed(n), _Linked[Checkpoint], executed.checksum)
        if committed is None:
            return None
        return _step(n, self._decided[n].entry, executed.entry, committed.entry)

    def _read_decided(self, n: int) -> _Sealed[Decided] | None:
        if n not in self._decided:
            before = self._read_executed(n - 1) if n else None
            found = self._read(self.keys.decided(n), _Linked[Decided], before.checksum if before else "")
            if found is None or (n and before is None):
                return None
            self._decided[n] = found
        return self._decided[n]

    def _read_executed(self, n: int) -> _Sealed[Executed] | None:
        if n not in self._executed:
            before = self._read_decided(n)
            if before is None:
                return None
            found = self._read(self.keys.executed(n), _Linked[Executed], before.checksum)
            if found is None:
                return None
            self._executed[n] = found
        return self._executed[n]

    def _read(self, key: str, kind: type[_Linked[_Entry]], after: str) -> _Sealed[_Entry] | None:
        ahead = self._ahead.get(key)
        found = ahead.result() if ahead else self._fetch(key, kind)
        if found is None or found[0].after != after:
            return None
        return _Sealed(found[0].entry, found[1])

    def _write(self, key: str, record: Record) -> str:
        checksum = self._store.put_record(key, record)
        self._unusable.discard(key)
        return checksum

    def _fetch(self, key: str, kind: type[_Kept]) -> tuple[_Kept, str] | None:
        if key in self._unusable:
            return None
        try:
            return self._store.get_sealed(key, kind)
        except NotInStoreError:
            return None
        except CorruptObjectError as error:
            _LOG.warning("%s; it counts as never written", error.message)
            return None

    def _optional(self, key: str, kind: type[_Kept]) -> _Kept | None:
        found = self._fetch(key, kind)
        return found and found[0]


class StepCalls:
    """The model answers of one step, kept before they are used so that none is paid for twice."""

    def __init__(self, store: Store, keys: RunKeys, n: int) -> None:
        self._store = store
        self._keys = keys
        self._n = n

    def load(self, key: str) -> JsonValue | None:
        """The recorded answer, or ``None``."""
        with suppress(NotInStoreError, CorruptObjectError):
            return self._store.get_record(self._key(key), _Call).answer
        return None

    def save(self, key: str, answer: JsonValue, call: ModelCall) -> None:
        """Keep an answer and what it cost."""
        self._store.put_record(self._key(key), _Call(answer=answer, call=call))

    def _key(self, key: str) -> str:
        return self._keys.call(f"{self._n:05d}/{key}")


def _step(n: int, decided: Decided, executed: Executed, checkpoint: Checkpoint) -> Step:
    return Step(n=n, decision=decided.decision, effect=executed.effect, checkpoint=checkpoint, started=decided.started)
