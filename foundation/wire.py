"""Protocol buffers and the files of length-framed records that TensorFlow writes, read without its library.

Nothing of an untrusted file is allocated beyond its own size.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import NamedTuple

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5


class Field(NamedTuple):
    """A field of a message: its number, a varint's value, and the bytes of all other kinds."""

    number: int
    integer: int
    content: bytes


def records(content: bytes) -> Iterator[bytes]:
    """Frames of a length, its checksum, so many bytes, and theirs."""
    at = 0
    while at + 12 <= len(content):
        (length,) = struct.unpack_from("<Q", content, at)
        start, at = at + 12, at + 16 + length
        if at > len(content):
            return
        yield content[start : start + length]


def fields(message: bytes) -> Iterator[Field]:
    """The fields of a message, up to the first that is torn."""
    at = 0
    while at < len(message):
        tag, at = _varint(message, at)
        number, kind = tag >> 3, tag & 7
        if kind == _VARINT:
            integer, at = _varint(message, at)
            yield Field(number, integer, b"")
            continue
        if kind == _BYTES:
            length, at = _varint(message, at)
        else:
            length = {_FIXED64: 8, _FIXED32: 4}.get(kind, len(message) + 1)
        if at + length > len(message):
            return
        yield Field(number, 0, message[at : at + length])
        at += length


def _varint(message: bytes, at: int) -> tuple[int, int]:
    """A number of seven bits a byte, and where it ends."""
    value = 0
    for shift in range(0, 70, 7):
        if at >= len(message):
            break
        byte = message[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            break
    return value, at
