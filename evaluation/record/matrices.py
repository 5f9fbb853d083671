"""The confusion matrices that outputs show, and the metrics that follow from them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise

from evaluation.language.quantity import Quantity
from evaluation.record.by_value import ByValue
from evaluation.record.events import Event

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


class Matrices:
    """The confusion matrices of two classes.

    Args:
        events: In order.
    """

    def __init__(self, events: Sequence[Event]) -> None:
        self._events = events

    def giving(self, metric: str, stated: Quantity, step: int) -> Iterator[float]:
        """A metric of either class of each matrix that was printed before a step, where a number can be it."""
        found = self._of_classes.get(metric)
        return (value for value, at in found.near(stated) if at < step) if found else iter(())

    @cached_property
    def _of_classes(self) -> Mapping[str, ByValue[int]]:
        shown = [(event.step, own) for event in self._events if event.prints for own in _matrices(event.observation)]
        classes = [(step, own) for step, (a, b, c, d) in shown for own in ((d, c, b), (a, b, c)) if own[0]]
        return {metric: ByValue((told(*own), step) for step, own in classes) for metric, told in _OF_CLASS.items()}


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
