"""The entries of a journal as the store keeps them, each linked to the one it follows from."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, Generic, NamedTuple, TypeVar

from pydantic import Field

from environment.errors import CorruptObjectError, NotInStoreError
from environment.records import Checkpoint, Decided, Executed
from environment.store import RunKeys, Store
from foundation.records import Record

_LOG = logging.getLogger(__name__)
_READERS = 16
_Entry = TypeVar("_Entry", bound=Record)


class Linked(Record, Generic[_Entry]):
    """An entry and the one it follows from, so that what is left of another past is never mixed in."""

    after: str = Field(description="checksum of the entry before; empty for the first")
    entry: _Entry


_DECIDED, _EXECUTED, _COMMITTED = Linked[Decided], Linked[Executed], Linked[Checkpoint]
"""Held on to: Pydantic forgets a class of a generic one that nobody holds, and then builds it anew at each use."""


class Sealed(NamedTuple, Generic[_Entry]):
    """An entry and its checksum, which the next one names."""

    entry: _Entry
    checksum: str


class Chain:
    """Reads and writes linked entries.

    Decided follows from the execution before it, executed and committed from what comes before them in
    their step. An entry that is missing, torn, or follows from something else is ``None``. Decisions
    and executions are kept in memory once they were read or written.
    """

    def __init__(self, store: Store, keys: RunKeys) -> None:
        self._store = store
        self._keys = keys
        self._decided: dict[int, Sealed[Decided]] = {}
        self._executed: dict[int, Sealed[Executed]] = {}
        self._unusable: set[str] = set()
        self._held = False
        self._ahead: dict[str, Future[Any]] = {}

    def hold(self) -> None:
        """Nobody else writes from now on: what was once missing is not looked for again."""
        self._held = True

    def decided(self, n: int) -> Sealed[Decided] | None:
        """The first entry of step ``n``."""
        if n not in self._decided:
            before = self.executed(n - 1) if n else None
            if n and before is None:
                return None
            found = self._read(self._keys.decided(n), _DECIDED, before.checksum if before else "")
            if found is None:
                return None
            self._decided[n] = found
        return self._decided[n]

    def executed(self, n: int) -> Sealed[Executed] | None:
        """The second entry of step ``n``."""
        if n not in self._executed:
            before = self.decided(n)
            if before is None:
                return None
            found = self._read(self._keys.executed(n), _EXECUTED, before.checksum)
            if found is None:
                return None
            self._executed[n] = found
        return self._executed[n]

    def committed(self, n: int) -> Checkpoint | None:
        """The last entry of step ``n``."""
        before = self.executed(n)
        if before is None:
            return None
        found = self._read(self._keys.committed(n), _COMMITTED, before.checksum)
        return found and found.entry

    def write_decided(self, n: int, entry: Decided, after: Sealed[Executed] | None) -> None:
        """Write the first entry of step ``n``."""
        linked = _DECIDED(after=after.checksum if after else "", entry=entry)
        self._decided[n] = Sealed(entry, self._write(self._keys.decided(n), linked))

    def write_executed(self, n: int, entry: Executed, after: Sealed[Decided]) -> None:
        """Write the second entry of step ``n``."""
        linked = _EXECUTED(after=after.checksum, entry=entry)
        self._executed[n] = Sealed(entry, self._write(self._keys.executed(n), linked))

    def write_committed(self, n: int, entry: Checkpoint, after: Sealed[Executed]) -> None:
        """Write the last entry of step ``n``."""
        self._write(self._keys.committed(n), _COMMITTED(after=after.checksum, entry=entry))

    def distrust_decided(self, n: int) -> None:
        """Take the first entry of step ``n`` for never written, and so what follows from it."""
        self._unusable.add(self._keys.decided(n))
        self._decided.pop(n, None)
        self.distrust_executed(n)

    def distrust_executed(self, n: int) -> None:
        """Take the second entry of step ``n`` for never written."""
        self._unusable.add(self._keys.executed(n))
        self._executed.pop(n, None)

    def distrust_committed(self, n: int) -> None:
        """Take the last entry of step ``n`` for never written."""
        self._unusable.add(self._keys.committed(n))

    @contextmanager
    def read_ahead(self) -> Iterator[None]:
        """Read all entries at once while the block lasts; hundreds of round trips in turn take minutes on S3.

        On a local folder, threads take longer to begin than the entries to be read.
        """
        if not self._store.is_remote:
            yield
            return
        with ThreadPoolExecutor(_READERS) as pool:
            for n in range(len(self._store.children(self._keys.steps))):
                decided, executed, committed = self._keys.decided(n), self._keys.executed(n), self._keys.committed(n)
                self._ahead[decided] = pool.submit(self._fetch, decided, _DECIDED)
                self._ahead[executed] = pool.submit(self._fetch, executed, _EXECUTED)
                self._ahead[committed] = pool.submit(self._fetch, committed, _COMMITTED)
            yield
        self._ahead.clear()

    def _read(self, key: str, kind: type[Linked[_Entry]], after: str) -> Sealed[_Entry] | None:
        if key in self._unusable:
            return None
        ahead = self._ahead.pop(key, None)
        found = ahead.result() if ahead else self._fetch(key, kind)
        if found is None or found[0].after != after:
            if self._held:
                self._unusable.add(key)
            return None
        return Sealed(found[0].entry, found[1])

    def _fetch(self, key: str, kind: type[Linked[_Entry]]) -> tuple[Linked[_Entry], str] | None:
        try:
            return self._store.get_sealed(key, kind)
        except NotInStoreError:
            return None
        except CorruptObjectError as error:
            _LOG.warning("%s; it counts as never written", error.message)
            return None

    def _write(self, key: str, record: Record) -> str:
        checksum = self._store.put_record(key, record)
        self._unusable.discard(key)
        return checksum
