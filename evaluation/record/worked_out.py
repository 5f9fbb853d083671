"""Numbers that no output shows and that somebody works out from those it does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from math import exp, log, log2

from environment.metrics.meaning import SHARES
from evaluation.language.quantity import Quantity
from evaluation.record.known import Known

_LARGEST = 20.0
"""The largest loss, in bits."""
_LEAST = 1e-9
"""The smallest perplexity and the like of which a logarithm is taken."""
_RATE = "error rate"
_FROM: Mapping[str, Mapping[str, Callable[[float], float]]] = {
    "loss": {"perplexity": log, "bits per character": lambda bits: bits * log(2)},
    "perplexity": {
        "loss": lambda nats: exp(min(nats, _LARGEST)),
        "bits per character": lambda bits: 2 ** min(bits, _LARGEST),
    },
    "bits per character": {"loss": lambda nats: nats / log(2), "perplexity": log2},
}
"""What tells the same of a text in other units: nats, e to them, bits."""


def may_be_worked_out(known: Known, stated: Quantity, metric: str) -> bool:
    """Whether a number is what is left of a share, of a confusion matrix, the mean of rows or a loss in other units."""
    if any(map(stated.states, known.index.matrices.giving(metric, stated, known.step))):
        return True
    is_rate = metric == _RATE
    if not (stated.is_telling or is_rate) or stated.bound or (stated.resolution >= 1 and not is_rate):
        return False
    whole = 100.0 if stated.percent_like else 1.0
    left = replace(stated, value=whole - stated.value)
    if (is_rate or metric not in known.measured_names) and 0 < left.value < whole:
        shares = any(row.percent or row.metric in SHARES for row in known.stating(left))
        if shares or (left.percent_like and known.index.printed.states(left, known.step)):
            return True
    return any(map(stated.states, _means(known, stated))) or _is_in_other_units(known, stated, metric)


def _means(known: Known, like: Quantity) -> Iterator[float]:
    """The means of a setting's seeds, and of a table's rows of one name, that a number can be."""
    yield from known.index.repeats.means(like, len(known.finals))
    yield from known.index.tables.means(like, known.step)


def _is_in_other_units(known: Known, stated: Quantity, metric: str) -> bool:
    """Whether a loss, perplexity or the like tells the same as one of another name."""
    for other, into in _FROM.get(metric, {}).items():
        if other in known.measured_names:
            back = _FROM[other][metric]
            low, value, high = (back(max(_LEAST, stated.value + n * stated.resolution)) for n in (-1, 0, 1))
            like = Quantity(value=value, resolution=high - low)
            rows = [row.value for row in known.index.near(like, len(known.values)) if row.metric == other]
            if any(each > 0 and stated.is_near(into(each)) for each in (*rows, *_means(known, like))):
                return True
    return False
