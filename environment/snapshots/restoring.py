"""Putting a folder back as a snapshot has it, touching only what differs."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from environment.snapshots.manifest import Entry, Kind, get_listing
from environment.snapshots.scan import READERS
from environment.snapshots.statcache import Folder, let_settle, settled, stamp_of
from environment.store import Store, digest_of


@dataclass(frozen=True, slots=True)
class _File:
    folder: Folder
    path: Path
    entry: Entry
    status: os.stat_result | None


class Restorer:
    """One pass over a folder that nobody writes to meanwhile. Links are never followed.

    Args:
        store: Has the content.
        root: The folder, resolved.
        excluded: Folders by absolute path, each with the names in it that are left as they are.
    """

    def __init__(self, store: Store, root: Path, excluded: Mapping[str, Collection[str]]) -> None:
        self._store = store
        self._root = root
        self._excluded = excluded
        self._sheltered = {str(above) for path in excluded for above in (Path(path), *Path(path).parents)}
        self._differing: list[_File] = []
        self._modes: list[tuple[Path, int]] = []
        self._unsettled = False

    def restore(self, digest: str, known: Folder) -> Folder:
        """Make the folder equal to the snapshot.

        Args:
            digest: The snapshot.
            known: What is known of the folder as it is.

        Returns:
            What is known of it afterwards.
        """
        fresh = self._level(digest, self._root, known)
        with ThreadPoolExecutor(READERS) as pool:
            agreed = list(pool.map(self._agrees, self._differing))
            # All that is stale goes before anything new comes: the two together may be more than the disk holds.
            for file, agrees in zip(self._differing, agreed, strict=True):
                if not agrees:
                    file.path.unlink(missing_ok=True)
            for _ in pool.map(self._put_right, self._differing, agreed):
                pass
        for path, mode in reversed(self._modes):
            path.chmod(mode)
        if self._unsettled:
            let_settle()
        return fresh

    def _level(self, digest: str, path: Path, known: Folder) -> Folder:
        """Remove what is too much, make folders and links, and note the files that may differ."""
        entries = get_listing(self._store, digest)
        fresh = Folder(entries=entries, digest=digest)
        there = self._there(path)
        for name in there.keys() - entries.keys():
            if str(path / name) not in self._sheltered:
                self._remove(path / name)
        for name, entry in entries.items():
            below, status = path / name, there.get(name)
            if status is not None and _kind(status) is not entry.kind:
                self._remove(below)
                status = None
            if entry.kind is Kind.FOLDER:
                if status is None:
                    below.mkdir()
                self._modes.append((below, entry.mode))
                fresh.folders[name] = self._level(entry.content, below, known.folders.get(name, Folder()))
            elif entry.kind is Kind.LINK:
                if status is None or os.readlink(below) != entry.content:  # noqa: PTH115 - a Path would tidy it
                    below.unlink(missing_ok=True)
                    below.symlink_to(entry.content)
            elif status is not None and status.st_nlink == 1 and known.holds(name, entry, stamp_of(status)):
                fresh.stamps[name] = stamp_of(status)
            else:
                self._differing.append(_File(fresh, below, entry, status))
        return fresh

    def _there(self, path: Path) -> dict[str, os.stat_result]:
        mode = stat.S_IMODE(path.lstat().st_mode)
        if mode & stat.S_IRWXU != stat.S_IRWXU:
            path.chmod(mode | stat.S_IRWXU)
        hidden = self._excluded.get(str(path), ())
        with os.scandir(path) as found:
            return {entry.name: entry.stat(follow_symlinks=False) for entry in found if entry.name not in hidden}

    def _put_right(self, file: _File, agrees: bool) -> None:
        now = time.time_ns()
        if not agrees:
            self._write(file)
        stamp = stamp_of(file.path.lstat())
        if not settled(stamp, now):
            self._unsettled = True
        file.folder.stamps[file.path.name] = stamp

    def _agrees(self, file: _File) -> bool:
        """Whether the content is right already; then its mode is, afterwards."""
        status, entry = file.status, file.entry
        # A second name for the same file would let a write through one change the other.
        if status is None or status.st_nlink > 1 or status.st_size != entry.size:
            return False
        if not status.st_mode & stat.S_IRUSR:
            file.path.chmod(stat.S_IRUSR)
        with file.path.open("rb") as source:
            if digest_of(source) != entry.content:
                return False
        if stat.S_IMODE(file.path.lstat().st_mode) != entry.mode:
            file.path.chmod(entry.mode)
        return True

    def _write(self, file: _File) -> None:
        """Write a new file, since the old one is gone: whatever shared it keeps it."""
        with file.path.open("xb") as target:
            self._store.copy_object(file.entry.content, target)
            os.fchmod(target.fileno(), file.entry.mode)

    def _remove(self, path: Path) -> None:
        """Remove whatever it is, at any depth: folders are lifted up to the root one by one."""
        if _kind(path.lstat()) is not Kind.FOLDER:
            path.unlink()
            return
        pending = [path]
        while pending:
            folder = pending.pop()
            folder.chmod(stat.S_IRWXU)
            for found in list(folder.iterdir()):
                if _kind(found.lstat()) is Kind.FOLDER:
                    # Moving a folder elsewhere takes the right to write in it.
                    found.chmod(stat.S_IRWXU)
                    pending.append(found.rename(self._root / f".mlab-removed-{uuid4().hex}"))
                else:
                    found.unlink()
            folder.rmdir()


def _kind(status: os.stat_result) -> Kind | None:
    mode = status.st_mode
    if stat.S_ISDIR(mode):
        return Kind.FOLDER
    if stat.S_ISLNK(mode):
        return Kind.LINK
    return Kind.FILE if stat.S_ISREG(mode) else None
