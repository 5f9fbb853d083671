"""Numbers that no output shows and that somebody works out from those it does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import exp, log, log2
from statistics import fmean

from environment.metrics.meaning import SHARES
from evaluation.language.quantity import Quantity
from evaluation.record.known import Known
from evaluation.record.outputs import repeats

_LARGEST = 20.0
"""The largest loss, in bits."""
_FROM: Mapping[str, Mapping[str, Callable[[float], float]]] = {
    "loss": {"perplexity": log, "bits per character": lambda bits: bits * log(2)},
    "perplexity": {"loss": exp, "bits per character": lambda bits: 2**bits},
    "bits per character": {"loss": lambda nats: nats / log(2), "perplexity": log2},
}
"""What tells the same of a text in other units: nats, e to them, bits."""


def may_be_worked_out(known: Known, stated: Quantity, metric: str) -> bool:
    """Whether a number is what is left of a share, the mean of rows of one name, or a loss in other units."""
    if stated.bound:
        return False
    converted = {other: into for other, into in _FROM.get(metric, {}).items() if other in known.measured_names}
    values = [(row.value, converted[row.metric]) for row in known.values if row.metric in converted]
    means = [mean for step, mean in known.index.named_lines.means if step < known.step]
    means += [fmean(each) for like in {row.key: row for row in known.finals}.values() for each in repeats(known, like)]
    values += [(mean, into) for mean in means for into in converted.values()]
    if any(0 < value < _LARGEST and stated.is_near(into(value)) for value, into in values):
        return True
    is_exact = stated.is_telling and stated.resolution < 1
    return is_exact and (
        any(map(stated.states, means)) or (metric not in known.measured_names and _is_left(known, stated))
    )


def _is_left(known: Known, stated: Quantity) -> bool:
    """Whether a number is what is left of a share."""
    whole = 100.0 if stated.percent_like else 1.0
    left = replace(stated, value=whole - stated.value)
    is_share = any(row.percent or row.metric in SHARES for row in known.stating(left))
    return 0 < left.value < whole and (is_share or (left.percent_like and known.index.printed.states(left, known.step)))
