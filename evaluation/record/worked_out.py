"""Numbers that no output shows and that somebody works out from those it does."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from math import exp, log, log2
from statistics import fmean

from environment.metrics.meaning import SHARES
from evaluation.language.quantity import Quantity
from evaluation.record.known import Known
from evaluation.record.outputs import repeats

_LARGEST = 20.0
"""The largest loss, in bits."""
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
_MATRIX = re.compile(
    r"\[\[\s*(\d+)[,\s]+(\d+)\s*\],?\s*\[\s*(\d+)[,\s]+(\d+)\s*\]\]"
    r"|\btn\W{1,3}(\d+)\W+fp\W{1,3}(\d+)\W+fn\W{1,3}(\d+)\W+tp\W{1,3}(\d+)",
    re.IGNORECASE,
)
"""A confusion matrix of two classes, as scikit-learn orders it."""
_OF_CLASS: Mapping[str, Callable[[float, float, float], float]] = {
    "recall": lambda right, missed, _: right / (right + missed),
    "specificity": lambda right, missed, _: right / (right + missed),
    "precision": lambda right, _, wrong: right / (right + wrong),
    "f1": lambda right, missed, wrong: 2 * right / (2 * right + missed + wrong),
}
"""What a class's numbers of those found, missed and wrongly called so tell."""


def may_be_worked_out(known: Known, stated: Quantity, metric: str) -> bool:
    """Whether a number is what is left of a share, of a confusion matrix, the mean of rows or a loss in other units."""
    if any(map(stated.states, _of_matrices(known, metric))):
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
    firsts = {row.key: row for row in known.finals}.values()
    means = [fmean(values) for like in firsts for values in repeats(known, like)]
    means += [mean for step, mean in known.index.tables.means if step < known.step]
    if any(map(stated.states, means)):
        return True
    converted = [(into, other) for other, into in _FROM.get(metric, {}).items() if other in known.measured_names]
    values = [(into, row.value) for into, other in converted for row in known.values if row.metric == other]
    values += [(into, mean) for into, _ in converted for mean in means]
    return any(value > 0 and stated.is_near(into(value)) for into, value in values)


def _of_matrices(known: Known, metric: str) -> Iterator[float]:
    """A metric of either class of each confusion matrix that was printed."""
    told = _OF_CLASS.get(metric)
    shown = (event.observation for event in known.events if event.shows_output) if told else ()
    for a, b, c, d in (map(int, filter(None, found.groups())) for each in shown for found in _MATRIX.finditer(each)):
        yield from (told(*own) for own in ((d, c, b), (a, b, c)) if told and own[0])
