"""What is known of the files of a folder since they were last read, so that unchanged ones are not read again."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field

from environment.snapshots.manifest import Entry, Kind

GRANULARITY = 20_000_000
"""Nanoseconds between two stamps a kernel may give; its timer runs at 100 Hz or faster."""

_COARSE_GRANULARITY = 2_000_000_000
"""The same for file systems that stamp whole seconds."""

Stamp = tuple[int, int, int, int, int]
"""Mode, size, modification and change time in nanoseconds, inode: equal where nothing was changed."""


@dataclass(slots=True)
class Folder:
    """A folder as it was last seen.

    Attributes:
        entries: What is in it.
        stamps: For files and links that need not be read again while they carry this stamp.
        folders: What is known of the folders in it.
        digest: Of its listing, while that is stored and nothing has changed.
    """

    entries: dict[str, Entry] = field(default_factory=dict)
    stamps: dict[str, Stamp] = field(default_factory=dict)
    folders: dict[str, Folder] = field(default_factory=dict)
    digest: str | None = None

    def learn(self, name: str, entry: Entry, stamp: Stamp | None) -> None:
        """Take in what a name is now; ``stamp`` is ``None`` where it must be read again next time."""
        if self.entries.get(name) != entry:
            self.entries[name] = entry
            self.digest = None
        if entry.kind is not Kind.FOLDER:
            self.folders.pop(name, None)
        if stamp is None:
            self.stamps.pop(name, None)
        else:
            self.stamps[name] = stamp

    def holds(self, name: str, entry: Entry, stamp: Stamp) -> bool:
        """Whether a file with this stamp is known to be this entry."""
        return self.stamps.get(name) == stamp and self.entries.get(name) == entry

    def forget(self, name: str) -> None:
        """Take in that a name is gone, or is nothing that can be kept."""
        if self.entries.pop(name, None) is not None:
            self.digest = None
        self.stamps.pop(name, None)
        self.folders.pop(name, None)

    def keep_only(self, names: set[str]) -> None:
        """Take in that all other names are gone."""
        for name in self.entries.keys() - names:
            self.forget(name)


def stamp_of(found: os.stat_result) -> Stamp:
    """The stamp of a file."""
    return (found.st_mode, found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)


def settled(stamp: Stamp, now: int) -> bool:
    """Whether any later change must show in the stamp.

    A file changed twice within one tick of the clock carries one stamp for both contents. One that was
    read within a tick of its last change is therefore read again, as git does with its index. The
    change time alone decides, since a program can set the modification time but not this one.

    Args:
        stamp: The stamp of the file.
        now: Nanoseconds since the epoch, taken before the file was read.
    """
    changed = stamp[3]
    granularity = GRANULARITY if changed % 1_000_000_000 else _COARSE_GRANULARITY
    return changed + granularity < now


def let_settle() -> None:
    """Wait out one tick, after which what was just written may be trusted by its stamp."""
    time.sleep(GRANULARITY / 1e9)
