"""TensorBoard's event files: length-framed protocol buffers, of which only scalars are read.

The format is TensorFlow's (``tfrecord`` framing; ``tensorflow/core/util/event.proto`` and ``summary.proto``). Field
numbers below are of those definitions; nothing of an untrusted file is allocated beyond its own size.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import NamedTuple

from environment.metrics.files.keys import Named
from environment.records import MetricPoint
from foundation.storable import clamped

_EVENT_STEP, _EVENT_SUMMARY = 2, 5
_SUMMARY_VALUE = 1
_VALUE_TAG, _VALUE_SIMPLE, _VALUE_TENSOR = 1, 2, 8
_TENSOR_TYPE, _TENSOR_CONTENT, _TENSOR_FLOATS, _TENSOR_DOUBLES = 1, 4, 5, 6
_FLOAT, _DOUBLE = 1, 2
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5


class _Field(NamedTuple):
    """A field of a message: its number, a varint's value, and the bytes of all other kinds."""

    number: int
    integer: int
    content: bytes


def event_points(content: bytes) -> Iterator[MetricPoint]:
    """The scalars of an event file, up to its first torn record."""
    for record in _records(content):
        fields = list(_fields(record))
        step = next((field.integer for field in fields if field.number == _EVENT_STEP), 0)
        for summary in (field.content for field in fields if field.number == _EVENT_SUMMARY):
            for value in (field.content for field in _fields(summary) if field.number == _SUMMARY_VALUE):
                point = _scalar(value, clamped(step))
                if point is not None:
                    yield point


def _records(content: bytes) -> Iterator[bytes]:
    """Frames of a length, its checksum, so many bytes, and theirs."""
    at = 0
    while at + 12 <= len(content):
        (length,) = struct.unpack_from("<Q", content, at)
        start, at = at + 12, at + 16 + length
        if at > len(content):
            return
        yield content[start : start + length]


def _fields(message: bytes) -> Iterator[_Field]:
    """The fields of a message, up to the first that is torn."""
    at = 0
    while at < len(message):
        tag, at = _varint(message, at)
        number, kind = tag >> 3, tag & 7
        if kind == _VARINT:
            integer, at = _varint(message, at)
            yield _Field(number, integer, b"")
            continue
        if kind == _BYTES:
            length, at = _varint(message, at)
        else:
            length = {_FIXED64: 8, _FIXED32: 4}.get(kind, len(message) + 1)
        if at + length > len(message):
            return
        yield _Field(number, 0, message[at : at + length])
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


def _scalar(value: bytes, step: int) -> MetricPoint | None:
    tag, number = "", None
    for field in _fields(value):
        if field.number == _VALUE_TAG:
            tag = field.content.decode("utf-8", "replace")
        elif field.number == _VALUE_SIMPLE and len(field.content) == 4:
            (number,) = struct.unpack("<f", field.content)
        elif field.number == _VALUE_TENSOR:
            number = _of_tensor(field.content)
    if not tag or number is None:
        return None
    return Named(tag.split("/"), _shortest(number), step=step).point()


def _of_tensor(tensor: bytes) -> float | None:
    """The one number of a tensor of 32 or 64 bits."""
    kind = next((field.integer for field in _fields(tensor) if field.number == _TENSOR_TYPE), _FLOAT)
    size, form = (8, "<d") if kind == _DOUBLE else (4, "<f")
    for field in _fields(tensor):
        if field.number in (_TENSOR_CONTENT, _TENSOR_FLOATS, _TENSOR_DOUBLES) and len(field.content) == size:
            return float(struct.unpack(form, field.content)[0])
    return None


def _shortest(number: float) -> float:
    """A number of 32 bits as people write it: 0.9, not 0.8999999761581421."""
    return float(f"{number:.7g}")
