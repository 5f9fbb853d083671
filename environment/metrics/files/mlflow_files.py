"""Metrics of a run in MLflow's store of files: ``mlruns/<experiment>/<run>/metrics/<name>``, a line a value."""

from __future__ import annotations

import re
from collections.abc import Iterator

from environment.metrics.files.keys import Named
from environment.metrics.mappings import read_number
from environment.records import MetricPoint
from foundation.storable import clamped
from foundation.text import text_of

_OF_STORE = re.compile(r"(?:^|/)\d+/[0-9a-f]{32}/metrics/(?P<name>.+)$")


def metric_of_store(file: str) -> str:
    """The metric that a file of such a store holds; nothing for any other file."""
    found = _OF_STORE.search(file)
    return found["name"] if found else ""


def logged_points(metric: str, content: bytes) -> Iterator[MetricPoint]:
    """The values of a metric: each line has a time in milliseconds, the value and, in most versions, the step."""
    for number, line in enumerate(text_of(content).splitlines(), start=1):
        _, value, step, *_ = *line.split(), "", "", "0"
        told, _ = read_number(step)
        point = Named([metric], value, step=clamped(int(told or 0)), line=number).point()
        if point is not None:
            yield point
