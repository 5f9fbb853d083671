"""Who works a run, or something else in the store: one process at a time, also without locks, also after a crash."""

from __future__ import annotations

import logging
import socket
import threading
from abc import ABC, abstractmethod
from datetime import UTC, datetime
from types import TracebackType
from typing import Self

from environment.errors import CorruptObjectError, NotInStoreError, RunBusyError, StoreError
from environment.store import RunKeys, Store, lease_key, sealed
from foundation import processes
from foundation.errors import MlabError

_LOG = logging.getLogger(__name__)

HEARTBEAT = 20.0
"""Seconds between two signs of life."""

STALE = 90.0
"""Seconds without one after which another machine may take over."""

TAKEN_OVER = (
    "what a process leaves that has died is taken over by itself "
    f"(at once on the same machine, after {STALE:.0f} s from another one)."
)


class Holder(processes.Identity):
    """Who holds something in the store.

    Attributes:
        host: The name of its machine.
        beat: Its last sign of life, by its own clock.
        released: It has ended its work.
        flow_run: The Prefect flow run that it works for.
    """

    host: str
    beat: datetime
    released: bool = False
    flow_run: str | None = None

    def alive(self) -> bool:
        """Whether it still works: by its pid on this machine, by its last sign of life elsewhere."""
        if self.released:
            return False
        lives = self.lives()
        return (datetime.now(UTC) - self.beat).total_seconds() < STALE if lives is None else lives


class Lease(ABC):
    """Holds something in the store for this process while its ``with`` block lasts.

    Leases are numbered. Whoever takes over writes the next number with put-if-absent, so of several
    who try one succeeds, and the one taken over from learns of it (``check``).

    Args:
        store: Where it is held.
        folder: Where the leases on it lie.
        flow_run: The Prefect flow run that this process works for.

    Attributes:
        held_before: Whether any process held it before; known on entry.

    Raises:
        MlabError: On entry, where another process holds it; says which.
    """

    def __init__(self, store: Store, folder: str, flow_run: str | None = None) -> None:
        self.held_before = False
        self._store = store
        self._flow_run = flow_run
        self._folder = folder
        self._generation = -1
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._beat, name=f"lease {folder}", daemon=True)

    def __enter__(self) -> Self:
        generation, current = _current(self._store, self._folder)
        if current is not None and current.alive() and not self._replaces(current):
            raise self._busy(_named(current))
        self._generation = generation + 1
        self.held_before = generation >= 0
        if not self._store.create(self._key(self._generation), sealed(_this_process(self._flow_run))[0]):
            raise self._busy(_named(_current(self._store, self._folder)[1]))
        if generation >= 0:
            self._store.delete(self._key(generation))
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._thread.join()
        self._sign(released=True)

    def check(self) -> None:
        """Raise as on entry where another process has taken it over; call it before a commit."""
        taker = self._lost()
        if taker is not None:
            raise self._busy(_named(taker))

    @abstractmethod
    def _busy(self, who: str) -> MlabError:
        """What to raise where another process holds it."""

    def _replaces(self, holder: Holder) -> bool:
        """Whether Prefect has given its flow run to this process: then it is dead, or cut off and soon refused."""
        return (
            self._flow_run is not None and self._flow_run == holder.flow_run and holder.machine != processes.machine()
        )

    def _key(self, generation: int) -> str:
        return lease_key(self._folder, generation)

    def _lost(self) -> Holder | None:
        if _generation(self._store, self._folder) <= self._generation:
            return None
        return _current(self._store, self._folder)[1]

    def _beat(self) -> None:
        while not self._ended.wait(HEARTBEAT):
            self._sign()

    def _sign(self, *, released: bool = False) -> None:
        try:
            if self._lost() is None:
                self._store.put_record(self._key(self._generation), _this_process(self._flow_run, released=released))
        except StoreError as error:
            # A store that is away must not end the work; whoever commits will learn of it.
            _LOG.warning("cannot renew %s: %s", self._key(self._generation), error.message)


class RunLease(Lease):
    """Holds a run; raises ``RunBusyError`` where another process works it."""

    def __init__(self, store: Store, run_id: str, flow_run: str | None = None) -> None:
        super().__init__(store, RunKeys(run_id=run_id).leases, flow_run)
        self.run_id = run_id

    def _busy(self, who: str) -> RunBusyError:
        return _busy(self.run_id, who)


def _busy(run_id: str, who: str) -> RunBusyError:
    return RunBusyError(f"Run {run_id} is being worked by {who}", hint=f"Wait for it or stop it; {TAKEN_OVER}")


def require_free(store: Store, run_id: str) -> None:
    """Raise :class:`RunBusyError` where a process works the run now."""
    if (who := holder(store, run_id)) is not None:
        raise _busy(run_id, _named(who))


def holder(store: Store, run_id: str) -> Holder | None:
    """Who works the run now, or ``None``."""
    return holder_in(store, RunKeys(run_id=run_id).leases)


def holder_in(store: Store, folder: str) -> Holder | None:
    """Who holds now what a folder of leases is for, or ``None``."""
    current = _current(store, folder)[1]
    return current if current is not None and current.alive() else None


def _current(store: Store, folder: str) -> tuple[int, Holder | None]:
    """The lease in force and its number; -1 where there never was one."""
    generation = _generation(store, folder)
    if generation < 0:
        return -1, None
    try:
        return generation, store.get_record(lease_key(folder, generation), Holder)
    except (NotInStoreError, CorruptObjectError):
        return generation, None


def _generation(store: Store, folder: str) -> int:
    names = store.children(folder)
    return int(names[-1].removesuffix(".json")) if names else -1


def _named(current: Holder | None) -> str:
    return f"process {current.pid} on {current.host}" if current else "another process"


def _this_process(flow_run: str | None, *, released: bool = False) -> Holder:
    return Holder(
        **processes.own().model_dump(),
        host=socket.gethostname(),
        beat=datetime.now(UTC),
        released=released,
        flow_run=flow_run,
    )
