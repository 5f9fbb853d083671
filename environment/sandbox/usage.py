"""What a running command uses: disk under its folders, memory of its processes."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

ENTRY_BYTES = 1024
"""Charged for every file and folder besides its blocks, so that a flood of empty files is felt too."""

BLOCK = 512


def disk_usage(folders: Iterable[Path], *, ceiling: int | None = None) -> int:
    """Bytes that the folders take on disk, plus ``ENTRY_BYTES`` an entry.

    A file with holes counts with its whole length: a copy of it, as in a snapshot, has none. Links are not followed.
    Counting stops once ``ceiling`` is passed.
    """
    used, pending = 0, [os.fspath(folder) for folder in folders]
    while pending:
        for entry in _entries(pending.pop()):
            try:
                status = entry.stat(follow_symlinks=False)
            except OSError:
                continue  # gone meanwhile
            length = status.st_size if stat.S_ISREG(status.st_mode) else 0
            used += max(status.st_blocks * BLOCK, length) + ENTRY_BYTES
            if entry.is_dir(follow_symlinks=False):
                pending.append(entry.path)
        if ceiling is not None and used > ceiling:
            break
    return used


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except PermissionError:
        return _entries_of_locked(folder)
    except OSError:
        return []


def _entries_of_locked(folder: str) -> list[os.DirEntry[str]]:
    """A folder whose owner, the command, has taken its own rights away: given back, or files could hide in it."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            Path(f"/proc/self/fd/{descriptor}").chmod(0o700)
        finally:
            os.close(descriptor)
        with os.scandir(folder) as entries:
            return list(entries)
    return []


def descendants(pid: int) -> list[int]:
    """A process and all below it, as far as they are not gone meanwhile."""
    found = [pid]
    for parent in found:
        with suppress(OSError):
            for task in os.scandir(f"/proc/{parent}/task"):
                found += map(int, Path(task.path, "children").read_text().split())
    return found


def cpu_seconds(pids: Iterable[int]) -> float:
    """Processor time of the processes, with that of the children each has waited for."""
    return sum(map(_ticks, pids)) / os.sysconf("SC_CLK_TCK")


def _ticks(pid: int) -> int:
    with suppress(OSError, IndexError):
        # The name before them may hold spaces and parentheses.
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, fields[11:15]))
    return 0


def memory(pids: Iterable[int], *, limit: int) -> int:
    """Bytes of memory that the processes hold together.

    Resident sizes count shared pages once a process, and pages of files that the kernel can drop; only
    where their sum passes ``limit`` is counted exactly, which costs more.
    """
    pids = list(pids)
    resident = sum(_resident(pid) for pid in pids)
    return resident if resident <= limit else sum(_proportional(pid) for pid in pids)


def _resident(pid: int) -> int:
    with suppress(OSError, IndexError):
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def _proportional(pid: int) -> int:
    with suppress(OSError):
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith(("Pss_Anon:", "Pss_Shmem:")))
    return 0
