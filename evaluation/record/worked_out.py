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
    if not stated.is_telling or stated.bound or stated.resolution >= 1:
        return False
    whole = 100.0 if stated.percent_like else 1.0
    left = replace(stated, value=whole - stated.value)
    if metric not in known.measured_names and 0 < left.value < whole:
        shares = any(row.percent or row.metric in SHARES for row in known.stating(left))
        if shares or (left.percent_like and known.index.printed.states(left, known.step)):
            return True
    firsts = {row.key: row for row in known.finals}.values()
    means = [fmean(values) for like in firsts for values in repeats(known, like)]
    means += [mean for step, mean in known.index.tables.means if step < known.step]
    if any(map(stated.states, means)):
        return True
    converted = [(into, other) for other, into in _FROM.get(metric, {}).items() if other in known.measured_names]
    values = [(into, row.value) for into, other in converted for row in known.values if row.metric == other]
    values += [(into, mean) for into, _ in converted for mean in means]
    return any(0 < value < _LARGEST and stated.is_near(into(value)) for into, value in values)
