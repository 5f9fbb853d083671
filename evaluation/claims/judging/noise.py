"""How far results lie apart when nothing but the seed is changed."""

from __future__ import annotations

from statistics import stdev

from environment.metrics.meaning import is_same
from evaluation.record.known import Known
from evaluation.record.measurements import Measurement
from evaluation.record.outputs import repeats

_ENOUGH = 3
"""Repeated results from which their scatter is known."""


def is_within_noise(known: Known, a: Measurement, b: Measurement) -> bool:
    """Whether two results lie no further apart than results of one setting under several seeds do."""
    spread = scatter(known, a)
    return spread is not None and abs(a.value - b.value) <= spread


def scatter(known: Known, like: Measurement) -> float | None:
    """The widest standard deviation of repeats of one setting, of the same quantity; ``None`` without any."""
    found = [stdev(values) for values in repeats(known, like) if len(values) >= _ENOUGH]
    log = known.log
    if log.spread is not None and log.metric and is_same(log.metric, like.metric):
        found.append(log.spread * (100 if like.percent else 1))
    return max(found, default=None)
