"""Numbers that no output shows and that somebody works out from those it does."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
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
_MATRIX = re.compile(r"\[\[\s*(\d+)[,\s]+(\d+)\s*\],?\s*\[\s*(\d+)[,\s]+(\d+)\s*\]\]")
"""A confusion matrix of two classes, as scikit-learn orders it."""
_COUNT = re.compile(
    r"\b(?P<told>[tf])(?:rue|alse)?[ _]?(?P<called>[pn])(?:os|eg)?(?:itive|ative)?s?\W{1,4}(?P<n>\d+)(?!\.?\d)", re.I
)
"""One of its four numbers by its name: "TP=812", "false positives: 143"."""
_BETWEEN = re.compile(r"\W+")
_FOUR = 4
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
    shown = (event.observation for event in known.events if event.prints) if told else ()
    for a, b, c, d in (matrix for each in shown for matrix in _matrices(each)):
        yield from (told(*own) for own in ((d, c, b), (a, b, c)) if told and own[0])


def _matrices(output: str) -> Iterator[tuple[int, int, int, int]]:
    """The confusion matrices of two classes in an output: those called right and wrong of the one, then the other."""
    for found in _MATRIX.finditer(output):
        a, b, c, d = map(int, found.groups())
        yield a, b, c, d
    counts = list(_COUNT.finditer(output))
    for n in range(len(counts) - _FOUR + 1):
        four = counts[n : n + _FOUR]
        named = {f"{each['told']}{each['called']}".lower(): int(each["n"]) for each in four}
        if len(named) == _FOUR and all(_BETWEEN.fullmatch(output, a.end(), b.start()) for a, b in pairwise(four)):
            yield named["tn"], named["fp"], named["fn"], named["tp"]
