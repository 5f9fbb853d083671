"""Whether a command outgrows its disk limit, with the files that it keeps where no folder shows them."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from environment.sandbox.usage import BLOCK, disk_usage

_DELETED = "(deleted)"
_IN_FLIGHT = "scm_fds:"


@dataclass
class HiddenFiles:
    """Deleted files on some file systems that processes keep alive.

    Attributes:
        devices: The file systems.
        unseen: Some file's size cannot be told: it is on its way between two sockets, or mapped where this
            user may not look.
    """

    devices: frozenset[int]
    unseen: bool = False
    _sizes: dict[tuple[int, int], int] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """Bytes on the disk, as far as they can be told."""
        return sum(self._sizes.values())

    def find(self, pids: Iterable[int]) -> HiddenFiles:
        """Look through what processes hold open, have mapped, and are being sent."""
        for pid in pids:
            process = Path("/proc", str(pid))
            with suppress(OSError):
                self._look_at_open(process)
                self._look_at_mapped(process)
        return self

    def _look_at_open(self, process: Path) -> None:
        for descriptor in os.scandir(process / "fd"):
            with suppress(OSError):
                status = descriptor.stat()
                if stat.S_ISSOCK(status.st_mode):
                    self.unseen |= _carries_files(process / "fdinfo" / descriptor.name)
                else:
                    self._count(status)

    def _look_at_mapped(self, process: Path) -> None:
        for line in (process / "maps").read_text(errors="replace").splitlines():
            if not line.endswith(_DELETED):
                continue
            where, _, _, device, inode = line.split(maxsplit=5)[:5]
            major, minor = (int(part, 16) for part in device.split(":"))
            key = os.makedev(major, minor), int(inode)
            if key[0] not in self.devices or key in self._sizes:
                continue
            try:
                self._count((process / "map_files" / where).stat())
            except OSError:
                self.unseen = True

    def _count(self, status: os.stat_result) -> None:
        if status.st_nlink == 0 and status.st_dev in self.devices:
            self._sizes[status.st_dev, status.st_ino] = status.st_blocks * BLOCK


class DiskWatch:
    """Looks whether folders, and what is hidden beside them, take more than a limit.

    What cannot be seen is told by what the file systems have lost since the command began; only then, since
    others may write there as well.
    """

    def __init__(self, folders: Sequence[Path], limit: int, processes: Callable[[], Iterable[int]]) -> None:
        self._folders, self._limit, self._processes = folders, limit, processes
        self._devices = frozenset(folder.stat().st_dev for folder in folders)
        self._used_before = disk_usage(folders, ceiling=limit)
        self._free_before = self._free()

    def is_exceeded(self) -> bool:
        """Look now."""
        used = disk_usage(self._folders, ceiling=self._limit)
        if used > self._limit:
            return True
        hidden = HiddenFiles(self._devices).find(self._processes())
        lost = self._free_before - self._free() - max(0, used - self._used_before) if hidden.unseen else 0
        return used + max(hidden.size, lost) > self._limit

    def _free(self) -> int:
        by_device = {folder.stat().st_dev: os.statvfs(folder) for folder in self._folders}
        return sum(found.f_bfree * found.f_frsize for found in by_device.values())


def _carries_files(fdinfo: Path) -> bool:
    """Whether files are on their way to a socket."""
    lines = fdinfo.read_text().splitlines()
    return any(line.startswith(_IN_FLIGHT) and int(line.split()[1]) > 0 for line in lines)
