"""Where on this machine control groups hold limits: each place that may do is tried, nearest first."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from environment.sandbox.cgroups.group import CONTROLLERS, Hierarchy
from environment.sandbox.cgroups.mounts import Mount, mount_of, read_memberships, read_mounts
from environment.sandbox.cgroups.overrun import refusal

_NOT_OURS = "is not writable for this user"


@dataclass(frozen=True)
class Found:
    """What came of the search.

    Attributes:
        hierarchy: Where groups hold, and what; ``None`` where they hold nothing.
        refusals: What the places that were tried and passed over refused, in words.
    """

    hierarchy: Hierarchy | None
    refusals: tuple[str, ...] = ()

    @property
    def held(self) -> frozenset[str]:
        """Which of ``memory``, ``pids`` and ``cpu`` a group holds."""
        return frozenset(self.hierarchy.parents if self.hierarchy else ())


@cache
def found() -> Found:
    """What this process may have; tried out the first time, in a quarter of a second."""
    return find()


def find(proc: Path = Path("/proc/self")) -> Found:
    """Try the own group, those above it and the hierarchy's root, of each version; the one that holds most wins."""
    try:
        memberships = read_memberships((proc / "cgroup").read_text())
        mounts = read_mounts((proc / "mountinfo").read_text())
    except OSError as error:
        return Found(None, (f"{proc}: {error.strerror}",))
    refusals: list[str] = []
    best = None
    for search in (_separate, _unified):
        hierarchy = search(mounts, memberships, refusals)
        if hierarchy and (best is None or len(hierarchy.parents) > len(best.parents)):
            best = hierarchy
        if best and len(best.parents) == len(CONTROLLERS):
            break
    return Found(best, tuple(refusals))


def _separate(mounts: list[Mount], memberships: Mapping[str, str], refusals: list[str]) -> Hierarchy | None:
    """Version 1: each controller has a hierarchy of its own, and finds its own place."""
    parents, roots = {}, set()
    for controller in CONTROLLERS:
        chain = _chain(mounts, controller, memberships)
        for folder in chain:
            reason = refusal(1, controller, folder) if _writable(folder) else _NOT_OURS
            if reason is None:
                parents[controller] = folder
                roots.add(chain[-1])
                break
            refusals.append(f"{folder}: {controller} {reason}")
    return Hierarchy(1, parents, frozenset(roots)) if parents else None


def _unified(mounts: list[Mount], memberships: Mapping[str, str], refusals: list[str]) -> Hierarchy | None:
    """Version 2: a process is in one group for all controllers, so one place has to do for all."""
    chain = _chain(mounts, "", memberships)
    best: dict[str, Path] = {}
    for folder in chain:
        if not _writable(folder):
            refusals.append(f"{folder}: {_NOT_OURS}")
            continue
        reasons = {controller: refusal(2, controller, folder) for controller in CONTROLLERS}
        refusals += [f"{folder}: {controller} {reason}" for controller, reason in reasons.items() if reason]
        held = [controller for controller, reason in reasons.items() if reason is None]
        if len(held) > len(best):
            best = dict.fromkeys(held, folder)
        if len(best) == len(CONTROLLERS):
            break
    return Hierarchy(2, best, frozenset(chain[-1:])) if best else None


def _writable(folder: Path) -> bool:
    return os.access(folder, os.W_OK)


def _chain(mounts: list[Mount], controller: str, memberships: Mapping[str, str]) -> list[Path]:
    """The group of this process and its ancestors, innermost first, the mount point last."""
    mount = mount_of(controller, mounts)
    if mount is None:
        return []
    own = mount.folder_of(memberships.get(controller, "/")) or mount.point
    return [folder for folder in (own, *own.parents) if folder.is_relative_to(mount.point)]
