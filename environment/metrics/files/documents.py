"""JSON documents, JSON lines and YAML documents of results."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from environment.metrics.files.keys import Named
from environment.metrics.mappings import read_number
from environment.metrics.names import is_counter, is_metric
from environment.metrics.value import SETTINGS_HEADING_WORDS
from environment.records import MetricPoint
from foundation.storable import clamped

_SETTINGS = re.compile(rf"{SETTINGS_HEADING_WORDS}|^(?:versions?|n-shot|hparams|args|env(?:ironment)?)$", re.IGNORECASE)
_DEEPEST = 8
_MOST_NODES = 100_000
_LONGEST_YAML = 500_000
"""Bytes of YAML, which takes a hundred times as long to read as JSON."""


def json_points(content: bytes) -> Iterator[MetricPoint]:
    """The values of a JSON document, or of JSON lines under its name; none where it is neither."""
    try:
        document = json.loads(content)
    except RecursionError:
        return
    except ValueError:
        yield from json_lines(content)
        return
    yield from _points(document)


def yaml_points(content: bytes) -> Iterator[MetricPoint]:
    """The values of a YAML document; none of one that is broken, has objects of Python's or is no file of results."""
    import yaml  # few runs write any

    try:
        yield from _points(yaml.safe_load(content[:_LONGEST_YAML]))
    except (yaml.YAMLError, ValueError, RecursionError):
        return


def _points(document: object) -> Iterator[MetricPoint]:
    for named in islice(_named(document, (), None, 0, None), _MOST_NODES):
        if (point := named.point()) is not None:
            yield point


def json_lines(content: bytes) -> Iterator[MetricPoint]:
    """The values of JSON lines; lines that are none are left out."""
    for number, line in enumerate(content.splitlines(), start=1):
        try:
            document = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(document, dict):
            for named in islice(_named(document, (), None, number - 1, number), _MOST_NODES):
                if (point := named.point()) is not None:
                    yield point


def _named(value: object, path: tuple[str, ...], epoch: float | None, step: int, line: int | None) -> Iterator[Named]:
    """Every plain value below one, with what its record says of epoch and step."""
    if len(path) > _DEEPEST:
        return
    if isinstance(value, Mapping):
        epoch, step = record_time(value, epoch, step)
        for key, inner in value.items():
            if not (is_counter(str(key)) or _SETTINGS.search(str(key))):
                yield from _named(inner, (*path, str(key)), epoch, step, line)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        if value and isinstance(value[0], int | float) and not any(map(is_metric, path)):
            return  # predictions, labels, weights
        for n, inner in enumerate(value):
            yield from _named(inner, path, epoch, n, line)
    else:
        yield Named(path, value, epoch, step, line)


def record_time(record: Mapping[str, object], epoch: float | None, step: int) -> tuple[float | None, int]:
    """The epoch and the step that a record tells, else those given."""
    for key, value in record.items():
        number, _ = read_number(value)
        if number is None or number != number or not is_counter(str(key)):
            continue
        if str(key).lower().rpartition("/")[2] in ("epoch", "epochs"):
            epoch = float(number)
        elif abs(number) < float("inf"):
            step = clamped(int(number))
    return epoch, step
