"""Where the kernel shows control groups, and in which of them a process is: two files of ``/proc``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple


class Mount(NamedTuple):
    """One hierarchy, or a part of it, in the file system.

    Attributes:
        version: Of the kernel's interface, 1 or 2.
        root: The group at the top of what is shown.
        point: The folder of that group.
        options: The controllers of version 1 are among them.
    """

    version: int
    root: str
    point: Path
    options: frozenset[str]

    def holds(self, controller: str) -> bool:
        """Whether it is the hierarchy of a controller of version 1, or with "" that of version 2."""
        return controller in self.options if controller else self.version == 2

    def folder_of(self, group: str) -> Path | None:
        """The folder of a group; ``None`` where it lies outside what is shown."""
        path = Path(group)
        shown = path.is_relative_to(self.root) and ".." not in path.parts
        return self.point / path.relative_to(self.root) if shown else None


def read_mounts(text: str) -> list[Mount]:
    """From ``mountinfo``."""
    return list(_mounts(text))


def _mounts(text: str) -> Iterator[Mount]:
    for line in text.splitlines():
        fields = line.split()
        separator = fields.index("-")
        version = {"cgroup": 1, "cgroup2": 2}.get(fields[separator + 1])
        if version:
            yield Mount(version, fields[3], Path(fields[4]), frozenset(fields[separator + 3].split(",")))


def mount_of(controller: str, mounts: Iterable[Mount]) -> Mount | None:
    """Where a controller's hierarchy is shown; see ``Mount.holds``."""
    return next((mount for mount in mounts if mount.holds(controller)), None)


def read_memberships(text: str) -> dict[str, str]:
    """From ``cgroup``: the process's group by controller of version 1, and by "" that of version 2."""
    found: dict[str, str] = {}
    for line in text.splitlines():
        _, controllers, path = line.split(":", 2)
        found |= dict.fromkeys(controllers.split(","), path)
    return found


def own_folders(controllers: Iterable[str], proc: Path = Path("/proc/thread-self")) -> dict[str, Path]:
    """The group of the calling thread by controller of version 1, where it lies in what is shown."""
    memberships = read_memberships((proc / "cgroup").read_text())
    mounts = read_mounts((proc / "mountinfo").read_text())
    found = {}
    for controller in set(memberships).intersection(controllers):
        mount = mount_of(controller, mounts)
        if mount is not None and (folder := mount.folder_of(memberships[controller])):
            found[controller] = folder
    return found
