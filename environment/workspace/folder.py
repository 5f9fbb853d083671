"""The folder the agent works in, and the only way an action touches a file."""

from __future__ import annotations

import os
import secrets
import shutil
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from environment.errors import ActionError, ForbiddenActionError, RefusedActionError
from environment.sandbox.base import WORKSPACE, Mount
from environment.sandbox.usage import disk_usage
from environment.snapshots.walk import mend, scratch_folder, walk
from environment.workspace.paths import ReadOnlyPatterns
from environment.workspace.places import Place, Places, explained
from foundation.sizes import MiB
from foundation.text import shown

DATA = "data"
"""Where the workspace shows the task's public data."""

READ_LIMIT = 32 * MiB
"""The largest file that an action takes into memory."""

_UNCOUNTED = 1 * MiB
"""Writes up to this size are not held against the quota: a run's steps are too few for them to matter."""


def data_mount(public: Path) -> dict[str, Path]:
    """A task's public data as a mount of its workspace; none where the task has no data."""
    return {DATA: public} if any(public.iterdir()) else {}


class Workspace:
    """A folder with read-only folders laid over it; a path is resolved here, once, and cannot leave it.

    Links are followed inside the workspace and refused where they lead out of it. Files are opened
    component by component, never through a link, and replaced rather than overwritten, so that a hard
    link to a file elsewhere is never written through.

    Args:
        root: The workspace on the host.
        mounts: Read-only folders shown inside, by workspace path.
        readonly: Patterns of files the agent may not change.
        quota: Bytes the workspace may hold.
    """

    def __init__(
        self,
        root: Path,
        mounts: Mapping[str, Path] | None = None,
        readonly: Sequence[str] = (),
        quota: int | None = None,
    ) -> None:
        self._places = Places(root, mounts or {})
        self._readonly = ReadOnlyPatterns(tuple(readonly))
        self._quota = quota

    @property
    def root(self) -> Path:
        """The workspace on the host."""
        return self._places.root

    @property
    def mounts(self) -> Mapping[str, Path]:
        """Read-only folders shown inside, by workspace path."""
        return self._places.mounts

    def resolve(self, path: str, *, write: bool = False) -> Path:
        """The host path of a workspace path; its last components need not exist.

        Raises:
            RefusedActionError: It leaves the workspace, or may not be written where ``write`` is asked.
            ActionError: It cannot be followed.
        """
        return self._place(path, write=write).host

    def name(self, path: str) -> str:
        """The path relative to the workspace, with every link followed: one name for one file."""
        return self._place(path).name

    def exists(self, path: str) -> bool:
        """Whether a regular file is there."""
        return stat.S_ISREG(_mode(self._place(path).host))

    def read(self, path: str) -> bytes:
        """The content of a regular file of at most ``READ_LIMIT`` bytes.

        Raises:
            ActionError: No such file, not a regular one, unreadable or too large.
        """
        with self.reading(path) as file:
            size = os.fstat(file.fileno()).st_size
            if size > READ_LIMIT:
                raise ActionError(
                    f"{shown(path)} has {size / MiB:,.0f} MiB; at most {READ_LIMIT // MiB} can be read whole.",
                    hint="Read the part you need in a script.",
                )
            return file.read(READ_LIMIT)

    @contextmanager
    def reading(self, path: str) -> Iterator[BinaryIO]:
        """A regular file, open for reading.

        Raises:
            ActionError: No such file, not a regular one, unreadable, or shared with the world outside.
        """
        place = self._place(path)
        if not place.inside:
            raise ActionError(f"{shown(path)} is a folder, not a file.")
        with explained("read", path):
            # Looked at before it is opened: opening a pipe or a device may already do something.
            _require_regular(place.host.lstat().st_mode, path)
            flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
            with self._places.parent(place) as folder:
                descriptor = os.open(place.inside[-1], flags, dir_fd=folder)
            with os.fdopen(descriptor, "rb") as file:
                found = os.fstat(descriptor)
                _require_regular(found.st_mode, path)
                if found.st_nlink > 1 and not place.mounted and self._count_names(found) < found.st_nlink:
                    raise ForbiddenActionError(f"{shown(path)} is a hard link to a file outside the workspace.")
                yield file

    def write(self, path: str, content: bytes) -> None:
        """Create or replace a regular file, with the folders above it.

        Raises:
            RefusedActionError: Outside, read-only, or more than the workspace may hold.
            ActionError: It cannot be written.
        """
        self._replace(path, len(content), lambda file: file.write(content))

    def copy(self, source: str, destination: str) -> None:
        """Copy a regular file, whatever its size.

        Raises:
            ActionError: See ``read`` and ``write``.
        """
        with self.reading(source) as file:
            size = os.fstat(file.fileno()).st_size
            self._replace(destination, size, lambda target: shutil.copyfileobj(file, target))

    def remove(self, path: str) -> None:
        """Delete a file.

        Raises:
            ActionError: It cannot be deleted.
        """
        place = self._place(path, write=True)
        with explained("delete", path), self._places.parent(place) as folder:
            os.unlink(place.inside[-1], dir_fd=folder)

    def entries(self, path: str) -> list[str]:
        """The names in a folder, sorted and marked as ``ls -F`` does (``/`` folder, ``@`` link, ``*`` program).

        Raises:
            ActionError: No such folder, or it cannot be read.
        """
        place = self._place(path)
        with explained("list", path), self._places.folder(place) as folder, os.scandir(folder) as found:
            marks = {entry.name: _mark(entry) for entry in found}
        for mounted in self.mounts:
            above, _, name = mounted.rpartition("/")
            if above == place.name:
                marks[name] = "/"
        return [f"{shown(name)}{marks[name]}" for name in sorted(marks)]

    def readonly_mounts(self) -> list[Mount]:
        """What a sandbox must lay over the workspace: the mounts, and protected entries directly in it.

        Of what is protected further down a sandbox cannot be sure: a script may move the folder above it.
        Such files are compared with the task's own instead (``environment.integrity``).
        """
        mounts = [Mount(source=source, target=f"{WORKSPACE}/{name}") for name, source in self.mounts.items()]
        with explained("list", "."), os.scandir(self.root) as found:
            for entry in found:
                is_folder = entry.is_dir(follow_symlinks=False)
                # A link is never mounted: the sandbox would be shown what it points to.
                is_plain = is_folder or entry.is_file(follow_symlinks=False)
                if is_plain and entry.name not in self.mounts and self.protects(entry.name, is_folder=is_folder):
                    mounts.append(Mount(source=Path(entry.path), target=f"{WORKSPACE}/{entry.name}"))
        return mounts

    def protects(self, name: str, *, is_folder: bool = False) -> bool:
        """Whether a normalised path may not be changed; for a folder, with all that it holds."""
        return self._readonly.protects(name, is_folder=is_folder)

    def used(self) -> int:
        """Bytes that the workspace takes on the disk, counted as its limit is."""
        return disk_usage([self.root])

    def allowance(self) -> int | None:
        """Bytes that the workspace may hold after the next action: its quota, or what it holds where that is more."""
        return None if self._quota is None else max(self._quota, self.used())

    def beside(self, prefix: str) -> AbstractContextManager[Path]:
        """A temporary folder for what a command writes elsewhere: on the same file system, so held with it."""
        return scratch_folder(prefix, within=self.root.parent)

    def mend(self) -> int:
        """Make accessible again what a script has made inaccessible; the number of files and folders mended."""
        return mend(self.root)

    def _place(self, path: str, *, write: bool = False) -> Place:
        if write and not path.isprintable():
            raise RefusedActionError(f"{shown(path)} holds unprintable characters; choose a plain name.")
        with explained("follow", path):
            place = self._places.follow(path)
        if not write:
            return place
        if place.mounted or self._readonly.protects(place.name):
            raise ForbiddenActionError(
                f"{shown(path)} is read-only.", hint="The task's given files stay as they are; write to another file."
            )
        if not place.inside:
            raise RefusedActionError(f"{shown(path)} is the workspace itself, not a file in it.")
        return place

    def _count_names(self, file: os.stat_result) -> int:
        return sum(os.path.samestat(found.status, file) for found in walk(self.root))

    def _replace(self, path: str, size: int, fill: Callable[[BinaryIO], object]) -> None:
        place = self._place(path, write=True)
        self._require_room(size, path)
        old = _mode(place.host)
        if old:
            _require_regular(old, path)
        name, temporary = place.inside[-1], f".mlab-{secrets.token_hex(8)}"
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        with explained("write", path), self._places.parent(place, create=True) as folder:
            try:
                with os.fdopen(os.open(temporary, flags, 0o600, dir_fd=folder), "wb") as file:
                    fill(file)
                    os.fchmod(file.fileno(), old & 0o777 if old else 0o644)
                    self._places.own(file.fileno())
                os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
            except OSError:
                with suppress(FileNotFoundError):
                    os.unlink(temporary, dir_fd=folder)
                raise

    def _require_room(self, size: int, path: str) -> None:
        if self._quota is None or size <= _UNCOUNTED:
            return
        used = self.used()
        if used + size > self._quota:
            raise RefusedActionError(
                f"{shown(path)} needs {size / MiB:,.0f} MiB; the workspace holds {used / MiB:,.0f} MiB of at most"
                f" {self._quota / MiB:,.0f}.",
                hint="Delete what is not needed.",
            )


def _mode(path: Path) -> int:
    try:
        return path.lstat().st_mode
    except OSError:
        return 0


def _mark(entry: os.DirEntry[str]) -> str:
    try:
        mode = entry.stat(follow_symlinks=False).st_mode
    except OSError:
        return ""
    if stat.S_ISREG(mode):
        return "*" if mode & stat.S_IXUSR else ""
    return {stat.S_IFDIR: "/", stat.S_IFLNK: "@", stat.S_IFIFO: "|", stat.S_IFSOCK: "="}.get(stat.S_IFMT(mode), "?")


def _require_regular(mode: int, path: str) -> None:
    if stat.S_ISDIR(mode):
        raise ActionError(f"{shown(path)} is a folder, not a file.")
    if not stat.S_ISREG(mode):
        raise RefusedActionError(f"{shown(path)} is a pipe, socket or device; only regular files can be used.")
