"""TensorBoard's event files: length-framed protocol buffers, of which only scalars are read.

The format is TensorFlow's (``tfrecord`` framing; ``tensorflow/core/util/event.proto`` and ``summary.proto``). Field
numbers below are of those definitions; nothing of an untrusted file is allocated beyond its own size.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from environment.metrics.files.keys import Named
from environment.records import MetricPoint
from foundation.storable import clamped
from foundation.wire import fields, records

_EVENT_STEP, _EVENT_SUMMARY = 2, 5
_SUMMARY_VALUE = 1
_VALUE_TAG, _VALUE_SIMPLE, _VALUE_TENSOR = 1, 2, 8
_TENSOR_TYPE, _TENSOR_CONTENT, _TENSOR_FLOATS, _TENSOR_DOUBLES = 1, 4, 5, 6
_FLOAT, _DOUBLE = 1, 2
_OF_EPOCHS = "epoch_"
"""What Keras puts before a metric whose steps are epochs."""


def event_points(content: bytes) -> Iterator[MetricPoint]:
    """The scalars of an event file, up to its first torn record."""
    for record in records(content):
        found = list(fields(record))
        step = next((field.integer for field in found if field.number == _EVENT_STEP), 0)
        for summary in (field.content for field in found if field.number == _EVENT_SUMMARY):
            for value in (field.content for field in fields(summary) if field.number == _SUMMARY_VALUE):
                point = _scalar(value, clamped(step))
                if point is not None:
                    yield point


def _scalar(value: bytes, step: int) -> MetricPoint | None:
    tag, number = "", None
    for field in fields(value):
        if field.number == _VALUE_TAG:
            tag = field.content.decode("utf-8", "replace")
        elif field.number == _VALUE_SIMPLE and len(field.content) == 4:
            (number,) = struct.unpack("<f", field.content)
        elif field.number == _VALUE_TENSOR:
            number = _of_tensor(field.content)
    if not tag or number is None:
        return None
    bare = tag.removeprefix(_OF_EPOCHS)
    epoch = float(step) if bare != tag else None
    return Named(bare.split("/"), _shortest(number), epoch=epoch, step=step).point()


def _of_tensor(tensor: bytes) -> float | None:
    """The one number of a tensor of 32 or 64 bits."""
    kind = next((field.integer for field in fields(tensor) if field.number == _TENSOR_TYPE), _FLOAT)
    size, form = (8, "<d") if kind == _DOUBLE else (4, "<f")
    for field in fields(tensor):
        if field.number in (_TENSOR_CONTENT, _TENSOR_FLOATS, _TENSOR_DOUBLES) and len(field.content) == size:
            return float(struct.unpack(form, field.content)[0])
    return None


def _shortest(number: float) -> float:
    """A number of 32 bits as people write it: 0.9, not 0.8999999761581421."""
    return float(f"{number:.7g}")
