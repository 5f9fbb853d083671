"""Following the agent's paths, and opening what they lead to without ever passing through a link."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from environment.errors import ActionError, RefusedActionError
from environment.workspace.paths import outside, parts_of
from foundation.text import shown

_MAX_LINKS = 40  # Linux's own limit
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(frozen=True)
class Place:
    """Where a path leads.

    Attributes:
        name: The workspace path, with every link followed.
        base: The workspace or the mounted folder it lies in, on the host.
        inside: The components below ``base``, none of them a link.
        mounted: Whether ``base`` is a mount.
    """

    name: str
    base: Path
    inside: tuple[str, ...] = ()
    mounted: bool = False

    @property
    def host(self) -> Path:
        """The path on the host."""
        return self.base.joinpath(*self.inside)


class Places:
    """A folder and the read-only folders laid over it: which host path a workspace path means.

    Args:
        root: The workspace on the host.
        mounts: Folders shown inside, by workspace path.
    """

    def __init__(self, root: Path, mounts: Mapping[str, Path]) -> None:
        self.root = root.resolve()
        self.mounts = {"/".join(parts_of(name)): source.resolve() for name, source in mounts.items()}

    def follow(self, path: str) -> Place:
        """Where a path leads; its last components need not exist.

        Raises:
            RefusedActionError: It leaves the workspace, by itself or through a link.
            ActionError: It goes in circles.
            OSError: It cannot be followed.
        """
        pending = list(reversed(parts_of(path)))
        place = self._at(())
        links = 0
        while pending:
            part = pending.pop()
            here = PurePosixPath(place.name).parts
            if part == "..":
                if not here:
                    raise outside(path)
                place = self._at(here[:-1])
                continue
            below = self._at((*here, part))
            target = _link_target(below.host) if below.inside else None
            if target is None:
                place = below
                continue
            links += 1
            if links > _MAX_LINKS:
                raise ActionError(f"{shown(path)} leads through too many symbolic links.")
            if target.startswith("/"):
                place = self._at(())
            pending.extend(reversed(_parts_of_target(target, path)))
        return place

    def _at(self, parts: tuple[str, ...]) -> Place:
        name = "/".join(parts)
        for length in range(len(parts), 0, -1):
            source = self.mounts.get("/".join(parts[:length]))
            if source is not None:
                return Place(name, source, parts[length:], mounted=True)
        return Place(name, self.root, parts)

    @contextmanager
    def folder(self, place: Place, *, create: bool = False) -> Iterator[int]:
        """A descriptor of a folder, opened component by component; ``create`` makes what is missing.

        Raises:
            OSError: It is no folder, or cannot be opened.
        """
        descriptor = os.open(place.base, _FOLDER)
        try:
            for part in place.inside:
                below = self._enter(part, descriptor, create=create)
                os.close(descriptor)
                descriptor = below
            yield descriptor
        finally:
            os.close(descriptor)

    @contextmanager
    def parent(self, place: Place, *, create: bool = False) -> Iterator[int]:
        """A descriptor of the folder a place lies in; see ``folder``."""
        with self.folder(replace(place, inside=place.inside[:-1]), create=create) as descriptor:
            yield descriptor

    def own(self, descriptor: int) -> None:
        """Give a new file or folder to the workspace's owner.

        When this process is root, the sandbox's user owns the workspace, and scripts must be able to
        change what the agent's actions made.
        """
        if os.geteuid() == 0:
            owner = self.root.stat()
            os.fchown(descriptor, owner.st_uid, owner.st_gid)

    def _enter(self, name: str, above: int, *, create: bool) -> int:
        try:
            return os.open(name, _FOLDER, dir_fd=above)
        except FileNotFoundError:
            if not create:
                raise
        os.mkdir(name, 0o755, dir_fd=above)
        descriptor = os.open(name, _FOLDER, dir_fd=above)
        self.own(descriptor)
        return descriptor


def _parts_of_target(target: str, path: str) -> tuple[str, ...]:
    try:
        return parts_of(target)
    except RefusedActionError:
        raise outside(path) from None


def _link_target(path: Path) -> str | None:
    try:
        return str(path.readlink())
    except OSError as error:
        if error.errno in (errno.EINVAL, errno.ENOENT):  # not a link, or nothing there
            return None
        raise


@contextmanager
def explained(verb: str, path: str) -> Iterator[None]:
    """Turn the operating system's error into an observation: what could not be done, to what, and why.

    Raises:
        ActionError: Instead of any ``OSError``.
    """
    try:
        yield
    except OSError as error:
        reason = (error.strerror or "unknown error").lower()
        raise ActionError(f"Cannot {verb} {shown(path)}: {reason}.") from error
