"""The store: everything that must outlive the machine, as whole objects under keys."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import BinaryIO, TypeAlias, TypeVar

from pydantic import BaseModel, ValidationError

from environment.errors import CorruptObjectError, StoreError
from environment.store.backends import Backend, open_backend
from environment.store.faults import translated
from environment.store.layout import object_key
from environment.store.syncing import gathered, sync_all
from foundation.validation import faults

_Model = TypeVar("_Model", bound=BaseModel)
Names: TypeAlias = list[str]

CHUNK = 4 * 1024**2
"""Bytes read at once; larger files are never held in memory."""

_SEAL = re.compile(rb'(,?)"checksum":"sha256:([0-9a-f]{64})"\}$')
_SEAL_LENGTH = len(',"checksum":"sha256:"}') + 64


class Store:
    """Objects under keys, in a local folder or behind any fsspec URL (``s3://``, ``memory://`` …).

    An object is put whole and seen whole or not at all; any number of processes may use a store at
    once. Every method raises ``StoreError`` where the store can't be reached, read or written, with
    what to do about it.

    Args:
        url: A path, or an fsspec URL; nothing is created before the first put.
    """

    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/")
        self._backend: Backend = open_backend(url)
        self._whole: set[str] = set()

    def __reduce__(self) -> tuple[type[Store], tuple[str]]:
        return Store, (self.url,)

    @property
    def is_remote(self) -> bool:
        """Whether each call is a round trip, so that many had better be under way at once."""
        return self._backend.is_remote

    @contextmanager
    def together(self) -> Iterator[None]:
        """Bring what this thread puts in the block onto the disk at its end, all at once: the time of one for many.

        A power cut meanwhile may leave any of it, whole or torn. What is torn counts as not there, and what follows
        from it as never written.
        """
        with gathered() as written:
            yield
        if written:
            with translated(self.url, "write"):
                sync_all(written)

    def put(self, key: str, data: bytes) -> None:
        """Write or replace an object."""
        with self._at(key, "write"):
            self._backend.write(key, [data])

    def create(self, key: str, data: bytes) -> bool:
        """Write an object unless there is one; of several who try at once, one gets True."""
        with self._at(key, "write"):
            return self._backend.create(key, data)

    def get(self, key: str) -> bytes:
        """The object's content; raises ``NotInStoreError``."""
        with self._at(key, "read"):
            return self._backend.read(key)

    def exists(self, key: str) -> bool:
        """Whether there is such an object."""
        return self.size(key) is not None

    def size(self, key: str) -> int | None:
        """Bytes of an object, or ``None`` where there is none."""
        with self._at(key, "read"):
            return self._backend.size(key)

    def list(self, prefix: str) -> Names:
        """All keys below a folder (``runs/x/``), sorted."""
        with self._at(prefix, "list"):
            return sorted(self._backend.keys(prefix))

    def children(self, prefix: str) -> Names:
        """Names directly below a folder, sorted: one listing, however deep it is."""
        with self._at(prefix, "list"):
            return sorted(self._backend.children(prefix))

    def delete(self, prefix: str) -> None:
        """Remove an object, or everything below a folder; nothing happens where there is nothing."""
        with self._at(prefix, "delete"):
            self._backend.delete(prefix)

    def put_object(self, content: bytes | Path) -> str:
        """Store content under its SHA-256; content that is there already costs nothing.

        Args:
            content: Bytes, or a file, which is streamed.

        Returns:
            The digest, in hex.

        Raises:
            CorruptObjectError: The file changed while it was read.
        """
        if isinstance(content, bytes):
            digest = hashlib.sha256(content).hexdigest()
            if not self.is_whole(digest, len(content)):
                self.put(object_key(digest), content)
            return digest
        with content.open("rb") as file:
            return self.put_stream(file)

    def put_stream(self, file: BinaryIO) -> str:
        """Store an open file's content from its start, as ``put_object`` does."""
        first = file.read(CHUNK)
        if len(first) < CHUNK:
            return self.put_object(first)
        digest = digest_of(_rewound(file))
        if not self.is_whole(digest, file.tell()):
            key = object_key(digest)
            with self._at(key, "write"):
                self._backend.write(key, _verified(_rewound(file), digest))
        return digest

    def get_object(self, digest: str) -> bytes:
        """The content of that digest.

        Raises:
            NotInStoreError: There is none.
            CorruptObjectError: What is there has another digest.
        """
        content = self.get(object_key(digest))
        if hashlib.sha256(content).hexdigest() != digest:
            raise _torn(object_key(digest))
        return content

    def copy_object(self, digest: str, target: BinaryIO) -> None:
        """Stream the content of that digest into an open file; raises as ``get_object`` does."""
        key = object_key(digest)
        with self._at(key, "read"), self._backend.open(key) as source:
            for chunk in _verified(source, digest):
                target.write(chunk)

    def fetch_object(self, digest: str, path: Path) -> None:
        """Write the content of that digest to a new or existing file; raises as ``get_object`` does."""
        with path.open("wb") as target:
            self.copy_object(digest, target)

    def put_record(self, key: str, record: BaseModel) -> str:
        """Write a record as JSON that ends in a checksum over the rest; returns the checksum."""
        data, checksum = sealed(record)
        self.put(key, data)
        return checksum

    def get_record(self, key: str, kind: type[_Model]) -> _Model:
        """Read a record.

        Raises:
            NotInStoreError: There is none.
            CorruptObjectError: It is torn, was changed by hand, or doesn't fit ``kind``.
        """
        return self.get_sealed(key, kind)[0]

    def get_sealed(self, key: str, kind: type[_Model]) -> tuple[_Model, str]:
        """Read a record and its checksum; raises as ``get_record`` does."""
        body, checksum = _unsealed(key, self.get(key))
        try:
            return kind.model_validate_json(body), checksum
        except ValidationError as error:
            said = "; ".join(faults(error))
            raise CorruptObjectError(f"{key} is whole, but of another version of mlab ({said})") from error

    def check_sealed(self, key: str) -> None:
        """Make sure that a record is there and whole, whatever it is of; raises as ``get_record`` does."""
        _unsealed(key, self.get(key))

    def has_object(self, digest: str) -> bool:
        """Whether there is an object of that digest, whole or not."""
        return self.exists(object_key(digest))

    def is_whole(self, digest: str, size: int | None = None) -> bool:
        """Whether the content of that digest is there; where the storage keeps no checksums, it is read to know.

        Args:
            digest: The content's.
            size: Its bytes, where they are known: tells one that a power cut left short without reading it.
        """
        key = object_key(digest)
        found = self.size(key)
        if found is None or (size is not None and found != size):
            return False
        if digest in self._whole or self.is_remote:
            return True
        with self._at(key, "read"), self._backend.open(key) as source:
            whole = digest_of(source) == digest
        if whole:
            self._whole.add(digest)
        return whole

    def _at(self, key: str, doing: str) -> AbstractContextManager[None]:
        if not key.strip("./") or key.startswith((".", "/")) or "/." in key or "\0" in key:
            raise StoreError(f"{key!r} is not a key: a relative path, no part of it starting with a dot")
        return translated(f"{self.url}/{key}", doing)


def sealed(record: BaseModel) -> tuple[bytes, str]:
    """A record as JSON with its checksum as the last field, and the checksum."""
    body = record.model_dump_json().encode()
    checksum = hashlib.sha256(body).hexdigest()
    comma = "" if body == b"{}" else ","
    return body[:-1] + f'{comma}"checksum":"sha256:{checksum}"}}'.encode(), checksum


def _unsealed(key: str, data: bytes) -> tuple[bytes, str]:
    seal = _SEAL.search(data, max(0, len(data) - _SEAL_LENGTH))
    if seal is None:
        raise _torn(key)
    body, checksum = data[: seal.start()] + b"}", seal[2].decode()
    if hashlib.sha256(body).hexdigest() != checksum:
        raise _torn(key)
    return body, checksum


def _verified(source: BinaryIO, digest: str) -> Iterator[bytes]:
    """The chunks of a stream; raises after the last one where they don't add up to ``digest``."""
    found = hashlib.sha256()
    while chunk := source.read(CHUNK):
        found.update(chunk)
        yield chunk
    if found.hexdigest() != digest:
        raise _torn(object_key(digest))


def digest_of(file: BinaryIO) -> str:
    """SHA-256 of a stream, read to its end."""
    found = hashlib.sha256()
    while chunk := file.read(CHUNK):
        found.update(chunk)
    return found.hexdigest()


def _rewound(file: BinaryIO) -> BinaryIO:
    file.seek(0)
    return file


def _torn(key: str) -> CorruptObjectError:
    return CorruptObjectError(
        f"{key} is torn or was changed: its content does not match its checksum",
        hint="`mlab doctor` says what is damaged, which runs that hits, and what can be done.",
    )
