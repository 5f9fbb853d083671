"""Taking a snapshot: reads what has changed in a folder, stores it, and lists it."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Collection, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from environment.errors import CorruptObjectError, SnapshotError
from environment.snapshots.manifest import Entry, Kind, put_listing
from environment.snapshots.statcache import Folder, settled, stamp_of
from environment.store import Store
from foundation.records import Record

MAX_DEPTH = 200
"""Folders nested deeper are left out: no program means them, and their paths break most that meet them."""

READERS = 8
"""Files read and written at once; syncs to disk wait for each other less that way."""

PERMISSIONS = 0o777
"""Mode bits that are kept; set-user-id and its like would outlive the sandbox that they were made in."""

_ATTEMPTS = 3
_UNREADABLE = "not readable"


class Omitted(Record):
    """A path that a snapshot left out, and why."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class _Unread:
    folder: Folder
    name: str
    path: str


class Scan:
    """One walk over a folder that nobody writes to meanwhile.

    Args:
        store: Takes the content.
        root: The folder, resolved.
        excluded: Folders by absolute path, each with the names in it that are not looked at.
    """

    def __init__(self, store: Store, root: Path, excluded: Mapping[str, Collection[str]]) -> None:
        self.omitted: list[Omitted] = []
        self._store = store
        self._root = root
        self._excluded = excluded
        self._unread: list[_Unread] = []

    def take(self, known: Folder) -> str:
        """Store what ``known`` doesn't cover, bring ``known`` up to date, return the digest."""
        with ExitStack() as closing:
            self._look(known, closing)
            if len(self._unread) == 1:
                self._read(self._unread[0])
            elif self._unread:
                with ThreadPoolExecutor(READERS) as pool:
                    for _ in pool.map(self._read, self._unread):
                        pass
        return self._list(known)

    def _look(self, known: Folder, closing: ExitStack) -> None:
        """Walk all folders and collect the files whose stamps don't show that they are unchanged."""
        pending = [(str(self._root), known, 0)]
        while pending:
            path, folder, depth = pending.pop()
            stamps, names = folder.stamps, set()
            for found in self._entries(path, closing):
                status = found.stat(follow_symlinks=False)
                names.add(found.name)
                if stamps.get(found.name) != stamp_of(status):
                    below = self._meet(found, status, folder, depth)
                    if below is not None:
                        pending.append((found.path, below, depth + 1))
            folder.keep_only(names)

    def _entries(self, path: str, closing: ExitStack) -> list[os.DirEntry[str]]:
        """What is in a folder, which is opened up where its owner has lost access to it."""
        folder = Path(path)
        mode = stat.S_IMODE(folder.lstat().st_mode)
        try:
            if mode & stat.S_IRWXU != stat.S_IRWXU and os.geteuid() != 0:
                folder.chmod(mode | stat.S_IRWXU)
                closing.callback(folder.chmod, mode)
            with os.scandir(path) as found:
                hidden = self._excluded.get(path)
                return [entry for entry in found if entry.name not in hidden] if hidden else list(found)
        except PermissionError:
            self._omit(path, _UNREADABLE)
            return []

    def _meet(self, found: os.DirEntry[str], status: os.stat_result, folder: Folder, depth: int) -> Folder | None:
        """Take in a name that is new or changed; returns it where it is a folder, to be looked at as well."""
        name, mode = found.name, status.st_mode
        if stat.S_ISREG(mode):
            self._unread.append(_Unread(folder, name, found.path))
        elif stat.S_ISLNK(mode):
            target = os.readlink(found.path)  # noqa: PTH115 - a Path would tidy it
            folder.learn(name, Entry(Kind.LINK, 0, target), None)
        elif stat.S_ISDIR(mode) and depth < MAX_DEPTH:
            before = folder.entries.get(name)
            content = before.content if before is not None and before.kind is Kind.FOLDER else ""
            folder.learn(name, Entry(Kind.FOLDER, mode & PERMISSIONS, content), None)
            return folder.folders.setdefault(name, Folder())
        else:
            folder.forget(name)
            self._omit(found.path, "nested too deep" if stat.S_ISDIR(mode) else "a pipe, socket or device")
        return None

    def _read(self, file: _Unread) -> None:
        for _ in range(_ATTEMPTS):
            now = time.time_ns()
            try:
                with _opened(file.path) as source:
                    before = stamp_of(os.fstat(source.fileno()))
                    digest = self._store.put_stream(source)
                    size = source.tell()
                    after = stamp_of(os.fstat(source.fileno()))
            except CorruptObjectError:
                continue
            except PermissionError:
                file.folder.forget(file.name)
                self._omit(file.path, _UNREADABLE)
                return
            trusted = before == after and settled(after, now)
            entry = Entry(Kind.FILE, after[0] & PERMISSIONS, digest, size)
            file.folder.learn(file.name, entry, after if trusted else None)
            return
        raise SnapshotError(
            f"{file.path} changes while it is read", hint="Something the agent started is still running; stop it."
        )

    def _list(self, folder: Folder) -> str:
        for name, below in folder.folders.items():
            folder.learn(name, replace(folder.entries[name], content=self._list(below)), None)
        if folder.digest is None:
            folder.digest = put_listing(self._store, folder.entries)
        return folder.digest

    def _omit(self, path: str, reason: str) -> None:
        shown = os.fsencode(os.path.relpath(path, self._root)).decode(errors="backslashreplace")
        self.omitted.append(Omitted(path=shown, reason=reason))


@contextmanager
def _opened(name: str) -> Iterator[BinaryIO]:
    """A file for reading, also where its owner has no read permission; its mode is as before."""
    path = Path(name)
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        handle = os.open(path, flags)
    except PermissionError:
        mode = stat.S_IMODE(path.lstat().st_mode)
        path.chmod(mode | stat.S_IRUSR)
        try:
            handle = os.open(path, flags)
        finally:
            path.chmod(mode)
    with os.fdopen(handle, "rb") as file:
        yield file
