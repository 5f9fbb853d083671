"""What a key of a result file names: a metric, its split, and the part of the results it is of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from environment.metrics.mappings import read_number
from environment.metrics.names import is_aggregate, is_metric, is_setting, read_name, split_in
from environment.metrics.nesting import tells_apart
from environment.metrics.value import Unit
from environment.records import MetricPoint

_LONGEST = 200


class Named(NamedTuple):
    """A value under a key.

    Attributes:
        path: The keys down to it.
        epoch: Where its record tells it.
        step: Where its record tells it, else the count of the values before it.
        line: 1-based line of the file, where it has lines.
    """

    path: Sequence[str]
    value: object
    epoch: float | None = None
    step: int = 0
    line: int | None = None

    def point(self) -> MetricPoint | None:
        """The measured value, or ``None`` where it is none."""
        value, unit = read_number(self.value)
        if value is None or not self.path or is_setting(self.path[-1]):
            return None
        at = _position(self.path)
        name = read_name(_bare(self.path[at]))
        if not (name.known or isinstance(value, float)):
            return None
        others = [key for n, key in enumerate(self.path) if n != at]
        splits = [split for key in others if (split := split_in(key))]
        part = " ".join(key for key in others if tells_apart(key))
        key = ".".join(self.path)[:_LONGEST]
        return MetricPoint(
            name=(name.text or "score")[:_LONGEST],
            value=float(value),
            unit=unit,
            split=name.split or (splits[-1] if splits else None),
            part=part[:_LONGEST],
            epoch=self.epoch,
            step=self.step,
            line=self.line,
            text=f"{key} = {_shown(value, unit)}",
            key=key,
        )


def _position(path: Sequence[str]) -> int:
    """Where in a path the metric is named: the last key, unless only one above it names a metric."""
    last = len(path) - 1
    if is_metric(path[last]) or not (split_in(path[last]) or is_aggregate(path[last])):
        return last
    return next((n for n in range(last, -1, -1) if is_metric(path[n])), last)


def _bare(key: str) -> str:
    """A key without what a library puts around the metric: ``metrics/mAP50(B)``, ``acc,none``."""
    return key.removeprefix("metrics/").partition(",")[0]


def _shown(value: float, unit: Unit) -> str:
    return f"{value:.12g}{' %' if unit == 'percent' else ''}"
