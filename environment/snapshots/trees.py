"""Snapshots of a workspace that cost what has changed, in time and in space."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from math import ceil
from pathlib import Path

from environment.errors import SnapshotError
from environment.snapshots.manifest import is_whole, walk
from environment.snapshots.restoring import Restorer
from environment.snapshots.scan import Omitted, Scan
from environment.snapshots.statcache import Folder
from environment.store import Store

_BLOCK = 4096


class Snapshots:
    """Takes and restores snapshots of folders.

    A snapshot is the digest of a listing, which names the digests of what is in it: equal folders have
    equal digests, on every machine. Kept are names (any bytes but ``/``), content, permission bits,
    links as they are and empty folders; not kept are owners, times, and which names were one file.

    Keep one instance while a run lasts: it remembers the stamps of the files it has seen, so that
    unchanged ones are not read again. Nothing may write to the folder during a call.

    Attributes:
        omitted: What the last ``take`` left out: pipes, sockets, devices, what cannot be read even by
            its owner, folders nested too deep.
    """

    def __init__(self, store: Store) -> None:
        self.omitted: tuple[Omitted, ...] = ()
        self._store = store
        self._known: dict[Path, Folder] = {}

    def take(self, root: Path, *, exclude: Collection[str] = ()) -> str:
        """Store a folder's state.

        Args:
            root: The folder.
            exclude: Paths in it that are not looked at, such as mount points.

        Returns:
            The snapshot's digest.

        Raises:
            SnapshotError: The folder cannot be read.
            StoreError: The store cannot be written.
        """
        root = root.resolve()
        scan = Scan(self._store, root, _by_folder(root, exclude))
        with _explained("save", root):
            digest = scan.take(self._known.setdefault(root, Folder()))
        self.omitted = tuple(scan.omitted)
        return digest

    def restore(self, digest: str, root: Path, *, exclude: Collection[str] = ()) -> None:
        """Make a folder exactly equal to a snapshot; what agrees already is not written.

        Args:
            digest: The snapshot.
            root: The folder; made where it is missing.
            exclude: Paths in it that are left as they are.

        Raises:
            SnapshotError: The folder cannot be written.
            NotInStoreError, CorruptObjectError: Part of the snapshot is missing or torn.
        """
        with _explained("restore", root):
            root.mkdir(parents=True, exist_ok=True)
            root = root.resolve()
            # Until this has ended well, nothing is known of the folder.
            known = self._known.pop(root, Folder())
            self._known[root] = Restorer(self._store, root, _by_folder(root, exclude)).restore(digest, known)

    def size(self, digest: str) -> int:
        """Bytes that a snapshot takes as a folder, each file and folder in whole blocks."""
        return sum(ceil(max(entry.size, 1) / _BLOCK) * _BLOCK for _, entry in walk(self._store, digest))

    def is_whole(self, digest: str) -> bool:
        """Whether all that the snapshot needs is in the store."""
        return is_whole(self._store, digest)


def _by_folder(root: Path, paths: Collection[str]) -> Mapping[str, Collection[str]]:
    names: dict[str, set[str]] = defaultdict(set)
    for path in paths:
        names[str((root / path).parent)].add(Path(path).name)
    return names


@contextmanager
def _explained(doing: str, root: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise SnapshotError(
            f"Cannot {doing} the workspace {root}: {error}",
            hint="Check free space and permissions there, then `mlab resume` the run.",
        ) from error
