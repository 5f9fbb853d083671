"""Where a store's bytes lie: a local folder, or anything fsspec knows. Keys in, whole objects out."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Protocol, cast
from uuid import uuid4

from environment.errors import CorruptObjectError, UnknownStoreError
from environment.store.faults import STORE_URL, WRITABLE, translated
from environment.store.syncing import sync_content, sync_name
from foundation.disk import FULL
from foundation.paths import expanded


class Backend(Protocol):
    """Whole objects by key. An object is seen complete or not at all.

    Attributes:
        is_remote: Whether it is object storage: it finds out itself what has changed in it, and each call is a round
            trip, so that many had better be under way at once.
    """

    is_remote: bool

    def read(self, key: str) -> bytes:
        """The whole object; raises FileNotFoundError."""
        ...

    def open(self, key: str) -> BinaryIO:
        """The object as a stream; raises FileNotFoundError."""
        ...

    def size(self, key: str) -> int | None:
        """Bytes of the object, or ``None`` where there is none."""
        ...

    def write(self, key: str, chunks: Iterable[bytes]) -> None:
        """Write or replace an object."""
        ...

    def create(self, key: str, data: bytes) -> bool:
        """Write an object unless there is one; False if there was, also when two try at once."""
        ...

    def keys(self, prefix: str) -> Iterator[str]:
        """All keys below a folder, in any order."""
        ...

    def children(self, prefix: str) -> Iterator[str]:
        """Names directly below a folder, in any order."""
        ...

    def delete(self, prefix: str) -> None:
        """Remove one object, or all below a folder."""
        ...


def open_backend(url: str) -> Backend:
    """A local folder for plain paths and ``file://``, otherwise the file system fsspec names."""
    protocol, separator, path = url.partition("://")
    if not separator:
        return _LocalBackend(expanded(url).absolute())
    if protocol == "file":
        return _LocalBackend(Path(path).absolute())
    return _RemoteBackend(url)


class _LocalBackend:
    """A folder on this machine; objects are written beside their place, synced, and renamed."""

    is_remote = False

    def __init__(self, root: Path) -> None:
        self._root = root

    def read(self, key: str) -> bytes:
        with self.open(key) as file:
            return file.read()

    def open(self, key: str) -> BinaryIO:
        # A pipe would be waited for, a device read without end.
        path = self._path(key)
        opened = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        if stat.S_ISREG(os.fstat(opened).st_mode):
            return os.fdopen(opened, "rb")
        os.close(opened)
        raise CorruptObjectError(f"{key} is not a file")

    def size(self, key: str) -> int | None:
        try:
            found = self._path(key).stat()
        except (FileNotFoundError, NotADirectoryError):
            return None
        return found.st_size if stat.S_ISREG(found.st_mode) else None

    def write(self, key: str, chunks: Iterable[bytes]) -> None:
        target = self._path(key)
        with self._written(target, chunks) as temporary:
            temporary.replace(target)

    def create(self, key: str, data: bytes) -> bool:
        target = self._path(key)
        with self._written(target, [data]) as temporary:
            try:
                os.link(temporary, target)
            except FileExistsError:
                return False
            finally:
                temporary.unlink()
        return True

    def keys(self, prefix: str) -> Iterator[str]:
        for folder, _, names in os.walk(self._path(prefix)):
            below = Path(folder).relative_to(self._root)
            yield from ((below / name).as_posix() for name in names if not name.startswith("."))

    def children(self, prefix: str) -> Iterator[str]:
        folder = self._path(prefix)
        if self._root.exists() and not self._root.is_dir():
            raise UnknownStoreError(
                f"{self._root} is no folder and so no store", hint="MLAB_STORE names a folder or a URL."
            )
        if folder.is_dir():
            yield from (path.name for path in folder.iterdir() if not path.name.startswith("."))

    def delete(self, prefix: str) -> None:
        path = self._path(prefix)
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)

    def _path(self, key: str) -> Path:
        return self._root / key

    def _make_root(self) -> None:
        if not self._root.is_dir():
            try:
                self._root.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                if error.errno in FULL:
                    raise
                said = f"the store {self._root} cannot be written: {error.strerror}"
                raise UnknownStoreError(said, hint=WRITABLE) from error

    @contextmanager
    def _written(self, target: Path, chunks: Iterable[bytes]) -> Iterator[Path]:
        """A synced temporary file beside ``target``; once it was moved there, its name is synced too."""
        self._make_root()
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary = target.parent / f".{target.name}.{uuid4().hex}"
        try:
            with temporary.open("xb") as file:
                for chunk in chunks:
                    file.write(chunk)
                sync_content(file)
            yield temporary
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        sync_name(target)


class _RemoteBackend:
    """Any fsspec file system; one PUT is one object, and nothing about it is cached here."""

    is_remote = True

    def __init__(self, url: str) -> None:
        # Imported here because a local store, the usual one, does without it.
        import fsspec

        if not url.partition("://")[2].strip("/") and not url.startswith("memory:"):
            raise UnknownStoreError(f"{url} names no bucket", hint=STORE_URL)
        with translated(url, "open"):
            self._fs: Any
            self._fs, self._root = fsspec.core.url_to_fs(url, use_listings_cache=False, skip_instance_cache=True)

    def read(self, key: str) -> bytes:
        return cast(bytes, self._fs.cat_file(self._path(key)))

    def open(self, key: str) -> BinaryIO:
        return cast(BinaryIO, self._fs.open(self._path(key), "rb"))

    def size(self, key: str) -> int | None:
        try:
            info = self._fs.info(self._path(key))
        except FileNotFoundError:
            return None
        return int(info["size"]) if info["type"] == "file" else None

    def write(self, key: str, chunks: Iterable[bytes]) -> None:
        path = self._path(key)
        if isinstance(chunks, list) and len(chunks) == 1:
            self._fs.pipe_file(path, chunks[0])
            return
        try:
            with self._fs.open(path, "wb") as file:
                for chunk in chunks:
                    file.write(chunk)
        except BaseException:
            # Leaving the block has uploaded what there was.
            if self._fs.exists(path):
                self._fs.rm_file(path)
            raise

    def create(self, key: str, data: bytes) -> bool:
        try:
            self._fs.pipe_file(self._path(key), data, mode="create")
        except FileExistsError:
            return False
        return True

    def keys(self, prefix: str) -> Iterator[str]:
        start = len(self._root.rstrip("/")) + 1
        for path in self._fs.find(self._path(prefix)):
            yield path[start:]

    def children(self, prefix: str) -> Iterator[str]:
        try:
            entries = self._fs.ls(self._path(prefix), detail=False)
        except FileNotFoundError:
            return
        for path in entries:
            yield path.rstrip("/").rpartition("/")[2]

    def delete(self, prefix: str) -> None:
        path = self._path(prefix)
        if self._fs.exists(path):
            self._fs.rm(path, recursive=True)

    def _path(self, key: str) -> str:
        return f"{self._root.rstrip('/')}/{key}".rstrip("/")
