"""Checksums of what files hold, not of their bytes: archives and arrays differ in time stamps alone."""

from __future__ import annotations

import csv
import gzip
import hashlib
import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

CHUNK = 1 << 20


def content_digest(*folders: Path) -> str:
    """SHA-256 in hex over every file of the folders: relative path and content.

    CSV counts by cells, JSON by values, ``.gz`` and ``.npz`` by what is packed in them, everything
    else by bytes.
    """
    total = hashlib.sha256()
    for folder in folders:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            total.update(f"{folder.name}/{path.relative_to(folder).as_posix()}\0".encode())
            total.update(file_digest(path).encode())
    return total.hexdigest()


def file_digest(path: Path) -> str:
    """SHA-256 in hex of the content of one file, as ``content_digest`` counts it."""
    digest = hashlib.sha256()
    try:
        for chunk in _READERS.get(path.suffix, _raw)(path):
            digest.update(chunk)
    except (ValueError, csv.Error, OSError, zipfile.BadZipFile):
        return sha256(path)  # not what its name says
    return digest.hexdigest()


def sha256(path: Path) -> str:
    """SHA-256 in hex of the file's bytes."""
    digest = hashlib.sha256()
    for chunk in _raw(path):
        digest.update(chunk)
    return digest.hexdigest()


def _raw(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            yield chunk


def _csv(path: Path) -> Iterator[bytes]:
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.reader(file):
            yield json.dumps(row).encode()


def _json(path: Path) -> Iterator[bytes]:
    yield json.dumps(json.loads(path.read_bytes()), sort_keys=True).encode()


def _gzip(path: Path) -> Iterator[bytes]:
    with gzip.open(path) as file:
        while chunk := file.read(CHUNK):
            yield chunk


def _zip(path: Path) -> Iterator[bytes]:
    with zipfile.ZipFile(path) as archive:
        for name in sorted(archive.namelist()):
            yield name.encode() + b"\0"
            with archive.open(name) as member:
                while chunk := member.read(CHUNK):
                    yield chunk


_READERS: dict[str, Callable[[Path], Iterator[bytes]]] = {
    ".csv": _csv,
    ".json": _json,
    ".gz": _gzip,
    ".npz": _zip,
    ".zip": _zip,
}
