"""What a snapshot is made of: one object per folder, listing what is in it, down from the root's."""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from environment.errors import CorruptObjectError, NotInStoreError
from environment.store import Store, object_key

_SPLIT_OVER = 1_000
_PARTS = 64
_READERS = 16


class Kind(StrEnum):
    """What an entry is."""

    FILE = "f"
    FOLDER = "d"
    LINK = "l"


@dataclass(frozen=True, slots=True)
class Entry:
    """One name in a folder.

    Attributes:
        kind: File, folder or symbolic link.
        mode: Permission bits; 0 for a link. Set-user-id and its like are not kept.
        content: Digest of a file's content or a folder's listing; the target of a link.
        size: Bytes of a file.
    """

    kind: Kind
    mode: int
    content: str
    size: int = 0


def put_listing(store: Store, entries: Mapping[str, Entry]) -> str:
    """Store a folder's listing; large ones in parts by name, so that one change rewrites one part."""
    if len(entries) <= _SPLIT_OVER:
        return _put(store, {"entries": _rows(entries)})
    parts: list[dict[str, Entry]] = [{} for _ in range(_PARTS)]
    for name, entry in entries.items():
        parts[zlib.crc32(os.fsencode(name)) % _PARTS][name] = entry
    return _put(store, {"parts": [_put(store, {"entries": _rows(part)}) for part in parts]})


def get_listing(store: Store, digest: str) -> dict[str, Entry]:
    """Read a folder's listing; raises NotInStoreError and CorruptObjectError."""
    listing = _get(store, digest)
    pieces: Iterable[Any] = [listing] if "entries" in listing else (_get(store, part) for part in listing["parts"])
    try:
        return {
            name: Entry(Kind(kind), mode, content, size)
            for piece in pieces
            for name, kind, mode, content, size in piece["entries"]
        }
    except (KeyError, TypeError, ValueError) as error:
        raise _no_listing(digest) from error


def walk(store: Store, digest: str, above: str = "") -> Iterator[tuple[str, Entry]]:
    """Every path of a snapshot with its entry, folders before what they hold."""
    for name, entry in get_listing(store, digest).items():
        path = f"{above}{name}"
        yield path, entry
        if entry.kind is Kind.FOLDER:
            yield from walk(store, entry.content, f"{path}/")


def is_whole(store: Store, digest: str) -> bool:
    """Whether all that a snapshot needs is in the store, with the content that it should have."""
    try:
        files = [entry for _, entry in walk(store, digest) if entry.kind is Kind.FILE]
    except (NotInStoreError, CorruptObjectError):
        return False
    with ThreadPoolExecutor(_READERS) as pool:
        return all(pool.map(lambda entry: store.is_whole(entry.content, entry.size), files))


def _rows(entries: Mapping[str, Entry]) -> list[tuple[str, str, int, str, int]]:
    return [(name, e.kind, e.mode, e.content, e.size) for name, e in sorted(entries.items())]


def _put(store: Store, listing: dict[str, Any]) -> str:
    # ASCII escapes carry names that are no UTF-8 (as lone surrogates) through JSON and back.
    return store.put_object(json.dumps(listing, separators=(",", ":")).encode("ascii"))


def _get(store: Store, digest: str) -> dict[str, Any]:
    try:
        listing = json.loads(store.get_object(digest))
    except ValueError as error:
        raise _no_listing(digest) from error
    if not isinstance(listing, dict) or not listing.keys() & {"entries", "parts"}:
        raise _no_listing(digest)
    return listing


def _no_listing(digest: str) -> CorruptObjectError:
    return CorruptObjectError(f"{object_key(digest)} is no listing of a folder")
